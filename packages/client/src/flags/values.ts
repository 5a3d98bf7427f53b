/** Evaluated flags. @see docs/feature-flags.md */
import { objectIn } from '../errors.ts';

/** An evaluated flag. */
export interface Flag {
  readonly key: string;
  /** Absent if the program's default applies. */
  readonly value?: unknown;
  /** Name of the value; empty without a value. */
  readonly variant?: string;
  /** `STATIC`, `TARGETING_MATCH`, `DEFAULT` or `DISABLED`. */
  readonly reason?: string;
  readonly metadata?: Readonly<Record<string, string | number | boolean>>;
  /** `PARSE_ERROR` or `GENERAL` if the flag could not be evaluated. */
  readonly errorCode?: string;
  readonly errorDetails?: string;
}

/** All flags for a context. */
export interface FlagValues {
  readonly flags: ReadonlyMap<string, Flag>;
  /** Keys of the flags that changed since the last time. */
  readonly changed: readonly string[];
  /** Whether they come from the cache, or the service can no longer be reached. */
  readonly stale: boolean;
  /** Returns the value of a flag; `fallback` if it has no value of this type. */
  value(key: string, fallback: boolean): boolean;
  /** Returns the value of a flag; `fallback` if it has no value of this type. */
  value(key: string, fallback: number): number;
  /** Returns the value of a flag; `fallback` if it has no value of this type. */
  value(key: string, fallback: string): string;
  /** Returns the value of a flag; `fallback` if it has no value of this type. */
  value<Value extends object>(key: string, fallback: Value): Value;
}

export type FlagMap = FlagValues['flags'];

/** Parses the flags in a response; undefined if it has none. */
export function flagsIn(text: string): FlagMap | undefined {
  const { flags } = objectIn(text) ?? {};
  return Array.isArray(flags) ? new Map(flags.filter(isFlag).map((flag) => [flag.key, flag])) : undefined;
}

const isFlag = (given: unknown): given is Flag =>
  typeof given === 'object' && given !== null && 'key' in given && typeof given.key === 'string';

/** Flags for a listener, together with those that it received before. */
export function valuesOf(flags: FlagMap, before: FlagMap | undefined, stale: boolean): FlagValues {
  const keys = new Set([...(before?.keys() ?? []), ...flags.keys()]);
  return {
    flags,
    changed: [...keys].filter((key) => JSON.stringify(before?.get(key)) !== JSON.stringify(flags.get(key))),
    stale,
    value: <Value>(key: string, fallback: Value): Value => {
      const value = flags.get(key)?.value;
      return isLike(value, fallback) ? value : fallback;
    },
  };
}

/** Whether two values have the same OpenFeature type: boolean, number, string, or object. */
export const isLike = <Value>(value: unknown, other: Value): value is Value =>
  value !== undefined && value !== null && typeof value === typeof other;
