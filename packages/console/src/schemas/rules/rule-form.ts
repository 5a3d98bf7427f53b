/** The rules of one field as somebody fills them in, and their keywords. */
import { isRawNumber, type JsonObject, type JsonValue, printJson } from '@holdfast/json';
import { choicesOf, type Hint } from '../../fields/hints.ts';
import { isInteger, isNumber, numberOf } from '../../fields/values.ts';
import { silentKeywords } from './keywords.ts';

export const valueKinds = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;
export type ValueKind = (typeof valueKinds)[number];

/** The keywords that hold one number, by the kind of value that they bound. */
const boundsByKind = {
  number: ['minimum', 'maximum'],
  string: ['minLength', 'maxLength'],
  array: ['minItems', 'maxItems'],
} as const;
export type BoundedKind = keyof typeof boundsByKind;
export type Bound = (typeof boundsByKind)[BoundedKind][number];
export const boundsOf = (kind: BoundedKind): readonly [Bound, Bound] => boundsByKind[kind];
const bounds = Object.values(boundsByKind).flat();

export interface RuleForm {
  /** `other`: several kinds, which only the JSON can change. */
  readonly kind: ValueKind | 'any' | 'other';
  readonly isRequired: boolean;
  /** As typed; empty without one. */
  readonly bounds: Readonly<Record<Bound, string>>;
  /** One value in each line; empty if any value is allowed. */
  readonly choices: string;
  readonly pattern: string;
  /** Whether no other fields are allowed. */
  readonly isClosed: boolean;
  /** Whether players may not change it. */
  readonly isServerOnly: boolean;
}

/** Returns the rules of a field that a form can show. */
export function formOf(hint: Hint, isRequired: boolean): RuleForm {
  const boundOf = (name: Bound) => [name, hasBound(hint, name) ? printJson(hint[name] ?? null) : ''] as const;
  return {
    kind: hint.type === undefined ? 'any' : (kindOf(hint) ?? 'other'),
    isRequired,
    bounds: Object.fromEntries(bounds.map(boundOf)) as RuleForm['bounds'],
    choices: (lineChoices(hint) ?? []).map(choiceText).join('\n'),
    pattern: typeof hint.pattern === 'string' ? hint.pattern : '',
    isClosed: hint.additionalProperties === false,
    isServerOnly: hint['x-write'] === 'server',
  };
}

/** Returns the keywords of a field's schema that a form cannot show. */
export const furtherKeywords = (own: JsonObject): readonly string[] =>
  Object.keys(own).filter((name) => !silentKeywords.has(name) && !isShown(own, name));

function isShown(own: JsonObject, name: string): boolean {
  if (name === 'type') return kindOf(own) !== undefined;
  if (name === 'enum' || name === 'const') return lineChoices(own) !== undefined;
  if (name === 'pattern') return typeof own.pattern === 'string';
  if (name === 'x-write') return own['x-write'] === 'server';
  return bounds.some((bound) => bound === name && hasBound(own, bound));
}

const kindOf = ({ type }: Hint): ValueKind | undefined => valueKinds.find((one) => one === type);
const hasBound = (hint: Hint, name: Bound): boolean => {
  const value = hint[name];
  return typeof value === 'number' || (value !== undefined && isRawNumber(value));
};

/** Whether each choice can be a line of text. */
function lineChoices(hint: Hint): readonly JsonValue[] | undefined {
  if (hint.enum !== undefined && hint.const !== undefined) return undefined;
  const choices = choicesOf(hint);
  return choices?.every((one) => typeof one !== 'string' || /^\S(?:.*\S)?$/.test(one)) ? choices : undefined;
}

export const choiceText = (choice: JsonValue): string => (typeof choice === 'string' ? choice : printJson(choice));
const linesOf = (text: string): readonly string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

