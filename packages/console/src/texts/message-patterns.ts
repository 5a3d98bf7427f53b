/** Translations of the service's messages, by the patterns that the service fills. */
import {
  messageReader,
  type NamedMessage,
  type ParameterOf,
  type Patterns,
  type ReadParameters,
} from '@holdfast/contract/messages';

/** For each pattern a text, or a function of its parameters, which returns undefined for one that it does not know. */
type Translations<All extends Patterns> = {
  readonly [Name in keyof All]: [ParameterOf<All[Name]>] extends [never]
    ? string
    : (parameters: ReadParameters<All[Name]>) => string | undefined;
};

/** The translation of a message; undefined if a parameter has none. */
function translated<All extends Patterns>(
  translations: Translations<All>,
  { name, parameters }: NamedMessage<All>,
): string | undefined {
  const say: string | ((parameters: never) => string | undefined) = translations[name];
  return typeof say === 'string' ? say : say(parameters as never);
}

/** Returns a function that translates a message, or returns undefined if it has none of the patterns. */
export function translatorOf<All extends Patterns>(
  patterns: All,
  translations: Translations<All>,
): (message: string) => string | undefined {
  const read = messageReader(patterns);
  return (message) => {
    for (const meaning of read(message)) {
      const translation = translated(translations, meaning);
      if (translation !== undefined) return translation;
    }
    return undefined;
  };
}
