/**
 * The rules of a flag as rows: conditions, and who gets which variant. Reading and writing them again gives the same JSON: what rows cannot
 * express is kept as JSON, in the smallest part that contains it.
 *
 * @see https://flagd.dev/reference/flag-definitions/
 */
import { isJsonObject, isRawNumber, type JsonObject, type JsonValue } from '@holdfast/json';

/** Operators that compare an attribute with one value. */
export const scalarOperators = ['==', '!=', '===', '!==', '<', '<=', '>', '>='] as const;
/** Operators that compare an attribute with a text. */
export const textOperators = ['starts_with', 'ends_with', 'contains'] as const;
/** Operators that compare an attribute with a version. */
export const versionOperators = ['=', '!=', '<', '<=', '>=', '>', '^', '~'] as const;

export type Scalar = Exclude<JsonValue, readonly JsonValue[] | JsonObject>;

/** What an attribute has to fulfil. */
export type Test =
  | { readonly kind: 'scalar'; readonly operator: (typeof scalarOperators)[number]; readonly value: Scalar }
  | { readonly kind: 'text'; readonly operator: (typeof textOperators)[number]; readonly value: string }
  | { readonly kind: 'version'; readonly operator: (typeof versionOperators)[number]; readonly value: string }
  | { readonly kind: 'list'; readonly values: readonly Scalar[] }
  /** It is there, and neither false nor 0 nor empty. */
  | { readonly kind: 'set' };

/** How `!` is written: with its operand alone, or in a list. */
type Negation = 'plain' | 'listed';

export type Comparison =
  | {
      readonly kind: 'attribute';
      readonly attribute: string;
      readonly test: Test;
      readonly negation?: Negation | undefined;
    }
  /** A rule in `$evaluators`. */
  | { readonly kind: 'shared'; readonly name: string; readonly negation?: Negation | undefined }
  | { readonly kind: 'json'; readonly value: JsonValue };

export interface Condition {
  /** Undefined: a single comparison. */
  readonly join: 'and' | 'or' | undefined;
  readonly parts: readonly Comparison[];
}

export interface Share {
  readonly variant: string;
  /** Undefined counts as 1. */
  readonly weight: number | undefined;
}

/** Who gets which variant. */
export type Outcome =
  | { readonly kind: 'variant'; readonly name: string }
  /** The default of the flag. */
  | { readonly kind: 'default' }
  /** `by`: what decides the share; undefined for the player. */
  | { readonly kind: 'shares'; readonly by: JsonValue | undefined; readonly shares: readonly Share[] }
  | { readonly kind: 'json'; readonly value: JsonValue };

export interface Rule {
  readonly when: Condition;
  readonly result: Outcome;
}

export interface Targeting {
  /** The first rule that matches decides. */
  readonly rules: readonly Rule[];
  /** For everyone else. Undefined: the default of the flag. */
  readonly otherwise: Outcome | undefined;
  /** How it was written: the outcome alone, or something empty. */
  readonly written:
    | { readonly kind: 'rules' | 'outcome' }
    | { readonly kind: 'empty'; readonly value: JsonValue | undefined };
}

/** Returns the rules of `targeting`; undefined if the flag has none. */
export function readTargeting(value: JsonValue | undefined): Targeting {
  const isEmpty = value === undefined || value === null || (isJsonObject(value) && Object.keys(value).length === 0);
  if (isEmpty) return { rules: [], otherwise: undefined, written: { kind: 'empty', value } };
  const branches = operandOf(value, 'if');
  if (!Array.isArray(branches) || branches.length === 0) {
    return { rules: [], otherwise: readOutcome(value), written: { kind: 'outcome' } };
  }
  const count = Math.floor(branches.length / 2);
  const rules = Array.from({ length: count }, (_, at) => ({
    when: readCondition(branches[2 * at]),
    result: readOutcome(branches[2 * at + 1]),
  }));
  const otherwise = branches.length % 2 === 1 ? readOutcome(branches.at(-1)) : undefined;
  return { rules, otherwise, written: { kind: 'rules' } };
}

/** Returns `targeting` as JSON; undefined for none. */
export function writeTargeting({ rules, otherwise, written }: Targeting): JsonValue | undefined {
  if (rules.length === 0) {
    if (otherwise === undefined) return written.kind === 'empty' ? written.value : undefined;
    const outcome = writeOutcome(otherwise);
    // Targeting has to be an object, and a name alone is not one.
    const isAlone = written.kind === 'outcome' || (written.kind === 'empty' && isJsonObject(outcome));
    return isAlone ? outcome : { if: [outcome] };
  }
  const branches = rules.flatMap(({ when, result }) => [writeCondition(when), writeOutcome(result)]);
  return { if: otherwise === undefined ? branches : [...branches, writeOutcome(otherwise)] };
}

function readOutcome(value: JsonValue): Outcome {
  if (typeof value === 'string') return { kind: 'variant', name: value };
  if (value === null) return { kind: 'default' };
  const parts = operandOf(value, 'fractional');
  if (!Array.isArray(parts)) return { kind: 'json', value };
  const [first] = parts;
  const by = first === undefined || Array.isArray(first) ? undefined : first;
  const shares = (by === undefined ? parts : parts.slice(1)).map(readShare);
  return shares.length > 0 && shares.every((share) => share !== undefined)
    ? { kind: 'shares', by, shares }
    : { kind: 'json', value };
}

