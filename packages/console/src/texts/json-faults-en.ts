/** Why a text is not JSON, in English. */
import type { Widened } from './widened.ts';

export const texts = {
  empty: (_line: number, _text: string) => 'The document is empty. It begins with { and ends with }.',
  unclosed: (line: number, text: string) => `The ${text} in line ${line} is never closed`,
  commaAfterLine: (line: number, _text: string) => `Missing comma after line ${line}`,
  commaInLine: (line: number, text: string) => `Missing comma in line ${line}, before ${text}`,
  colon: (line: number, text: string) => `Missing colon after ${text} in line ${line}`,
  value: (line: number, _text: string) => `Missing value after the colon in line ${line}`,
  extraComma: (line: number, _text: string) => `Remove the comma in line ${line}: nothing follows it`,
  quote: (line: number, _text: string) => `The text in line ${line} has no closing quote`,
  escape: (line: number, _text: string) => `Line ${line} has an unknown escape after \\`,
  control: (line: number, _text: string) =>
    `Line ${line} has a tab or other control character in a text: write \\t instead`,
  singleQuotes: (line: number, _text: string) => `Use double quotes in line ${line}, not single ones`,
  bareName: (line: number, text: string) => `Put the name ${text} in line ${line} in double quotes`,
  word: (line: number, text: string) =>
    `${text} in line ${line} is not a value: use true, false, null or a text in double quotes`,
  number: (line: number, text: string) => `${text} in line ${line} is not a JSON number`,
  comment: (line: number, _text: string) => `Remove the comment in line ${line}: JSON allows none`,
  closer: (line: number, text: string) => `The ${text} in line ${line} has no opening bracket`,
  rest: (line: number, _text: string) => `The document ends before line ${line}: remove the rest`,
  unexpected: (line: number, text: string) => `Unexpected ${text} in line ${line}`,
  depth: (line: number, _text: string) => `Line ${line} is nested deeper than 256 levels`,
  notObject: (_line: number, _text: string) => 'The document must be an object in { }',
};

export type JsonFaultTexts = Widened<typeof texts>;
