/** The sections of the client's reference: each entry point with its exports, each export with its members. */

/** An export, a member, a signature or a parameter, as TypeDoc describes it. */
export interface Described {
  readonly name: string;
  readonly kind: number;
  readonly flags: { readonly isOptional: boolean; readonly isInherited: boolean };
  readonly comment?: { readonly summary: readonly CommentPart[]; readonly blockTags: readonly Tag[] };
  readonly children?: readonly Described[];
  readonly signatures?: readonly Described[];
  readonly indexSignatures?: readonly Described[];
  readonly parameters?: readonly Described[];
  readonly typeParameters?: readonly Described[];
  /** Its text is the type as TypeScript writes it. */
  readonly type?: object;
  readonly default?: object;
  readonly defaultValue?: string;
  readonly extendedTypes?: readonly object[];
}
interface CommentPart {
  readonly kind: 'text' | 'code' | 'inline-tag';
  readonly text: string;
}
interface Tag {
  readonly tag: string;
  readonly content: readonly CommentPart[];
}

/** TypeDoc's numbers of kinds, in the order of the page. */
const kinds = { function: 64, class: 128, interface: 256, alias: 2_097_152 };
const memberKinds = { constructor: 512, property: 1_024, method: 2_048 };
/** Members of `Cache` with types that only the package can name. */
const leftOut = ['wrap', 'recall', 'keep'];
/** A base that users never see. */
const hiddenBase = 'Internals<';
/** The first parameter of overloads that differ from others only in types, as the text explains. */
const narrowing = 'given';
/** More parameters stand on lines of their own. */
const besideMax = 2;

/** Returns Markdown about the entry points, each with its title. Throws an `Error` if a heading would occur twice. */
export function sectionsOf(entries: readonly (readonly [title: string, entry: Described])[]): string[] {
  const headings = new Map<string, string>();
  for (const one of entries.flatMap(([, { children = [] }]) => children)) {
    for (const [name, heading] of [[one.name, headingOf(one)], ...callsOf(one).map((call) => memberHeading(one, call))]) {
      if (headings.has(`${name}`)) throw new Error(`the reference has two headings for ${name}`);
      headings.set(`${name}`, `${heading}`);
    }
  }
  const page = new Page(headings);
  return entries.flatMap(([title, { children = [], ...entry }]) => [
    `## ${title}`,
    page.comment(entry),
    ...Object.values(kinds).flatMap((kind) =>
      children.filter((one) => one.kind === kind).flatMap((one) => page.about(one)),
    ),
  ]);
}

class Page {
  /** The headings of exports and functions, by the names that comments and types use. */
  readonly #headings: ReadonlyMap<string, string>;

  constructor(headings: ReadonlyMap<string, string>) {
    this.#headings = headings;
  }

  /** The sections of an export and of its functions. A base on this page already lists its members. */
  about(one: Described): string[] {
    const heading = `### ${headingOf(one)}`;
    if (one.kind === kinds.function) return [heading, ...this.#calls(one, `function ${one.name}`)];
    if (one.kind === kinds.alias)
      return [heading, code(`type ${one.name}${typeParametersIn(one)} =${aliased(one)};`), this.comment(one)];
    const { children = [], extendedTypes = [], indexSignatures = [] } = one;
    const hasBase = extendedTypes.some((type) =>
      textOf(type)
        .split(/\W+/)
        .some((name) => this.#headings.has(name)),
    );
    const isOwn = ({ flags }: Described) => !(hasBase && flags.isInherited);
    const bases = extendedTypes.map(textOf).filter((base) => !base.startsWith(hiddenBase));
    const parameters = (one.typeParameters ?? []).map(typeParameter);
    const hasBounds = parameters.some((text) => text.includes(' '));
    return [
      heading,
      this.comment(one),
      bases.length === 0 ? '' : `Extends ${bases.map((base) => this.#linked(base)).join(', ')}`,
      hasBounds ? `Type parameters: ${parameters.map((text) => `\`${text}\``).join(', ')}` : '',
      this.#list([...children.filter(({ kind }) => kind === memberKinds.property).filter(isOwn), ...indexSignatures]),
      ...callsOf(one)
        .filter(isOwn)
        .flatMap((call) => [`#### ${memberHeading(one, call)[1]}`, ...this.#calls(call, named(call))]),
    ];
  }

