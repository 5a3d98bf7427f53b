/** A document with the changes that wait for it, as people are to see it: each change counts once, from when it is stored. */
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

/** How long a response, or a version that another node of the service has yet to send, is waited for before the service is asked. */
const doubtMs = 2_000;
/** How long the answer is waited for. */
const answerMs = 4_000;

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
  /** Sends what waits, so that it is known what became of a request under way. */
  readonly flush: () => Promise<void>;
  /** Reads the document, for those who watch it too. Returns its version, 0 when there is none. */
  readonly read: () => Promise<number>;
}

/** What the service had when it was asked, after a change had been applied as version `applied`: it may have been deleted since. */
interface Asked {
  readonly applied: number;
  readonly version: number;
}

/**
 * Compares a version of the document with what waits and what was applied. `certain`: what waits and is certainly not in the version.
 * `isBehind`: whether the version is older than a change that was applied.
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
 * While it is not known what to show: waits, asks the service, and goes on, with `isOver` until it is known. Changes that are added meanwhile
 * do not begin the wait again.
 */
function createDoubt(goOn: () => void) {
  let ask = async (): Promise<void> => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const doubt = {
    isOver: false,
    /** Asks in a while, with the last `question` that was given until then. */
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
 * Watches a document and what waits for it. A change that was shown is never missing from a later view while it is stored. So nothing is
 * shown while the document is older than a change that was applied to it, or while it is unknown whether it has a change that was sent. A
 * response or the stream usually ends that in a moment; otherwise the service is asked. If it does not answer, the version counts as having
 * the change, since most documents have one writer. Nothing of one user is shown together with what waits for another.
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
    // Without a connection, an old document is better than none.
    const isPatient = !doubt.isOver;
    const isHeld = isBehind && (hasTold || (isPatient && !seen.stale));
    if (isHeld || (isPatient && certain.length < entries.length)) {
      doubt.wait(() => (isBehind ? read(applied) : watched.flush()));
      return;
    }
    // Changes find the document as it is stored, without defaults.
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
      snapshot = undefined; // that of the next user follows
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
