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

/** Returns the rules of one field; empty if it has none. */
export function wordsOf(s: SchemaTexts, rules: FieldRules, language: string): string {
  const { hint, isRequired, isForbidden, isListed } = rules;
  if (isForbidden) return s.words.never;
  const parts = partsOf(s, hint, literalsIn(language));
  const isPlainGroup = parts.length === 1 && parts[0] === s.words.types.object && namesOf(hint).length > 0;
  const words = [...parts, isRequired && s.words.required].filter((part) => part !== false);
  if (words.length > (isPlainGroup ? 1 : 0)) return words.join(', ');
  const isBare = words.length === 0 && namesOf(hint).length === 0 && hint.items === undefined;
  return isListed && isBare ? s.words.any : '';
}

function partsOf(s: SchemaTexts, hint: Hint, literal: Literal): readonly string[] {
  const w = s.words;
  const text = (name: string) => literal(hint[name]);
  const range = (least: string, most: string) => s.words.range(text(least), text(most));
  const parts = [
    kindOf(s, hint, literal),
    numbersOf(s, hint, literal),
    text('multipleOf') && w.multipleOf(text('multipleOf') ?? ''),
    w.characters(range('minLength', 'maxLength')),
    typeof hint.pattern === 'string' && w.pattern(shortened(hint.pattern)),
    w.entries(range('minItems', 'maxItems')),
    hint.uniqueItems === true && w.unique,
    w.fields(range('minProperties', 'maxProperties')),
    hint.additionalProperties === false && w.closed,
    hint['x-write'] === 'server' && w.serverOnly,
    changeOf(text('x-increase-max'), w.rise),
    changeOf(text('x-decrease-max'), w.fall),
    hint['x-append-only'] === true && w.appendOnly,
    Object.keys(hint).some((name) => mentionedKeywords.has(name)) && w.further,
  ];
  return parts.filter((part): part is string => typeof part === 'string' && part !== '');
}

function kindOf(s: SchemaTexts, hint: Hint, literal: Literal): string | undefined {
  const choices = choicesOf(hint);
  if (choices !== undefined) {
    const shown = choices.slice(0, choicesShown).map((one) => literal(one) ?? '');
    if (choices.length === 1) return s.words.always(shown[0] ?? '');
    return s.words.oneOf(shown.join(', '), choices.length - shown.length);
  }
  const types = typesOf(hint);
  const named = types.filter((one) => !(one === 'number' && types.includes('integer')));
  const names: Readonly<Record<string, string>> = s.words.types;
  return named.map((one) => names[one] ?? one).join(s.words.or) || undefined;
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
