/**
 * Parameters of a statement by name. Its text is made once, with their positions (`$1`). A call gives the values by name, in any order;
 * none of them ever becomes part of the text.
 */
import type { Value } from './query.ts';

export interface Parameters<Name extends string> {
  /** The names in the order of the positions. */
  readonly names: readonly Name[];
  /** The position of each in the text. */
  readonly at: Readonly<Record<Name, string>>;
}

/** Numbers parameters in the order of their names. */
export const parameters = <Name extends string>(...names: readonly Name[]): Parameters<Name> => ({
  names,
  at: Object.fromEntries(names.map((name, index) => [name, `$${index + 1}`])) as Record<Name, string>,
});

/** Values by the names of their parameters. A statement ignores those that it has no parameters for. */
export type NamedValues<Name extends string> = Readonly<Partial<Record<Name, Value>>>;

export interface Statement<Name extends string> {
  readonly text: string;
  readonly names: readonly Name[];
}

/** Returns the values of a statement in the order of its parameters. Throws a `TypeError` that names a parameter without a value. */
export function valuesOf<Name extends string>({ names }: Statement<Name>, named: NamedValues<Name>): Value[] {
  const values: Value[] = [];
  for (const name of names) {
    const value = named[name];
    if (value === undefined) throw new TypeError(`the parameter "${name}" of a statement has no value`);
    values.push(value);
  }
  return values;
}
