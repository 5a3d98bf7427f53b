/**
 * The operators that flagd adds to JsonLogic. Unsuitable arguments give null, so that the flag has its default.
 *
 * @see https://flagd.dev/reference/specifications/custom-operations/fractional-operation-spec/
 */
import MurmurHash3 from 'imurmurhash';
import { coerce, compare, parse, type SemVer } from 'semver';
import type { Operator } from './operators.ts';
import type { Scope } from './scope.ts';
import { concatenated, toText } from './values.ts';

/** Characters at the edge of a string that are compared for one step. */
const comparedCharactersOfStep = 16;
/** Steps of reading a version, and how many of its characters cost one more. */
const stepsOfVersion = 16;
const versionCharactersOfStep = 4;

const ofTexts =
  (holds: (text: string, part: string) => boolean): Operator =>
  (values, { evaluation: { budget } }) => {
    const [text, part] = values;
    if (values.length !== 2 || typeof text !== 'string' || typeof part !== 'string') return null;
    budget.steps(part.length / comparedCharactersOfStep);
    return holds(text, part);
  };

/** No version is longer. */
const versionCharactersMax = 256;

/** A version, with or without `v` before it; `1` and `1.2` stand for `1.0.0` and `1.2.0`. */
function versionOf(value: unknown, { evaluation: { budget } }: Scope): SemVer | null {
  if (typeof value === 'string' && value.length > versionCharactersMax) return null;
  if (typeof value === 'object' && value !== null) return null;
  const text = toText(value, budget).replace(/^v/i, '');
  budget.steps(stepsOfVersion + text.length / versionCharactersOfStep);
  return parse(text) ?? (/^\d+(\.\d+)?$/.test(text) ? coerce(text) : null);
}

const comparisons: Readonly<Record<string, (order: number, one: SemVer, other: SemVer) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
  '>': (order) => order > 0,
  '^': (_, one, other) => one.major === other.major,
  '~': (_, one, other) => one.major === other.major && one.minor === other.minor,
};

const compareVersions: Operator = (values, scope) => {
  if (values.length !== 3) return null;
  const [first, operator, second] = values;
  const one = versionOf(first, scope);
  const other = versionOf(second, scope);
  if (one === null || other === null || typeof operator !== 'string' || !Object.hasOwn(comparisons, operator)) return null;
  return comparisons[operator]?.(compare(one, other), one, other);
};

interface Bucket {
  readonly variant: string | number | boolean | null;
  readonly weight: number;
}

const weightMax = 2 ** 31 - 1;

const fractional: Operator = (values, { evaluation: { budget, flagKey, context } }) => {
  budget.steps(values.length);
  const [first] = values;
  const { targetingKey } = context;
  if (values.length === 0 || (typeof first !== 'string' && !targetingKey)) return null;
  const subject = typeof first === 'string' ? first : concatenated([flagKey, toText(targetingKey, budget)], budget);
  const buckets = (typeof first === 'string' ? values.slice(1) : values).map(bucketOf);
  if (!buckets.every((bucket) => bucket !== undefined)) return null;
  const total = buckets.reduce((sum, { weight }) => sum + weight, 0);
  if (total > weightMax) return null;
  budget.steps(subject.length / 8);
  const place = (BigInt(new MurmurHash3(subject).result() >>> 0) * BigInt(total)) >> 32n;
  let end = 0;
  for (const { variant, weight } of buckets) {
    end += weight;
    if (end > place) return variant;
  }
  return null;
};

/** `[variant]` has the weight 1; a weight below 0 counts as 0. Undefined: not a bucket. */
function bucketOf(value: unknown): Bucket | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > 2) return undefined;
  const [variant = null, weight = 1] = value;
  if (typeof variant === 'object' && variant !== null) return undefined;
  return Number.isInteger(weight) ? { variant, weight: Math.max(0, weight) } : undefined;
}

/** flagd's operators, which take a list of values. */
export const flagdOperators: Readonly<Record<string, Operator>> = {
  starts_with: ofTexts((text, part) => text.startsWith(part)),
  ends_with: ofTexts((text, part) => text.endsWith(part)),
  sem_ver: compareVersions,
  fractional,
};
