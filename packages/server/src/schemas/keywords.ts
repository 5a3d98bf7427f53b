/** The table of keywords that check values, in the order in which they run. */
import { violationMessages } from '@holdfast/contract/messages';
import type { Check, CompiledSchema } from './compiled.ts';
import type { Keyword, KeywordNature } from './keyword.ts';
import { arrayKeywords, unevaluatedItemKeywords } from './keywords/arrays.ts';
import { inPlaceKeywords, referenceKeywords } from './keywords/in-place.ts';
import { objectKeywords, unevaluatedMemberKeywords } from './keywords/objects.ts';
import { valueKeywords } from './keywords/values.ts';
import { type Holds, Run } from './run.ts';

/** The keywords of each vocabulary. Keywords that depend on what other keywords evaluated come last. */
const vocabularies = [
  ['validation', valueKeywords],
  ['applicator', objectKeywords],
  ['applicator', arrayKeywords],
  ['core', referenceKeywords],
  ['applicator', inPlaceKeywords],
  ['unevaluated', { ...unevaluatedMemberKeywords, ...unevaluatedItemKeywords }],
] as const;
const plain = (names: string) => names.split(' ').map((name): [string, KeywordNature] => [name, {}]);
/** Keywords that check nothing themselves. `then` and `else` are part of `if`. */
const annotations: readonly [string, KeywordNature][] = [
  ...plain('$schema $id $anchor $dynamicAnchor'),
  ['$defs', { subschemas: 'members', isDefinition: true }],
  ...plain('$comment $vocabulary title description default deprecated readOnly writeOnly examples'),
  ...plain('format contentEncoding contentMediaType'),
  ['contentSchema', { subschemas: 'one' }],
  ['then', { subschemas: 'one', isInPlace: true }],
  ['else', { subschemas: 'one', isInPlace: true }],
  ...plain('definitions'),
];

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
    vocabulary,
  })),
);

/** The natures of all keywords of the draft. */
export const natures: ReadonlyMap<string, KeywordNature> = new Map([
  ...keywords.map(({ name, keyword }): [string, KeywordNature] => [name, keyword]),
  ...annotations,
]);

/** The index of each keyword in the table. */
const operationOf: ReadonlyMap<string, number> = new Map(keywords.map(({ name }, index) => [name, index]));

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