/** Returns the schema of a field with the changes between two forms. Other keywords keep their values and positions. */
export function withForm(own: JsonObject, before: RuleForm, after: RuleForm): JsonObject {
  const set: Record<string, JsonValue | undefined> = {};
  if (after.kind !== before.kind) set.type = after.kind === 'any' || after.kind === 'other' ? undefined : after.kind;
  for (const name of bounds) {
    if (after.bounds[name].trim() !== before.bounds[name]) set[name] = numberOf(after.bounds[name]);
  }
  if (after.choices !== before.choices || (after.kind !== before.kind && after.choices !== '')) {
    const choices = linesOf(after.choices).map((line) => choiceOf(line, own, after.kind));
    set.const = undefined;
    set.enum = choices.length === 0 ? undefined : choices;
  }
  if (after.pattern !== before.pattern) set.pattern = after.pattern === '' ? undefined : after.pattern;
  if (after.isClosed !== before.isClosed) set.additionalProperties = after.isClosed ? false : undefined;
  if (after.isServerOnly !== before.isServerOnly) set['x-write'] = after.isServerOnly ? 'server' : undefined;
  const kept = Object.entries(own).map(([name, value]) => [name, Object.hasOwn(set, name) ? set[name] : value] as const);
  const added = Object.entries(set).filter(([name]) => !Object.hasOwn(own, name));
  return Object.fromEntries([...kept, ...added].filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

/** A line that was there keeps its value, such as a number among texts. */
function choiceOf(line: string, own: JsonObject, kind: RuleForm['kind']): JsonValue {
  const known = choicesOf(own) ?? [];
  const same = known.find((one) => choiceText(one) === line && isOfKind(one, kind));
  if (same !== undefined) return same;
  const isOfNumbers = bounded(kind) === 'number' || (kind !== 'string' && known.length > 0 && known.every(isNumber));
  return (isOfNumbers ? numberOf(line) : undefined) ?? line;
}

function isOfKind(choice: JsonValue, kind: RuleForm['kind']): boolean {
  if (kind === 'string') return typeof choice === 'string';
  return bounded(kind) === 'number' ? isNumber(choice) : true;
}

/** Why a form cannot be applied: `number`, `count` and `whole` say what a text must be, `order` that the least is above the most. */
export type RuleFault = 'number' | 'count' | 'whole' | 'order' | 'pattern';
export type RuleFaults = Readonly<Partial<Record<Bound | 'choices' | 'pattern', RuleFault>>>;

/** Returns the faults of a form; none if it can be applied. */
export function faultsOf({ kind, bounds: typed, choices, pattern }: RuleForm): RuleFaults {
  const faults: { -readonly [Name in keyof RuleFaults]: RuleFaults[Name] } = {};
  for (const of of ['number', 'string', 'array'] as const) {
    const [least, most] = boundsOf(of);
    for (const name of [least, most]) {
      if (typed[name].trim() !== '' && !isBound(typed[name], of)) faults[name] = of === 'number' ? 'number' : 'count';
    }
    const isReversed = Number(numberOf(typed[least]) ?? Number.NaN) > Number(numberOf(typed[most]) ?? Number.NaN);
    if (isReversed && faults[least] === undefined && faults[most] === undefined) faults[most] = 'order';
  }
  if (kind === 'number' && linesOf(choices).some((line) => numberOf(line) === undefined)) faults.choices = 'number';
  if (kind === 'integer' && linesOf(choices).some((line) => !isInteger(numberOf(line)))) faults.choices = 'whole';
  if (pattern !== '' && !isPattern(pattern)) faults.pattern = 'pattern';
  return faults;
}

function isBound(text: string, of: BoundedKind): boolean {
  const value = numberOf(text);
  return value !== undefined && (of === 'number' || (typeof value === 'number' && isInteger(value) && value >= 0));
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Returns a form for another kind of value: what cannot bound that is emptied. */
export function withKind(form: RuleForm, kind: RuleForm['kind']): RuleForm {
  const kept = (name: Bound, of: BoundedKind) => (bounded(kind) === of || kind === 'any' ? form.bounds[name] : '');
  const ofKinds = (['number', 'string', 'array'] as const).flatMap((of) =>
    boundsOf(of).map((name) => [name, kept(name, of)]),
  );
  return {
    ...form,
    kind,
    bounds: Object.fromEntries(ofKinds) as RuleForm['bounds'],
    choices: ['boolean', 'array', 'object'].includes(kind) ? '' : form.choices,
    pattern: kind === 'string' || kind === 'any' ? form.pattern : '',
    isClosed: (kind === 'object' || kind === 'any') && form.isClosed,
  };
}

/** Returns the kind of bounds that values of a kind can have. */
export function bounded(kind: RuleForm['kind']): BoundedKind | undefined {
  if (kind === 'integer' || kind === 'number') return 'number';
  return kind === 'string' || kind === 'array' ? kind : undefined;
}
