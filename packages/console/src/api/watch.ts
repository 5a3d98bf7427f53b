/**
 * Reports other people's writes, by the client's subscription: tabs that show the same document share one stream, and hidden tabs have
 * none. The document is read here, digit for digit.
 */
import { createClient } from '@holdfast/client';
import { baseUrl } from './addresses.ts';
import { connection, followed } from './connection.ts';
import { developerAuth } from './session.ts';
import { readNewerState, type StateKey, type StateRecord } from './state.ts';

export interface Watch {
  /** The version known here; 0 if there is none. */
  readonly known: () => number;
  readonly onNewer: (record: StateRecord | null) => void;
  readonly onConnection: (isConnected: boolean) => void;
}

/** The delay after a failed read, doubled each time. */
const failedMs = 1_000;
const failedMsMax = 30_000;

/** A document in the client's words. */
function watched(key: StateKey, onConnection: Watch['onConnection']) {
  const { publicState } = createClient({
    baseUrl,
    accountId: key.accountId,
    project: key.slug,
    environment: key.env,
    auth: developerAuth,
    fetch: async (input, init) => {
      try {
        const response = await followed(fetch(input, init));
        onConnection(response.ok);
        return response;
      } catch (failure) {
        if (!init?.signal?.aborted) onConnection(false);
        throw failure;
      }
    },
  });
  return publicState;
}

/** Reports the version now and whenever it changes, until the returned function is called. */
export function watchVersion(key: StateKey, onVersion: (version: number) => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  // Whoever loses the connection also reads at intervals.
  watched(key, () => {}).subscribe(({ version }) => onVersion(version ?? 0), { signal, onError: () => {} });
  return () => ending.abort();
}

/** Watches until the returned function is called. */
export function watchState(key: StateKey, { known, onNewer, onConnection }: Watch): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const publicState = watched(key, onConnection);

  /** The stored version is read, and shown if new here. Own writes are not. */
  async function readNewer(heard: number): Promise<void> {
    for (let waitMs = failedMs; !signal.aborted && heard !== known(); waitMs = Math.min(failedMsMax, waitMs * 2)) {
      const version = known();
      try {
        const record = await readNewerState(key, version, signal);
        if (signal.aborted || record === undefined || known() !== version) return;
        if (record === null ? version > 0 : record.version !== version) onNewer(record);
        return;
      } catch {
        if (!signal.aborted) onConnection(false);
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  }

  publicState.subscribe(({ version }) => void readNewer(version ?? 0), { signal, onError: () => onConnection(false) });
  const leave = connection.subscribe(() => !connection.isReachable && onConnection(false));
  return () => {
    leave();
    ending.abort();
  };
}
