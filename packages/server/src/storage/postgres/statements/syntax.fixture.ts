/** Reads the syntax tree of a statement. */

export type Node = Readonly<Record<string, unknown>>;

/** The elements of a list in the tree; none if it is missing. */
export const partsOf = (list: unknown): readonly Node[] => (Array.isArray(list) ? (list as Node[]) : []);

/** The texts of a list of names. */
export const textsOf = (list: unknown): readonly string[] =>
  partsOf(list).map((part) => String((part.String as Node | undefined)?.sval ?? ''));

/** Classes of things that are equal. */
export class Classes {
  readonly #classes = new Map<string, Set<string>>();

  join(one: string, other: string): void {
    const joined = new Set([...this.#classOf(one), ...this.#classOf(other)]);
    for (const member of joined) this.#classes.set(member, joined);
  }

  /** The parameters that something equals. */
  parametersOf(one: string): readonly string[] {
    return [...this.#classOf(one)].filter((member) => member.startsWith('$'));
  }

  #classOf(one: string): Set<string> {
    return this.#classes.get(one) ?? new Set([one]);
  }
}