function readShare(value: JsonValue): Share | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > 2) return undefined;
  const [variant, weight] = value;
  const isWeight =
    weight === undefined || (typeof weight === 'number' && Number.isSafeInteger(weight) && !Object.is(weight, -0));
  return typeof variant === 'string' && isWeight ? { variant, weight } : undefined;
}

function writeOutcome(outcome: Outcome): JsonValue {
  switch (outcome.kind) {
    case 'variant':
      return outcome.name;
    case 'default':
      return null;
    case 'json':
      return outcome.value;
    case 'shares': {
      const shares = outcome.shares.map(({ variant, weight }) => (weight === undefined ? [variant] : [variant, weight]));
      return { fractional: outcome.by === undefined ? shares : [outcome.by, ...shares] };
    }
  }
}

function readCondition(value: JsonValue): Condition {
  for (const join of ['and', 'or'] as const) {
    const parts = operandOf(value, join);
    if (Array.isArray(parts) && parts.length > 0) return { join, parts: parts.map(readComparison) };
  }
  return { join: undefined, parts: [readComparison(value)] };
}

function writeCondition({ join, parts }: Condition): JsonValue {
  const [first] = parts;
  return join === undefined && first !== undefined
    ? writeComparison(first)
    : { [join ?? 'and']: parts.map(writeComparison) };
}

function readComparison(value: JsonValue): Comparison {
  const plain = readPositive(value);
  if (plain !== undefined) return plain;
  const negated = operandOf(value, '!');
  if (negated !== undefined) {
    const isListed = Array.isArray(negated) && negated.length === 1;
    const inner = readPositive(isListed ? negated[0] : negated);
    if (inner !== undefined) return { ...inner, negation: isListed ? 'listed' : 'plain' };
  }
  return { kind: 'json', value };
}

function readPositive(value: JsonValue): Exclude<Comparison, { kind: 'json' }> | undefined {
  const shared = operandOf(value, '$ref');
  if (typeof shared === 'string') return { kind: 'shared', name: shared };
  const alone = attributeOf(value);
  if (alone !== undefined) return { kind: 'attribute', attribute: alone, test: { kind: 'set' } };
  if (!isJsonObject(value)) return undefined;
  const [[operator, operands] = ['', null], ...others] = Object.entries(value);
  if (others.length > 0 || !Array.isArray(operands)) return undefined;
  const found = readTest(operator, operands);
  return found && { kind: 'attribute', ...found };
}

function readTest(operator: string, operands: readonly JsonValue[]): { attribute: string; test: Test } | undefined {
  const [first = null, second = null, third] = operands;
  const attribute = attributeOf(first);
  if (operator === 'sem_ver' && operands.length === 3) {
    const comparison = versionOperators.find((one) => one === second);
    if (attribute === undefined || comparison === undefined || typeof third !== 'string') return undefined;
    return { attribute, test: { kind: 'version', operator: comparison, value: third } };
  }
  if (operands.length !== 2) return undefined;
  if (operator === 'in') {
    const whole = attributeOf(second);
    if (typeof first === 'string' && whole !== undefined) {
      return { attribute: whole, test: { kind: 'text', operator: 'contains', value: first } };
    }
    if (attribute === undefined || !Array.isArray(second) || !second.every(isScalar)) return undefined;
    return { attribute, test: { kind: 'list', values: second } };
  }
  if (attribute === undefined) return undefined;
  const ofText = textOperators.find((one) => one === operator && one !== 'contains');
  if (ofText !== undefined) {
    return typeof second === 'string' ? { attribute, test: { kind: 'text', operator: ofText, value: second } } : undefined;
  }
  const ofScalar = scalarOperators.find((one) => one === operator);
  return ofScalar && isScalar(second)
    ? { attribute, test: { kind: 'scalar', operator: ofScalar, value: second } }
    : undefined;
}

function writeComparison(comparison: Comparison): JsonValue {
  if (comparison.kind === 'json') return comparison.value;
  const positive = comparison.kind === 'shared' ? { $ref: comparison.name } : writeTest(comparison);
  if (comparison.negation === undefined) return positive;
  return { '!': comparison.negation === 'listed' ? [positive] : positive };
}

function writeTest({ attribute, test }: { readonly attribute: string; readonly test: Test }): JsonObject {
  const variable = { var: attribute };
  switch (test.kind) {
    case 'set':
      return variable;
    case 'list':
      return { in: [variable, test.values] };
    case 'version':
      return { sem_ver: [variable, test.operator, test.value] };
    case 'text':
      return test.operator === 'contains' ? { in: [test.value, variable] } : { [test.operator]: [variable, test.value] };
    case 'scalar':
      return { [test.operator]: [variable, test.value] };
  }
}

/** The operand of a rule with only this operator. */
function operandOf(value: JsonValue, operator: string): JsonValue | undefined {
  if (!isJsonObject(value) || Object.keys(value).length !== 1 || !Object.hasOwn(value, operator)) return undefined;
  return value[operator];
}

/** The attribute that a rule reads without a default. */
function attributeOf(value: JsonValue): string | undefined {
  const name = operandOf(value, 'var');
  return typeof name === 'string' && name !== '' ? name : undefined;
}

const isScalar = (value: JsonValue): value is Scalar => typeof value !== 'object' || value === null || isRawNumber(value);
