/** What a verb is that is written once for both engines. */
import type { AccessChange } from '../access-changes.ts';
import type { QuotaLimits } from '../usage-store.ts';
import type { Steps } from './steps.ts';

/** What steps need beside the arguments of their verb. */
export interface Setting {
  /** What accounts may use that have no limits of their own. */
  readonly quotas: QuotaLimits;
}

type TakeSteps<Args extends readonly unknown[], Result> = (setting: Setting, ...args: Args) => Steps<Result>;

/** A verb that changes nothing. Each statement sees everything that was acknowledged before. */
export interface Read<Args extends readonly unknown[], Result> {
  readonly kind: 'read';
  readonly steps: TakeSteps<Args, Result>;
}

/** What a verb that writes does to caches, to other nodes and to files. */
export interface Effect<Args extends readonly unknown[], Result> {
  /** What it may take away. Without it, it takes nothing away: caches of what exists or is allowed stay correct then. */
  readonly takes?: (...args: Args) => AccessChange;
  /** The name of the record that it changes, where records are remembered (record-names.ts). */
  readonly changes?: (...args: Args) => string;
  /** Whether an outcome says that nothing has changed. Without it every outcome says that something has. */
  isWithoutEffect?(result: Result): boolean;
  /** `serializable` where no row can be held that concurrent calls hold too. Default: `read committed`. */
  readonly isolation?: 'serializable' | 'read committed';
  /** Whether what it deletes must leave the files too, as soon as that can be done. */
  readonly forgets?: boolean;
}

/** A verb that writes, all of its steps in one transaction. */
export interface Write<Args extends readonly unknown[], Result> extends Effect<Args, Result> {
  readonly kind: 'write';
  readonly steps: TakeSteps<Args, Result>;
}

/** Any verb; its arguments are those that its caller was made to give. */
export type Verb = Read<never, unknown> | Write<never, unknown>;

/** What one call of a verb does, whatever the verb is. */
export interface CallEffect {
  readonly takes: AccessChange | undefined;
  readonly changes: string | undefined;
  isWithoutEffect(result: unknown): boolean;
}

/** Returns what a call with these arguments does. */
export function effectOf(verb: Write<never, unknown>, args: readonly unknown[]): CallEffect {
  const { takes, changes, isWithoutEffect = () => false } = verb as unknown as Write<readonly unknown[], unknown>;
  return { takes: takes?.(...args), changes: changes?.(...args), isWithoutEffect };
}

/** Returns the steps of a call with these arguments. */
export function stepsOf(verb: Verb, setting: Setting, args: readonly unknown[]): Steps<unknown> {
  return (verb as unknown as Read<readonly unknown[], unknown>).steps(setting, ...args);
}

export const read = <Args extends readonly unknown[], Result>(steps: TakeSteps<Args, Result>): Read<Args, Result> => ({
  kind: 'read',
  steps,
});

export const write = <Args extends readonly unknown[], Result>(
  steps: TakeSteps<Args, Result>,
  effect: Effect<Args, Result> = {},
): Write<Args, Result> => ({ kind: 'write', steps, ...effect });
