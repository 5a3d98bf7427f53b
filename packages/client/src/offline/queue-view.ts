/** A document with its waiting changes, for people to see. Each change counts once, from when it is stored. */
import type { Auth } from '../auth/auth.ts';
import type { Subscribable } from '../client-types.ts';
import { HoldfastError, isHoldfastError } from '../errors.ts';
import { tellAll } from '../listeners.ts';
import { bareState, filled } from '../live/defaults.ts';
import type { Snapshot, SubscribeOptions } from '../live/feed.ts';
import { delay } from '../runtime.ts';
import type { Entry } from './stored.ts';
import type { Waiting } from './waiting.ts';

/** What listeners of a queue receive. */
export interface QueueView<State> {
  /** The document with all waiting changes; null if neither exists. */
  readonly state: State | null;
  /** The version of the document without waiting changes. */
  readonly version: number | null;
  /** Whether the document comes from the cache. A newer one follows when the service can be reached. */
  readonly stale: boolean;
  /** How many changes wait. */
  readonly pending: number;
}

/** How long to wait for a response, or for a version from another node, before asking the service. */
const doubtMs = 2_000;
/** Time limit for the service's answer. */
const answerMs = 4_000;

/** What is watched in addition to the document. */
export interface Watched<State> {
  readonly auth: Auth;
  /** The waiting changes of the current user. */
  readonly waiting: () => Promise<Waiting>;
  /** Calls the listener when waiting changes differ, in any tab. Returns a function that ends this. */
  readonly onChange: (listener: () => void) => () => void;
  /** The defaults. */
  readonly defaults: State | undefined;
  readonly preview: (state: State | null, entries: readonly Entry[]) => Promise<State | null>;
  /** Sends the waiting changes, to learn the outcome of a pending request. */
  readonly flush: () => Promise<void>;
  /** Reads the document, for its watchers too. Returns its version, or 0 if there is none. */
  readonly read: () => Promise<number>;
}

/** The service's answer after a change was applied as version `applied`. The document may have been deleted since. */
interface Asked {
  readonly applied: number;
  readonly version: number;
}

/**
 * Compares a version of the document with waiting and applied changes. `certain`: waiting changes that are certainly not in the version.
 * `isBehind`: whether the version is older than an applied change.
 */
async function compare(line: Waiting, version: number, asked: Asked | undefined) {
  const sent = await line.sent();
  const entries = await line.read();
  const applied = await line.appliedVersion();
  const isDoubtful = sent !== undefined && (sent.version ?? 0) < version;
  return {
    entries,
    certain: isDoubtful ? entries.filter(({ at }) => at > sent.through) : entries,
    applied,
    isBehind: version < (asked?.applied === applied ? asked.version : applied),
  };
}

/**
 * While it is unknown what to show: waits, asks the service, and continues, with `isOver`, until it is known. Changes added meanwhile do
 * not restart the wait.
 */
function createDoubt(goOn: () => void) {
  let ask = async (): Promise<void> => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const doubt = {
    isOver: false,
    /** Asks after a delay, with the last `question` until then. */
    wait(question: () => Promise<void>): void {
      ask = question;
      timer ??= setTimeout(run, doubtMs);
    },
    end(): void {
      clearTimeout(timer);
      timer = undefined;
      doubt.isOver = false;
    },
  };
  const run = async (): Promise<void> => {
    const mine = timer;
    await Promise.race([ask(), delay(answerMs)]).catch(() => {});
    if (mine !== timer) return; // ended meanwhile
    timer = undefined;
    doubt.isOver = true;
    goOn();
  };
  return doubt;
}

/**
 * Watches a document and its waiting changes. A change that was shown is never missing from a later view while it is stored. Therefore
 * nothing is shown while the document is older than an applied change, or while it is unknown whether it contains a sent change. A response
 * or the stream usually ends that in a moment; otherwise the service is asked. If it does not answer, the version counts as containing the
 * change, since most documents have one writer. A user's document is never combined with another user's changes.
 */
export function watchWaiting<State>(
  source: Partial<Subscribable<State>>,
  watched: Watched<State>,
  listener: (view: QueueView<State>) => void,
  options: SubscribeOptions = {},
): () => void {
  if (source.subscribe === undefined) {
    throw new HoldfastError('invalid_request', 'this document has no changes to subscribe to: use createClient');
  }
  const { auth, waiting, onChange, defaults, preview } = watched;
  let snapshot: Snapshot<State> | undefined;
  const doubt = createDoubt(() => begin());
  let isEnded = false;
  let looks = 0;
  let hasTold = false;
  let asked: Asked | undefined;

  const look = async (): Promise<void> => {
    const mine = ++looks;
    const seen = snapshot;
    if (seen === undefined) return;
    const { entries, certain, applied, isBehind } = await compare(await waiting(), seen.version ?? 0, asked);
    if (mine !== looks || isEnded) return;
    // Offline, an old document is better than none.
    const isPatient = !doubt.isOver;
    const isHeld = isBehind && (hasTold || (isPatient && !seen.stale));
    if (isHeld || (isPatient && certain.length < entries.length)) {
      doubt.wait(() => (isBehind ? read(applied) : watched.flush()));
      return;
    }
    // Changes receive the stored document, without defaults.
    const state = filled(await preview(bareState(seen) ?? null, certain), defaults) ?? null;
    if (mine !== looks || isEnded) return;
    hasTold = true;
    if (certain.length === entries.length) doubt.end();
    tellAll([listener], { state, version: seen.version, stale: seen.stale, pending: entries.length });
  };
  const read = async (applied: number): Promise<void> => {
    asked = { applied, version: await watched.read() };
  };
  const begin = (): void =>
    void look().catch((failure) => {
      const error = new HoldfastError('invalid_state', `cannot show what waits: ${failure}`, { cause: failure });
      if (!isEnded && isHoldfastError(error, 'invalid_state')) tellAll([options.onError], error);
    });

  const endings = [
    onChange(() => begin()),
    auth.onChange(() => {
      looks++;
      doubt.end();
      hasTold = false;
      asked = undefined;
      snapshot = undefined; // the next user's snapshot follows
    }),
    source.subscribe((next) => {
      snapshot = next;
      begin();
    }, options),
  ];
  const end = (): void => {
    isEnded = true;
    doubt.end();
    for (const each of endings) each();
    options.signal?.removeEventListener('abort', end);
  };
  options.signal?.addEventListener('abort', end);
  if (options.signal?.aborted) end();
  return end;
}
