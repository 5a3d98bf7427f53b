/** A document with the changes that wait for it, as people are to see it: each change counts once, from when it is stored. */
import type { Subscribable } from '../client.ts';
import { HoldfastError } from '../errors.ts';
import type { Snapshot, SubscribeOptions } from '../live/feed.ts';
import type { Entry, Waiting } from './waiting.ts';

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

/**
 * Watches a document and what waits for it. While it cannot be said whether the newest version has a change that was sent, nothing is
 * shown: mostly the response says that in a moment. If it does not, the version has it: most documents have one writer.
 */
export function watchWaiting<State>(
  source: Partial<Subscribable<State>>,
  waiting: Waiting,
  preview: (state: State | null, entries: readonly Entry[]) => Promise<State | null>,
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
    const entries = await waiting.read();
    const isBehind = !seen.stale && version < (await waiting.appliedVersion());
    const certain = entries.filter(({ sent }) => sent === undefined || (sent.version ?? 0) >= version);
    if (mine !== looks || isEnded) return;
    if (isPatient && (isBehind || certain.length < entries.length)) {
      timer = setTimeout(() => begin(false), doubtMs);
      return;
    }
    const state = await preview(seen.state, certain);
    if (mine === looks && !isEnded) listener({ state, version: seen.version, stale: seen.stale, pending: entries.length });
  };
  const begin = (isPatient: boolean): void =>
    void look(isPatient).catch((failure) => {
      const error = new HoldfastError('invalid_state', `cannot show what waits: ${failure}`, { cause: failure });
      if (!isEnded) options.onError?.(error);
    });

  const endWaiting = waiting.onChange(() => begin(true));
  const endSource = source.subscribe((next) => {
    snapshot = next;
    begin(true);
  }, options);
  const end = (): void => {
    isEnded = true;
    clearTimeout(timer);
    endWaiting();
    endSource();
    options.signal?.removeEventListener('abort', end);
  };
  options.signal?.addEventListener('abort', end);
  if (options.signal?.aborted) end();
  return end;
}
