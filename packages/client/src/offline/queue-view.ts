/** A document with the changes that wait for it, as people are to see it: each change counts once, from when it is stored. */
import type { Auth } from '../auth/auth.ts';
import type { Subscribable } from '../client-types.ts';
import { HoldfastError, isHoldfastError } from '../errors.ts';
import { tellAll } from '../listeners.ts';
import { bareState, filled } from '../live/defaults.ts';
import type { Snapshot, SubscribeOptions } from '../live/feed.ts';
import type { Entry } from './stored.ts';
import type { Waiting } from './waiting.ts';

/** What a listener of a queue receives. */
export interface QueueView<State> {
  /** The document with all that waits; null when there is neither. */
  readonly state: State | null;
  /** The version of the document without what waits. */
  readonly version: number | null;
  /** Whether the document comes from the cache: a newer one follows when the service can be reached. */
  readonly stale: boolean;
  /** How many changes wait. */
  readonly pending: number;
}

/** How long a response, or a version that another node of the service has yet to send, is waited for. */
const doubtMs = 2_000;

/** What is watched beside the document. */
export interface Watched<State> {
  readonly auth: Auth;
  /** What waits for whoever is signed in. */
  readonly waiting: () => Promise<Waiting>;
  /** Calls the listener when what waits changes, in whichever tab. Returns what ends that. */
  readonly onChange: (listener: () => void) => () => void;
  /** What shows where the document says nothing. */
  readonly defaults: State | undefined;
  readonly preview: (state: State | null, entries: readonly Entry[]) => Promise<State | null>;
}

/**
 * Watches a document and what waits for it. While it is unknown whether the newest version has a change that was sent, nothing is
 * shown: the response usually says so in a moment. If there is none, the version counts as having the change, since most documents have
 * one writer. Nothing of one user is shown together with what waits for another.
 */
export function watchWaiting<State>(
  source: Partial<Subscribable<State>>,
  { auth, waiting, onChange, defaults, preview }: Watched<State>,
  listener: (view: QueueView<State>) => void,
  options: SubscribeOptions = {},
): () => void {
  if (source.subscribe === undefined) {
    throw new HoldfastError('invalid_request', 'this document has no changes to subscribe to: use createClient');
  }
  let snapshot: Snapshot<State> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;
  let looks = 0;

  const look = async (isPatient: boolean): Promise<void> => {
    const mine = ++looks;
    const seen = snapshot;
    if (seen === undefined) return;
    clearTimeout(timer);
    const version = seen.version ?? 0;
    const line = await waiting();
    const sent = await line.sent();
    const entries = await line.read();
    const isBehind = !seen.stale && version < (await line.appliedVersion());
    const isDoubtful = sent !== undefined && (sent.version ?? 0) < version;
    const certain = isDoubtful ? entries.filter(({ at }) => at > sent.through) : entries;
    if (mine !== looks || isEnded) return;
    if (isPatient && (isBehind || certain.length < entries.length)) {
      timer = setTimeout(() => begin(false), doubtMs);
      return;
    }
    // Changes find the document as it is stored, without defaults.
    const state = filled(await preview(bareState(seen) ?? null, certain), defaults) ?? null;
    if (mine !== looks || isEnded) return;
    tellAll([listener], { state, version: seen.version, stale: seen.stale, pending: entries.length });
  };
  const begin = (isPatient: boolean): void =>
    void look(isPatient).catch((failure) => {
      const error = new HoldfastError('invalid_state', `cannot show what waits: ${failure}`, { cause: failure });
      if (!isEnded && isHoldfastError(error, 'invalid_state')) tellAll([options.onError], error);
    });

  const endings = [
    onChange(() => begin(true)),
    auth.onChange(() => {
      looks++;
      snapshot = undefined; // that of the next user follows
    }),
    source.subscribe((next) => {
      snapshot = next;
      begin(true);
    }, options),
  ];
  const end = (): void => {
    isEnded = true;
    clearTimeout(timer);
    for (const each of endings) each();
    options.signal?.removeEventListener('abort', end);
  };
  options.signal?.addEventListener('abort', end);
  if (options.signal?.aborted) end();
  return end;
}
