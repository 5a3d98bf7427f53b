/** Outcomes of changes, for waiting callers in this tab and stored for other tabs. */
import { HoldfastError, isHoldfastError } from '../errors.ts';

/** What became of some changes. */
export interface Outcome {
  /**
   * `refused`: by the service or the mutator. `unknown`: its response was lost more than a day ago, and the service no longer knows whether
   * it was applied. `discarded`: by {@link Queue.discard}. `unhandled`: this release of the application has no mutator of its name and
   * version. The change stays in {@link Queue.list}, and a release with the mutator sends it.
   */
  readonly outcome: 'applied' | 'refused' | 'unknown' | 'discarded' | 'unhandled';
  /** The version with the change. Changes that were sent together share it. */
  readonly version?: number | undefined;
  readonly error?: unknown;
}

/** A change that no longer waits, with its outcome. */
export interface Settled extends Outcome {
  /** Its number in the queue. */
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** The outcome of some changes, as stored for other tabs. */
export interface StoredOutcome {
  /** Numbers of the changes: the first and last of each range. */
  readonly ids: readonly (readonly [first: number, last: number])[];
  readonly outcome: Settled['outcome'];
  readonly version?: number | undefined;
  readonly error?: { readonly [name: string]: unknown; readonly message: string } | undefined;
}

/** The stored form of an outcome. */
export function storedOutcome(settled: readonly Settled[]): StoredOutcome | undefined {
  const [one] = settled;
  if (one === undefined) return undefined;
  const ids: [number, number][] = [];
  for (const { id } of settled) {
    const last = ids.at(-1);
    if (last?.[1] === id - 1) last[1] = id;
    else ids.push([id, id]);
  }
  const { outcome, version, error } = one;
  return {
    ids,
    outcome,
    version,
    error: error === undefined ? undefined : { ...Object(error), message: messageOf(error) },
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The stored error. */
export function errorIn({ error }: StoredOutcome): unknown {
  if (error === undefined) return undefined;
  const { code, message, ...details } = error;
  const made = new HoldfastError(code as 'invalid_state', message, details);
  return code !== undefined && isHoldfastError(made) ? made : new Error(message);
}
