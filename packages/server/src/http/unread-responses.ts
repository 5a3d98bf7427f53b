/**
 * Responses that their clients have not taken yet, and what they keep in memory. One that does not move for a minute is cut off. Where
 * all together keep too much, one is cut off whose account keeps most: that which has not moved for the longest time.
 */
import type { ServerResponse } from 'node:http';

const stillMillisecondsMax = 60_000;
const inspectionIntervalMilliseconds = 1_000;
/** Responses that one inspection cuts off: each takes 20 µs. */
const endedMax = 256;
const defaultBytesMax = 48 * 1024 * 1024;

export interface Unread {
  /** Says that the client has taken something. */
  moved(): void;
}

export interface UnreadResponses {
  /** Watches a response until it is closed. `account` is whose response it is, `bytes` what it keeps in memory until then. */
  watch(response: ServerResponse, account: string, bytes: number): Unread;
  close(): void;
}

interface Watched extends Unread {
  readonly response: ServerResponse;
  readonly account: string;
  readonly bytes: number;
  movedAt: number;
}

/** `now` is in milliseconds. */
export function createUnreadResponses(now: () => number, bytesMax: number = defaultBytesMax): UnreadResponses {
  /** Those that have not moved for the longest time come first. */
  const all = new Set<Watched>();
  let bytes = 0;

  const inspection = setInterval(() => {
    const time = now();
    let ended = 0;
    for (const watched of all) {
      if (time - watched.movedAt <= stillMillisecondsMax || ended++ === endedMax) return;
      end(watched);
    }
  }, inspectionIntervalMilliseconds);
  inspection.unref();

  function forget(watched: Watched): void {
    if (all.delete(watched)) bytes -= watched.bytes;
  }

  function end(watched: Watched): void {
    forget(watched);
    watched.response.destroy();
  }

  function makeRoom(): void {
    const sums = new Map<string, number>();
    for (const { account, bytes } of all) sums.set(account, (sums.get(account) ?? 0) + bytes);
    const [account] = [...sums].reduce((most, next) => (next[1] > most[1] ? next : most));
    for (const watched of all) {
      if (watched.account !== account) continue;
      end(watched);
      return;
    }
  }

  return {
    watch(response, account, held) {
      const watched: Watched = {
        ...{ response, account, bytes: held, movedAt: now() },
        moved() {
          watched.movedAt = now();
          if (all.delete(watched)) all.add(watched);
        },
      };
      all.add(watched);
      bytes += held;
      response.once('close', () => forget(watched));
      while (bytes > bytesMax) makeRoom();
      return watched;
    },
    close: () => clearInterval(inspection),
  };
}
