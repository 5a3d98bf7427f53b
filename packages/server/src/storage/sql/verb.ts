/** The parts of a shared verb: its steps, and its effects on caches, other nodes and files. */
import type { AccessChange } from '../caches/access-changes.ts';
import type { ReadKind, WriteKind } from '../contract/engine-verbs.ts';
import type { OwnerOf } from '../contract/read-owner.ts';
import type { RevokedToken } from '../contract/sign-ins.ts';
import type { QuotaLimits } from '../contract/usage.ts';
import type { Row } from '../rows/columns.ts';
import type { EngineSql } from './engine-sql.ts';
import { lockAccount } from './locks.ts';
import type { Steps } from './steps.ts';

/** The context of a verb's steps, in addition to its arguments. */
export interface Setting {
  /** Default limits, for accounts that have no limits of their own. */
  readonly quotas: QuotaLimits;
  readonly engine: EngineSql;
  /** The row of the account that the verb locks; undefined if there is none. */
  readonly account?: Row | undefined;
  /** Receives the tokens that the steps end, if they run on the thread that needs them. Only valid once the transaction is committed. */
  readonly reportRevoked?: (ended: readonly RevokedToken[]) => void;
}

type TakeSteps<Args extends readonly unknown[], Result> = (setting: Setting, ...args: Args) => Steps<Result>;

/** A verb that changes nothing. Each statement sees everything acknowledged before. */
export interface Read<Args extends readonly unknown[], Result> extends ReadKind<Args> {
  readonly steps: TakeSteps<Args, Result>;
  /** The name of the record that it reads, for caching. An undefined result is not cached. */
  readonly remembers?: (...args: Args) => string;
}

/** The effects of a writing verb on caches, other nodes and files. */
export interface Effect<Args extends readonly unknown[], Result> extends Omit<WriteKind, 'kind'> {
  /** Whose account it locks before its steps: over a network, its calls for one account wait for each other without a connection. */
  readonly locks?: OwnerOf<Args>;
  /** The access that it may remove. If omitted or undefined, no access is removed, so caches stay correct. */
  readonly invalidates?: (...args: Args) => AccessChange | undefined;
  /** The names of the cached records that it changes (record-names.ts). */
  readonly changes?: (...args: Args) => string | readonly string[];
  /** Changes by one process with the same name here are carried out in the order of the calls. If omitted, they run in any order. */
  readonly orderedBy?: (...args: Args) => string;
  /** The approximate number of characters in the arguments, if there may be many. */
  readonly charactersOf?: (...args: Args) => number;
  /** Whether an outcome means that nothing has changed. If omitted, none does. */
  isWithoutEffect?(result: Result): boolean;
  /**
   * `serializable` if concurrent calls share no row that could be locked. `statement` if each step is independent and no access is removed:
   * it then costs one round trip over a network, and no savepoint in the embedded engine. Default: `read committed`.
   */
  readonly isolation?: 'serializable' | 'read committed' | 'statement';
  /** Whether deleted data must also be removed from the files, as soon as possible. */
  readonly forgets?: boolean;
}

/** A verb that writes, all of its steps in one transaction unless its `isolation` says otherwise. */
export interface Write<Args extends readonly unknown[], Result> extends WriteKind, Effect<Args, Result> {
  readonly steps: TakeSteps<Args, Result>;
}

/** Any verb; `never` lets the caller's types decide its arguments. */
export type Verb = Read<never, unknown> | Write<never, unknown>;

/** The effects of one call of any verb. */
export interface CallEffect {
  readonly invalidates: AccessChange | undefined;
  readonly changes: readonly string[];
  readonly orderedBy: string | undefined;
  /** The account that it locks. */
  readonly locked: string | undefined;
  readonly characters: number;
  isWithoutEffect(result: unknown): boolean;
}

type AnyCall<V extends Verb> = V extends { readonly kind: 'write' }
  ? Write<readonly unknown[], unknown>
  : Read<readonly unknown[], unknown>;

/** Returns a verb for arguments of any type, which the caller's types have already checked. */
const anyCall = <V extends Verb>(verb: V) => verb as unknown as AnyCall<V>;

/** Returns the effects of a call with these arguments. */
export function effectOf(verb: Write<never, unknown>, args: readonly unknown[]): CallEffect {
  const { invalidates, changes, orderedBy, charactersOf, locks, isWithoutEffect = () => false } = anyCall(verb);
  return {
    invalidates: invalidates?.(...args),
    changes: [changes?.(...args) ?? []].flat(),
    orderedBy: orderedBy?.(...args),
    locked: locks?.(...args).account,
    characters: charactersOf?.(...args) ?? 0,
    isWithoutEffect,
  };
}

/** Returns the steps of a call with these arguments. Those of a write begin with the lock that it declares. */
export function stepsOf(verb: Verb, setting: Setting, args: readonly unknown[]): Steps<unknown> {
  if (verb.kind === 'read') return anyCall(verb).steps(setting, ...args);
  const { locks, steps } = anyCall(verb);
  return locks === undefined ? steps(setting, ...args) : withLock(locks(...args).account);

  function* withLock(accountId: string): Steps<unknown> {
    const account = yield* lockAccount(accountId);
    return yield* steps({ ...setting, account }, ...args);
  }
}

/** Returns the name of the record that a call with these arguments reads; undefined if it is not cached. */
export function nameOf(verb: Read<never, unknown>, args: readonly unknown[]): string | undefined {
  return anyCall(verb).remembers?.(...args);
}

/** The arguments of steps, after their setting. The effects of a verb are typed by its steps alone, with their optional arguments. */
export type ArgsOf<Take> = Take extends (setting: never, ...args: infer Args extends readonly unknown[]) => unknown
  ? Args
  : never;
type ResultOf<Take> = Take extends (...args: never) => Steps<infer Result> ? Result : never;
type AnySteps = (setting: Setting, ...args: never) => Steps<unknown>;

/** A verb that reads one record, or a few small ones, by key. */
export const smallRead = <Take extends AnySteps>(
  steps: Take,
  memory: Pick<Read<ArgsOf<Take>, ResultOf<Take>>, 'remembers'> = {},
): Read<ArgsOf<Take>, ResultOf<Take>> => ({ kind: 'read', steps: steps as never, ownerOf: undefined, ...memory });

/** A verb that reads many or large records, one portion at a time, when it is its owner's turn. */
export const largeRead = <Take extends AnySteps>(
  steps: Take,
  ownerOf: OwnerOf<ArgsOf<Take>>,
): Read<ArgsOf<Take>, ResultOf<Take>> & { readonly ownerOf: OwnerOf<ArgsOf<Take>> } => ({
  kind: 'read',
  steps: steps as never,
  ownerOf,
});

export const write = <Take extends AnySteps>(
  steps: Take,
  effect: Effect<ArgsOf<Take>, ResultOf<Take>> = {},
): Write<ArgsOf<Take>, ResultOf<Take>> => ({ kind: 'write', steps: steps as never, ...effect });
