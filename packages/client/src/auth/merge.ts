/** Merges a guest whose identity was in use into the existing player. */
import { errorOf, HoldfastError, isHoldfastError, objectIn } from '../errors.ts';
import { noStore } from '../service.ts';
import type { GuardedStorage } from '../storage.ts';
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
  readonly merge: ((guest: unknown, existing: unknown) => unknown) | undefined;
  readonly onMerged: ((merged: Merged) => void) | undefined;
}

/** A save with the exact text of its state. */
interface Read extends Save {
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
  async function request(token: string, suffix: string, init: RequestInit): Promise<string> {
    let received: { status: number; headers: Headers; text: string };
    try {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...init.headers };
      const response = await fetch(path + suffix, { ...noStore(), ...init, headers });
      received = { status: response.status, headers: response.headers, text: await response.text() };
    } catch (cause) {
      throw new HoldfastError('network_error', 'cannot merge the saves: there was no response', { cause });
    }
    if (received.status >= 300) throw errorOf(received);
    return received.text;
  }

  async function read(token: string): Promise<Read | null> {
    const text = await request(token, `/user-state/${environment}`, {});
    if (text === '') return null;
    const { version, state } = objectIn(text) as unknown as Save;
    return { version, state, text: text.slice(text.indexOf('"state":') + 8, -1) };
  }
  return { request, read };
}

/** Reads both saves, calls the game's merge function, and stores the request. Null if the guest has no save. */
async function prepareMerge(
  { storage, name, guest, signIn, merge }: MergeOptions,
  read: (token: string) => Promise<Read | null>,
): Promise<Prepared | null> {
  const theirs = await read(await guest.accessToken());
  if (theirs === null) return null;
  const existing = await read(await signIn.accessToken());
  let state = (existing ?? theirs).text;
  if (existing !== null && merge !== undefined) state = JSON.stringify(await merge(theirs.state, existing.state));
  const prepared = { key: randomText(), state, guest: theirs, existing };
  await storage.set(name, JSON.stringify(prepared));
  return prepared;
}

/** Returns a function that finishes a merge if one has begun; null if there is nothing to merge. */
export function merger(options: MergeOptions): () => Promise<Merged | null> {
  const { storage, name, prover, signIn } = options;
  let running: Promise<Merged | null> | undefined;

  const { request, read } = requester(options);
  const prepare = () => prepareMerge(options, read);

  /** Whether it was applied, now or before; false if one of the saves has changed. */
  async function send({ key, state, guest: theirs, existing }: Prepared): Promise<boolean> {
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
  }

  async function finish(): Promise<Merged | null> {
    const text = await storage.get(name);
    let prepared = objectIn(text ?? '') as unknown as Partial<Prepared> | undefined;
    for (let round = 1; prepared !== undefined; round++) {
      if (round > roundsMax) throw new HoldfastError('version_conflict', 'cannot merge the saves: they keep changing');
      if (!(await prover.keys.exists())) break; // it was finished, except for the record that it has begun
      const complete: Prepared | null =
        prepared.key === undefined ? await prepare().catch(nullIfRetired) : (prepared as Prepared);
      if (complete === null) break;
      if (await send(complete)) {
        await end();
        const { guest: theirs, existing, state } = complete;
        const merged = { guest: saveOf(theirs), existing: existing && saveOf(existing), state: JSON.parse(state) };
        options.onMerged?.(merged);
        return merged;
      }
      prepared = {};
      await storage.set(name, '{}');
    }
    await end();
    return null;
  }

  /** The key is no longer used: the next guest on this device is another player. */
  async function end(): Promise<void> {
    await prover.forget();
    await storage.delete(name);
  }

  return () => {
    running ??= finish().finally(() => {
      running = undefined;
    });
    return running;
  };
}

const saveOf = ({ version, state }: Read): Save => ({ version, state });

function nullIfRetired(failure: unknown): null {
  if (isRetired(failure)) return null;
  throw failure;
}
