/** Merges a guest whose identity was in use into the existing player. */
import { errorOf, HoldfastError, isHoldfastError, isRefusal, objectIn } from '../errors.ts';
import { parseExact, plainOf, printExact } from '../exact.ts';
import { tellAll } from '../listeners.ts';
import { runtime } from '../runtime.ts';
import { settleDocument } from '../settle.ts';
import type { GuardedStorage } from '../storage.ts';
import { attemptOnce, type Call } from '../transport.ts';
import type { GuestAuth, GuestProver } from './guest.ts';
import { randomText } from './pkce.ts';
import { isRetired } from './retired.ts';
import type { SignInAuth } from './sign-in.ts';

/** A stored save. */
export interface Save<State = unknown> {
  readonly version: number;
  readonly state: State;
}

/** The outcome of a merge: the guest's identity already had a player. */
export interface Merged {
  readonly guest: Save;
  /** Null when that player had no save. */
  readonly existing: Save | null;
  /** The save after the merge. */
  readonly state: unknown;
}

/** A merge that was refused, or whose function failed. Nothing has changed. */
export interface MergeFailure {
  readonly error: unknown;
  /** Null if unknown. */
  readonly guest: Save | null;
  /** Null if that player has no save. */
  readonly existing: Save | null;
  /** The refused save; undefined if none was sent. */
  readonly state: unknown;
}

/** Returns the save to continue with. */
export type MergeSaves = (guest: unknown, existing: unknown) => unknown;

export interface MergeOptions {
  /** The address of the project. */
  readonly path: string;
  readonly environment: string;
  readonly fetch: typeof fetch;
  readonly storage: GuardedStorage;
  /** The storage name of a merge that has begun. */
  readonly name: string;
  readonly guest: GuestAuth;
  readonly prover: GuestProver;
  readonly signIn: SignInAuth;
  readonly merge: MergeSaves | undefined;
  readonly onMerged: ((merged: Merged) => void) | undefined;
  readonly onMergeFailed: ((failure: MergeFailure) => void) | undefined;
}

/** A save with the exact text of its state. */
interface Read {
  readonly version: number;
  readonly text: string;
}

/** Stored before it is sent, so that a merge continues with the same key after a tab was killed. */
interface Prepared {
  readonly key: string;
  readonly state: string;
  readonly guest: Read;
  readonly existing: Read | null;
}

/** Saves that both sides keep writing may have to be read again. */
const roundsMax = 8;

/** Sends requests about the saves. */
function requester({ fetch, path, environment }: MergeOptions) {
  const { signal } = new AbortController();

  async function request(token: string, suffix: string, call: Pick<Call, 'method' | 'headers' | 'body'>): Promise<string> {
    const received = await attemptOnce(fetch, path + suffix, { ...call, signal, deadline: Infinity }, `Bearer ${token}`);
    if (received instanceof HoldfastError) throw received;
    if (received.status >= 300) throw errorOf(received);
    return received.text;
  }

  async function read(token: string): Promise<Read | null> {
    const text = await request(token, `/user-state/${environment}`, { method: 'GET' });
    if (text === '') return null;
    const { version, state } = parseExact(text) as unknown as Save;
    return { version, text: printExact(state) };
  }
  return { request, read };
}

/** The known facts about a merge, in case it fails. */
interface Attempt {
  guest?: Read;
  existing?: Read | null;
  state?: string;
}

/** Reads both saves, calls the game's merge function, and stores the request. Null if the guest has no save. */
async function prepareMerge(
  { storage, name, guest, signIn }: MergeOptions,
  read: (token: string) => Promise<Read | null>,
  merge: MergeSaves | undefined,
  attempt: Attempt,
): Promise<Prepared | null> {
  const theirs = await read(await guest.accessToken());
  if (theirs === null) return null;
  attempt.guest = theirs;
  const existing = await read(await signIn.accessToken());
  attempt.existing = existing;
  const state =
    existing !== null && merge !== undefined ? await mergedText(merge, theirs, existing) : (existing ?? theirs).text;
  attempt.state = state;
  const prepared = { key: randomText(), state, guest: theirs, existing };
  await storage.set(name, JSON.stringify(prepared));
  return prepared;
}

/** The text of the save that the game's merge function returns. Numbers that it takes from one of the saves keep their digits. */
async function mergedText(merge: MergeSaves, theirs: Read, existing: Read): Promise<string> {
  const [guest, stored] = [parseExact(theirs.text), parseExact(existing.text)];
  const returned = await merge(plainOf(guest), plainOf(stored));
  return printExact(settleDocument(returned, { origin: { stored }, document: [guest, stored] }));
}

/** Whether the service refused a merge for its content, so that repeating it is useless. */
const isRefused = (failure: unknown): boolean =>
  isRefusal(failure) && isHoldfastError(failure) && failure.status < 500 && failure.status !== 429;

