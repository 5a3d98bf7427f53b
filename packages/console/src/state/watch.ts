/**
 * Tells when somebody else has written: a long poll of the changes, which the service answers as soon as there is one. A tab that is
 * not in view does not ask; it looks when it is again.
 */
import { call } from '../api/http.ts';
import { readNewerState, type StateKey, type StateRecord } from '../api/state.ts';

export interface Watch {
  /** The version that is known here; 0 while there is none. */
  readonly known: () => number;
  readonly onNewer: (record: StateRecord | null) => void;
  readonly onConnection: (isConnected: boolean) => void;
}

const waitSeconds = 25;
/** After a failure, the next try comes so much later, and twice as late each time. */
const failedMs = 1_000;
const failedMsMax = 30_000;

/** Watches until the returned function is called. */
export function watchState(key: StateKey, { known, onNewer, onConnection }: Watch): () => void {
  let looking = new AbortController();
  let failures = 0;
  let isOver = false;

  async function look({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      try {
        if (await hasChanged(key, known(), signal)) await tell(signal);
        failures = 0;
        onConnection(true);
      } catch {
        if (signal.aborted) return;
        onConnection(false);
        await pause(Math.min(failedMsMax, failedMs * 2 ** failures++), signal);
      }
    }
  }

  /** What is stored is read, and told if it is news here: own writes are not. */
  async function tell(signal: AbortSignal): Promise<void> {
    const version = known();
    const record = await readNewerState(key, version, signal);
    if (signal.aborted || record === undefined || known() !== version) return;
    if (record === null ? version > 0 : record.version !== version) onNewer(record);
  }

  const begin = () => {
    looking.abort();
    looking = new AbortController();
    failures = 0;
    if (!document.hidden && !isOver) void look(looking);
  };
  begin();
  document.addEventListener('visibilitychange', begin);
  addEventListener('online', begin);
  return () => {
    isOver = true;
    looking.abort();
    document.removeEventListener('visibilitychange', begin);
    removeEventListener('online', begin);
  };
}

/** Waits until there is another version than `since`. Returns false when there was none for a while. */
async function hasChanged(key: StateKey, since: number, signal: AbortSignal): Promise<boolean> {
  const told = await call('readPublicStateChanges', { params: key, query: { since, wait: waitSeconds }, signal });
  const leaving = told?.events.find(({ type }) => type === 'goodbye');
  if (leaving !== undefined) await pause(leaving.retryAfterMs ?? failedMs, signal);
  return told?.events.some(({ type }) => type !== 'goodbye') ?? false;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
