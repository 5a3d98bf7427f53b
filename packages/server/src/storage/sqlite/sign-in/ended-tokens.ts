/** How the main thread learns which access tokens have ended: from what the writer thread, or another process, has written. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EndedToken, EndedTokenStore } from '../../contract/ended-token-store.ts';
import { integerAt } from '../../rows/columns.ts';
import { endedTokenColumns, toEndedToken } from '../../sql/ended-tokens.ts';
import type { Reader } from '../reader.ts';

/** Rows read in one turn of the event loop. */
const pageMax = 500;

export interface EndedTokenFeed extends Pick<EndedTokenStore, 'onTokensEnded'> {
  /** Reports everything committed and not yet reported to the listeners. Throws what reading throws. */
  look(): Promise<void>;
}

/** Returns the feed of tokens that end from now on. */
export function createEndedTokenFeed(reader: Reader): EndedTokenFeed {
  const listeners: ((ended: readonly EndedToken[]) => void)[] = [];
  // One row, always. Numbers are never used twice (AUTOINCREMENT), and one thread writes them.
  const [last = {}] = reader.all('SELECT coalesce(max(ended_number), 0) AS ended_number FROM ended_tokens');
  let lastNumber = integerAt(last, 'ended_number');

  /** Returns whether there may be more. */
  function tellPage(): boolean {
    // A row for each new one, at most so many.
    const rows = reader.all(
      `SELECT ended_number, ${endedTokenColumns} FROM ended_tokens WHERE ended_number > ? ORDER BY ended_number LIMIT ${pageMax}`,
      lastNumber,
    );
    const newest = rows.at(-1);
    if (newest === undefined) return false;
    lastNumber = integerAt(newest, 'ended_number');
    const ended = rows.map(toEndedToken);
    for (const listener of listeners) listener(ended);
    return rows.length === pageMax;
  }

  return {
    onTokensEnded: (listener) => void listeners.push(listener),
    async look() {
      while (tellPage()) await nextTurn();
    },
  };
}