/** Whether the game must learn of a failure. After any other, the next page tries again. */
const isFinal = (failure: unknown): boolean =>
  !isHoldfastError(failure) || failure.code === 'invalid_state' || failure.code === 'inexact_number' || isRefused(failure);

/** Returns a function that sends a merge. It resolves with whether the merge was applied, now or before; false if one of the saves has changed. */
function sender({ prover, signIn }: MergeOptions, { request }: ReturnType<typeof requester>) {
  return async ({ key, state, guest: theirs, existing }: Prepared): Promise<boolean> => {
    const merge_into = signIn.user?.id;
    const versions = `"ifVersion":${existing?.version ?? null},"fromVersion":${theirs.version}`;
    try {
      await prover.refreshNonce();
      await prover.prove({ merge_into }, async (assertion) => {
        const body = `{"guestAssertion":"${assertion}","state":${state},${versions}}`;
        await request(await signIn.accessToken(), '/me/merge', {
          method: 'POST',
          body,
          headers: { 'Idempotency-Key': key },
        });
      });
      return true;
    } catch (failure) {
      if (isRetired(failure)) return true;
      if (!isHoldfastError(failure, 'version_conflict')) throw failure;
      return failure.appliedVersion !== undefined;
    }
  };
}

/** Calls `onMergeFailed`, or reports the error. */
function tellFailure({ onMergeFailed }: MergeOptions, attempt: Attempt, error: unknown): void {
  if (!isFinal(error)) return;
  if (onMergeFailed === undefined) {
    if (runtime.reportError === undefined) console.error(error);
    else runtime.reportError(error);
    return;
  }
  const { guest: theirs, existing, state } = attempt;
  const saves = { guest: theirs ? saveOf(theirs) : null, existing: existing ? saveOf(existing) : null };
  tellAll([onMergeFailed], { error, ...saves, state: state && JSON.parse(state) });
}

/** Forgets the merge and the key: the next guest on this device is another player. */
async function end({ prover, storage, name }: MergeOptions): Promise<void> {
  await prover.forget();
  await storage.delete(name);
}

/** Finishes a merge if one has begun; null if there is nothing to merge. */
export interface Merger {
  /** Rejects if the merge fails. */
  finish(merge?: MergeSaves): Promise<Merged | null>;
  /** The same, but `onMergeFailed` is called if the merge fails for good, and nothing is thrown. */
  start(): Promise<void>;
}

/** Returns the means to finish a merge. */
export function merger(options: MergeOptions): Merger {
  const { storage, name, prover } = options;
  const requests = requester(options);
  const send = sender(options, requests);
  let running: Promise<Merged | null> | undefined;
  let attempt: Attempt = {};

  async function run(merge: MergeSaves | undefined): Promise<Merged | null> {
    attempt = {};
    const text = await storage.get(name);
    let prepared = objectIn(text ?? '') as unknown as Partial<Prepared> | undefined;
    for (let round = 1; prepared !== undefined; round++) {
      if (round > roundsMax) throw new HoldfastError('version_conflict', 'cannot merge the saves: they keep changing');
      if (!(await prover.keys.exists())) break; // it was finished, except for the record that it has begun
      const isNew = prepared.key === undefined;
      const complete: Prepared | null = isNew
        ? await prepareMerge(options, requests.read, merge, attempt).catch(nullIfRetired)
        : (prepared as Prepared);
      if (complete === null) break;
      const refusal = await send(complete).then(
        (isDone) => (isDone ? null : undefined),
        (failure: unknown) => {
          if (isRefused(failure)) return failure;
          throw failure;
        },
      );
      if (refusal === null) return conclude(complete);
      // The saves are read and merged again: now, or by the next page if this was refused.
      prepared = {};
      await storage.set(name, '{}');
      if (refusal !== undefined && isNew) throw refusal;
    }
    await end(options);
    return null;
  }

  async function conclude({ guest: theirs, existing, state }: Prepared): Promise<Merged> {
    await end(options);
    const merged = { guest: saveOf(theirs), existing: existing && saveOf(existing), state: JSON.parse(state) };
    tellAll([options.onMerged], merged);
    return merged;
  }

  function begin(merge: MergeSaves | undefined): Promise<Merged | null> {
    running ??= run(merge).finally(() => {
      running = undefined;
    });
    return running;
  }

  let starting: Promise<void> | undefined;
  return {
    async finish(merge) {
      if (merge !== undefined) await running?.catch(() => {});
      return begin(merge ?? options.merge);
    },
    start() {
      starting ??= begin(options.merge)
        .then(
          () => {},
          (failure: unknown) => tellFailure(options, attempt, failure),
        )
        .finally(() => {
          starting = undefined;
        });
      return starting;
    },
  };
}

const saveOf = ({ version, text }: Read): Save => ({ version, state: JSON.parse(text) });

function nullIfRetired(failure: unknown): null {
  if (isRetired(failure)) return null;
  throw failure;
}
