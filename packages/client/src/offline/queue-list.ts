/** The list of waiting changes, for people to see. */
import type { Auth } from '../auth/auth.ts';
import { isHoldfastError } from '../errors.ts';
import { tellAll } from '../listeners.ts';
import type { SubscribeOptions } from '../live/snapshot.ts';
import { damaged } from '../storage.ts';
import type { Waiting } from './waiting.ts';

/** A waiting change. */
export interface QueuedChange {
  /** Its number in the queue, for {@link Queue.discard}. */
  readonly id: number;
  /** Name and version of its mutator. */
  readonly name: string;
  readonly version: number;
  readonly args: readonly unknown[];
  /** When it was stored, if that is known. */
  readonly storedAt: Date | undefined;
  /**
   * `waiting`: not sent. `sending`: sent, without a response so far. `unhandled`: this release of the application has no mutator for it. It
   * is kept for a release that has one.
   */
  readonly status: 'waiting' | 'sending' | 'unhandled';
}

/** The waiting changes of a user, in order, after those set aside. */
export async function listOf(waiting: Waiting): Promise<readonly QueuedChange[]> {
  const { through = -1 } = (await waiting.sent()) ?? {};
  const [aside, inLine] = [await waiting.readAside(), await waiting.read()];
  return [...aside, ...inLine].map(({ at, id, name, version, args, storedAt }) => ({
    id,
    name,
    version,
    args,
    storedAt: storedAt === undefined ? undefined : new Date(storedAt),
    status: aside.some((each) => each.at === at) ? 'unhandled' : at <= through ? 'sending' : 'waiting',
  }));
}

/** The data that the list depends on. */
interface ListSource {
  readonly auth: Auth;
  readonly list: () => Promise<readonly QueuedChange[]>;
  /** Calls the listener when waiting changes differ, in any tab. Returns a function that ends this. */
  readonly onChange: (listener: () => void) => () => void;
}

/** Calls the listener with the current user's waiting changes, now and after each change. Returns a function that ends this. */
export function watchList(
  { auth, list, onChange }: ListSource,
  listener: (changes: readonly QueuedChange[]) => void,
  { signal, onError }: SubscribeOptions = {},
): () => void {
  let looks = 0;
  let isEnded = false;
  const look = (): void => {
    const mine = ++looks;
    const isCurrent = (): boolean => mine === looks && !isEnded;
    list().then(
      (changes) => isCurrent() && tellAll([listener], changes),
      (failure) => {
        const error = damaged(`cannot read what waits: ${failure}`, failure);
        if (!isCurrent()) return;
        if (isHoldfastError(failure)) tellAll([onError], failure);
        else if (isHoldfastError(error)) tellAll([onError], error);
      },
    );
  };
  const endings = [onChange(look), auth.onChange(look)];
  const end = (): void => {
    isEnded = true;
    for (const each of endings) each();
    signal?.removeEventListener('abort', end);
  };
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  else look();
  return end;
}
