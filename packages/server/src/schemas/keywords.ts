/** The table of keywords that check values, in the order in which they run. */
import { violationMessages } from '@holdfast/contract/messages';
import type { Check, CompiledSchema } from './compiled.ts';
import type { Keyword } from './keyword.ts';
import { arrayKeywords, unevaluatedItemKeywords } from './keywords/arrays.ts';
import { inPlaceKeywords } from './keywords/in-place.ts';
import { objectKeywords, unevaluatedMemberKeywords } from './keywords/objects.ts';
import { valueKeywords } from './keywords/values.ts';
import { type Holds, Run } from './run.ts';

/** The keywords of each vocabulary. Keywords that depend on what other keywords evaluated come last. */
const vocabularies = [
  ['validation', valueKeywords],
  ['applicator', objectKeywords],
  ['applicator', arrayKeywords],
  ['applicator', inPlaceKeywords],
  ['unevaluated', { ...unevaluatedMemberKeywords, ...unevaluatedItemKeywords }],
] as const;
/** Keywords of the core vocabulary, which every schema has. */
const coreKeywords = ['$ref', '$dynamicRef'];

type KeysOf<Table> = Table extends object ? keyof Table : never;
/** A keyword that checks values. */
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
const never: Holds = (_, { location }, run) => run.violation('false', location, violationMessages.false);
export const neverOperation = keywords.length;

const operations: readonly Holds[] = [...keywords.map(({ keyword }) => keyword.holds), never];

/** An evaluation of at most this many steps. */
export const newRun = (stepsMax?: number): Run => new Run(operations, stepsMax);

/**
 * The check of a keyword in a compiled schema; undefined if the schema lacks the keyword. The parameters come from the keyword's `read`.
 */
export function checkOf<Params extends object>(schema: CompiledSchema, name: KeywordName): Check<Params> | undefined {
  const operation = operationOf.get(name);
  return schema.checks.find((check) => check.operation === operation) as Check<Params> | undefined;
}

/** The index of each keyword in the table. */
export const operationOf: ReadonlyMap<string, number> = new Map(keywords.map(({ name }, index) => [name, index]));
