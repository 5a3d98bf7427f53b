/**
 * Messages as patterns with parameters, such as `must be at most {limit}`. Names of parameters begin with a lower-case letter: the braces of
 * `\p{L}` are text.
 */

/** The names of a pattern's parameters. */
export type ParameterOf<Pattern extends string> = Pattern extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends Uncapitalize<Name> ? Name : never) | ParameterOf<Rest>
  : never;

/** The arguments that fill a pattern, except `Given` parameters: none if it has no others. */
export type Filling<Pattern extends string, Given extends string = never> = [Exclude<ParameterOf<Pattern>, Given>] extends [
  never,
]
  ? []
  : [parameters: { readonly [Name in Exclude<ParameterOf<Pattern>, Given>]: string | number }];

/** The parameters that a message contains. */
export type ReadParameters<Pattern extends string> = { readonly [Name in ParameterOf<Pattern>]: string };

/** Patterns by name. */
export type Patterns = Readonly<Record<string, string>>;

/** A message as the name of its pattern and its parameters. */
export type NamedMessage<All extends Patterns> = {
  readonly [Name in keyof All]: { readonly name: Name; readonly parameters: ReadParameters<All[Name]> };
}[keyof All];

const parameter = /\{([a-z]\w*)\}/g;

/** Returns the message. */
export const fill = <Pattern extends string>(pattern: Pattern, ...[parameters]: Filling<Pattern>): string =>
  parameters === undefined ? pattern : fillFrom(pattern, parameters);

/** Does the same with parameters by name, of which the caller knows that none is missing. */
export const fillFrom = (pattern: string, parameters: Readonly<Record<string, string | number>>): string =>
  pattern.replace(parameter, (_, name: string) => String(parameters[name]));

/** Returns the parameters of a message; undefined if it does not have this pattern. */
export function parametersIn<Pattern extends string>(
  pattern: Pattern,
  message: string,
): ReadParameters<Pattern> | undefined {
  const source = pattern
    .split(parameter)
    .map((part, index) => (index % 2 === 1 ? `(?<${part}>.*)` : part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')));
  const found = new RegExp(`^${source.join('')}$`, 's').exec(message);
  return found === null ? undefined : ({ ...found.groups } as ReadParameters<Pattern>);
}

/**
 * Returns a function that lists what a message can mean. If several patterns fit, the one with the most text of its own comes first: `must be
 * at most 3` is of `must be at most {limit}` rather than of `must be {types}`.
 */
export function messageReader<All extends Patterns>(patterns: All): (message: string) => readonly NamedMessage<All>[] {
  const ownText = ([, pattern]: readonly [string, string]): number => pattern.replace(parameter, '').length;
  const ordered = Object.entries(patterns).sort((one, other) => ownText(other) - ownText(one));
  return (message) =>
    ordered.flatMap(([name, pattern]) => {
      const parameters = parametersIn(pattern, message);
      return parameters === undefined ? [] : [{ name, parameters } as NamedMessage<All>];
    });
}