  /** What a comment says, and what it refers to. */
  comment({ comment }: Pick<Described, 'comment'>): string {
    const textIn = (parts: readonly CommentPart[]) =>
      parts.map(({ kind, text }) => (kind === 'inline-tag' ? this.#link(text, text) : text)).join('');
    const see = comment?.blockTags.filter(({ tag }) => tag === '@see') ?? [];
    return [textIn(comment?.summary ?? []), ...see.map(({ content }) => `See ${textIn(content).trim()}`)]
      .filter(Boolean)
      .join('\n\n');
  }

  #link(name: string, text: string): string {
    const heading = this.#headings.get(name);
    return heading === undefined ? text : `[${text}](#${anchorOf(heading)})`;
  }

  /** A type in text: names as code, with links. */
  #linked(type: string): string {
    return type.replaceAll(
      /=>|\[\]|(?:readonly|keyof|in) |"[^"]*"|typeof fetch|[.\w$]+(?:\?(?=:))?|[<>{}[\]]/g,
      (token) => {
        if (/^[<>{}[\]]$/.test(token)) return `\\${token}`;
        return /^(?:=>|\[\]|(?:readonly|keyof|in) )$/.test(token) ? token : this.#link(token, `\`${token}\``);
      },
    );
  }

  /** The signatures as code, what their comments say, and the parameters if there is more to say. */
  #calls({ signatures = [], kind }: Described, head: string): string[] {
    const shown = signatures.filter(({ parameters = [] }) => parameters[0]?.name !== narrowing);
    const isConstructor = kind === memberKinds.constructor;
    const parameters = shown.flatMap((one) => one.parameters ?? []);
    return [
      code(
        shown
          .map((one) => signature(isConstructor ? `new ${textOf(one.type)}` : head + typeParametersIn(one), one))
          .join('\n'),
      ),
      ...new Set(signatures.map((one) => this.comment(one))),
      parameters.some((one) => one.comment || defaultOf(one)) ? this.#list(parameters) : '',
    ];
  }

  #list(members: readonly Described[]): string {
    const items = members.map((one) => {
      const about = this.comment(one).replaceAll('\n', ' ');
      const otherwise = defaultOf(one) && `, \`${defaultOf(one)}\` unless given`;
      return `- \`${named(one)}\`: ${this.#linked(textOf(one.type))}${otherwise}${about && `. ${about}`}`;
    });
    return items.join('\n');
  }
}

/** The functions of an export, which have headings. */
const callsOf = ({ children = [] }: Described): readonly Described[] =>
  children.filter(
    ({ kind, name }) => (kind === memberKinds.method || kind === memberKinds.constructor) && !leftOut.includes(name),
  );

const headingOf = ({ name, kind }: Described): string => (kind === kinds.function ? `${name}()` : name);

function memberHeading(owner: Described, { name, kind, flags }: Described): [name: string, heading: string] {
  if (kind === memberKinds.constructor) return [`new ${owner.name}`, `new ${owner.name}()`];
  return [`${owner.name}.${name}`, `${owner.name}.${name}()${flags.isOptional ? '?' : ''}`];
}

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s/g, '-');

const code = (text: string): string => `\`\`\`ts\n${text}\n\`\`\``;

/** The text of a type. TypeDoc writes the signatures of `fetch` in place of its name. */
const textOf = (type: object | undefined): string =>
  String(type).replaceAll(/\{ \(input: RequestInfo.*? \}/g, 'typeof fetch');

/** A union has a line for each of its types. */
function aliased({ type }: Described): string {
  const { type: form, types = [] } = type as { readonly type: string; readonly types?: readonly object[] };
  return form === 'union' ? types.map((one) => `\n  | ${textOf(one)}`).join('') : ` ${textOf(type)}`;
}

/** The default of a parameter or member that says something. */
const defaultOf = ({ defaultValue = '' }: Described): string =>
  /^(?:undefined|\{\})$/.test(defaultValue) ? '' : defaultValue;

/** A name, with `?` if it may be left out. */
function named({ name, flags, defaultValue, parameters, kind }: Described): string {
  if (name === '__index') return `[${(parameters ?? []).map(parameter).join()}]`;
  const isOptional = flags.isOptional || (defaultValue !== undefined && kind !== memberKinds.property);
  return `${name}${isOptional ? '?' : ''}`;
}

const parameter = (one: Described): string => `${named(one)}: ${textOf(one.type)}`;

function signature(head: string, { parameters = [], type }: Described): string {
  const texts = parameters.map(parameter);
  const isLong = texts.length > besideMax;
  return `${head}(${isLong ? `\n  ${texts.join(',\n  ')}\n` : texts.join(', ')}): ${textOf(type)};`;
}

const typeParametersIn = ({ typeParameters = [] }: Described): string =>
  typeParameters.length === 0 ? '' : `<${typeParameters.map(typeParameter).join(', ')}>`;

/** A type parameter with its bounds; the introduction explains those of `T` and `I`. */
function typeParameter({ name, type, default: fallback }: Described): string {
  const bounds = `${type ? ` extends ${textOf(type)}` : ''}${fallback ? ` = ${textOf(fallback)}` : ''}`;
  return /^[TI]$/.test(name) && bounds === ' extends Types = Types' ? name : name + bounds;
}
