/**
 * Translations of the service's messages. A message is a pattern with parameters, such as `must be at most {limit}`; its translation names the
 * same parameters.
 */
export interface MessagePatterns {
  /** Translations by keyword, then by pattern. The first pattern that fits counts. */
  readonly byKeyword: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Patterns for every other keyword and message. */
  readonly others: Readonly<Record<string, string>>;
  /** Translations of parameters by name. If a parameter has no translation, neither has the message. */
  readonly parameters: Readonly<Record<string, (value: string) => string | undefined>>;
}

type Translate = (keyword: string, message: string) => string | undefined;

/** Returns a function that translates a message, or returns undefined if no pattern fits. */
export function translatorOf({ byKeyword, others, parameters }: MessagePatterns): Translate {
  const valueIn = (name: string, value: string): string | undefined =>
    Object.hasOwn(parameters, name) ? parameters[name]?.(value) : value;
  return (keyword, message) => {
    const ofKeyword = Object.hasOwn(byKeyword, keyword) ? Object.entries(byKeyword[keyword] ?? {}) : [];
    for (const [pattern, translation] of [...ofKeyword, ...Object.entries(others)]) {
      const values = parametersIn(pattern, message);
      if (values === undefined) continue;
      const translated = Object.entries(values).map(([name, value]) => [name, valueIn(name, value)] as const);
      if (translated.some(([, value]) => value === undefined)) continue;
      const byName = Object.fromEntries(translated);
      return translation.replaceAll(/\{(\w+)\}/g, (_, name: string) => byName[name] ?? '');
    }
    return undefined;
  };
}

/** The parameters of a message by name; undefined if the message does not have this pattern. */
function parametersIn(pattern: string, message: string): Readonly<Record<string, string>> | undefined {
  const words = pattern
    .split(/(\{\w+\})/)
    .map((part) => (/^\{\w+\}$/.test(part) ? `(?<${part.slice(1, -1)}>.+)` : escaped(part)));
  return new RegExp(`^${words.join('')}$`, 's').exec(message)?.groups ?? (pattern === message ? {} : undefined);
}

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
