/** A schema as a list of fields, with the permitted values of each in words. Only the schema itself is exact. */
import { isContainer, isRawNumber, type JsonValue, printJson } from '@holdfast/json';
import { choicesOf, descriptionOf, type Hint, namesOf, typesOf } from '../../fields/hints.ts';
import type { SchemaTexts } from '../../texts/schemas-en.ts';
import { cut } from '../../ui/plain-text.ts';
import type { FieldPath } from './field-path.ts';
import { mentionedKeywords } from './keywords.ts';
import { type FieldRules, readRules } from './read-rules.ts';

/** The permitted values of a field. */
export interface FieldRule {
  readonly path: FieldPath;
  readonly words: string;
  /** The author's own explanation. */
  readonly description: string | undefined;
  readonly rules: FieldRules;
}

/** A longer list is cut. */
export const rulesMax = 500;
const choicesShown = 8;
const literalCharactersMax = 40;

/** Returns the rules of a schema in its order. A field without a rule is left out, but not the fields in it. */
export function rulesInWords(s: SchemaTexts, schema: JsonValue, language: string): readonly FieldRule[] {
  const found: FieldRule[] = [];
  for (const rules of readRules(schema)) {
    const words = wordsOf(s, rules, language);
    if (words === '') continue;
    if (found.length >= rulesMax) break;
    const description = rules.isForbidden ? undefined : descriptionOf(rules.hint);
    found.push({ path: rules.path, words, description, rules });
  }
  return found;
}

/** Returns the rules of one field as the end of a sentence about it; empty if it has none. */
export function wordsOf(s: SchemaTexts, rules: FieldRules, language: string): string {
  const { hint, isRequired, isForbidden, isListed } = rules;
  if (isForbidden) return s.words.never;
  const parts = partsOf(s, hint, literalsIn(language));
  const isPlainGroup = parts.length === 1 && isOnlyGroup(hint) && namesOf(hint).length > 0;
  const said = isPlainGroup && !isRequired ? [] : parts;
  const [first, ...others] = said;
  if (first === undefined) {
    if (isRequired) return s.words.present;
    const isBare = namesOf(hint).length === 0 && hint.items === undefined;
    return isListed && isBare ? s.words.any : '';
  }
  const words = [first.alone, ...others.map(({ text }) => text)].join(', ');
  return capitalised(isRequired ? s.words.andPresent(words) : words);
}

/** Returns a text as the beginning of a sentence. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const isOnlyGroup = (hint: Hint): boolean => choicesOf(hint) === undefined && typesOf(hint).join() === 'object';

/** A part of the rules of a field: after others, and as the first one. */
interface Part {
  readonly text: string;
  readonly alone: string;
}

function partsOf(s: SchemaTexts, hint: Hint, literal: Literal): readonly Part[] {
  const w = s.words;
  const text = (name: string) => literal(hint[name]);
  const range = (least: string, most: string) => s.words.range(text(least), text(most));
  const rise = changeOf(text('x-increase-max'), w.rise);
  const fall = changeOf(text('x-decrease-max'), w.fall);
  const step = text('multipleOf');
  const parts: readonly (readonly [words: Words, (words: string) => string])[] = [
    [kindOf(s, hint, literal), said],
    [numbersOf(s, hint, literal), w.mustBe],
    [step && w.multipleOf(step), w.mustBe],
    [w.characters(range('minLength', 'maxLength')), w.mustHave],
    [typeof hint.pattern === 'string' && w.pattern(shortened(hint.pattern)), said],
    [w.entries(range('minItems', 'maxItems')), w.mustHave],
    [hint.uniqueItems === true && w.unique, said],
    [w.fields(range('minProperties', 'maxProperties')), w.mustHave],
    [hint.additionalProperties === false && w.closed, said],
    [hint['x-write'] === 'server' && w.serverOnly, said],
    [rise, said],
    [fall, said],
    [hint['x-append-only'] === true && w.appendOnly, said],
    [Object.keys(hint).some((name) => mentionedKeywords.has(name)) && w.further, said],
  ];
  return parts.flatMap(([words, alone]) => (words ? [{ text: words, alone: alone(words) }] : []));
}

type Words = string | false | undefined;

/** The text of a part that is the same in every position. */
const said = (words: string): string => words;

/** The allowed values or types, always the first part. */
function kindOf(s: SchemaTexts, hint: Hint, literal: Literal): string | undefined {
  const choices = choicesOf(hint);
  if (choices !== undefined) {
    const shown = choices.slice(0, choicesShown).map((one) => literal(one) ?? '');
    if (choices.length === 1) return s.words.always(shown[0] ?? '');
    return s.words.oneOf(shown.join(', '), choices.length - shown.length);
  }
  const types = typesOf(hint);
  const named = types.filter((one) => !(one === 'number' && types.includes('integer')));
  const names: Readonly<Record<string, string>> = s.words.ofType;
  return named.length === 0 ? undefined : s.words.mustBe(named.map((one) => names[one] ?? one).join(s.words.or));
}

function numbersOf(s: SchemaTexts, hint: Hint, literal: Literal): string {
  const bound = (name: string) => literal(hint[name]);
  const [above, below] = [bound('exclusiveMinimum'), bound('exclusiveMaximum')];
  const parts = [
    s.words.range(bound('minimum'), bound('maximum')),
    above && s.words.above(above),
    below && s.words.below(below),
  ];
  return parts.filter(Boolean).join(', ');
}

/** 0 forbids the change. */
const changeOf = (most: string | undefined, words: (most: string | undefined) => string) =>
  most === undefined ? undefined : words(most === '0' ? undefined : most);

/** A scalar in the reader's language; undefined for any other value. */
type Literal = (value: JsonValue | undefined) => string | undefined;

function literalsIn(language: string): Literal {
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 20 });
  return (value) => {
    if (value === undefined || (value !== null && isContainer(value))) return undefined;
    if (typeof value === 'number') return numbers.format(value);
    if (isRawNumber(value)) return printJson(value);
    return shortened(typeof value === 'string' ? value : printJson(value));
  };
}

const shortened = (text: string): string => cut(text, literalCharactersMax);
