/** The table of keywords that check something, in the order in which they are checked. */
import type { Check, CompiledSchema } from './compiled.ts';
import type { Keyword } from './keyword.ts';
import { arrayKeywords, unevaluatedItemKeywords } from './keywords/arrays.ts';
import { inPlaceKeywords } from './keywords/in-place.ts';
import { objectKeywords, unevaluatedMemberKeywords } from './keywords/objects.ts';
import { valueKeywords } from './keywords/values.ts';
import { type Holds, Run } from './run.ts';

/** Each with its vocabulary. Those that ask which parts others have looked at come last. */
const vocabularies = [
  ['validation', valueKeywords],
  ['applicator', objectKeywords],
  ['applicator', arrayKeywords],
  ['applicator', inPlaceKeywords],
  ['unevaluated', { ...unevaluatedMemberKeywords, ...unevaluatedItemKeywords }],
] as const;
/** These belong to the core, which every schema has. */
const coreKeywords = ['$ref', '$dynamicRef'];

type KeysOf<Table> = Table extends object ? keyof Table : never;
/** A keyword that checks something. */
export type KeywordName = KeysOf<(typeof vocabularies)[number][1]>;

interface Entry {
  readonly name: KeywordName;
  readonly keyword: Keyword;
  readonly vocabulary: string;
}

export const keywords: readonly Entry[] = vocabularies.flatMap(([vocabulary, ofVocabulary]) =>
  Object.entries(ofVocabulary).map(([name, keyword]: [string, Keyword]) => ({
    name: name as KeywordName,
    keyword,
    vocabulary: coreKeywords.includes(name) ? 'core' : vocabulary,
  })),
);

/** The check of the schema `false`, which no value passes. */
const never: Holds = (_, { location }, run) => run.violation('false', location, 'must not be there');
export const neverOperation = keywords.length;

const operations: readonly Holds[] = [...keywords.map(({ keyword }) => keyword.holds), never];

/** An evaluation of at most this many steps. */
export const newRun = (stepsMax?: number): Run => new Run(operations, stepsMax);

/** The check of a keyword in a compiled schema; undefined if it has none. The parameters are those made by the keyword's `read`. */
export function checkOf<Params extends object>(schema: CompiledSchema, name: KeywordName): Check<Params> | undefined {
  const operation = operationOf.get(name);
  return schema.checks.find((check) => check.operation === operation) as Check<Params> | undefined;
}

/** The number of a keyword in compiled schemas. */
export const operationOf: ReadonlyMap<string, number> = new Map(keywords.map(({ name }, index) => [name, index]));
