/** Tells the main thread which access tokens have ended, by reading the records of the writer thread and of other processes. */
import { setImmediate } from 'node:timers/promises';
import type { EngineVerbs } from '../../contract/engine-verbs.ts';
import type { RevokedToken } from '../../contract/sign-ins.ts';
import { integerAt } from '../../rows/columns.ts';
import { revokedTokenColumns, toRevokedToken } from '../../sql/sign-in/revoked-tokens.ts';
import type { Reader } from '../reader.ts';

/** Rows read in one turn of the event loop. */
const pageMax = 500;

export interface RevokedTokenFeed extends Pick<EngineVerbs, 'onTokensRevoked'> {
  /** Reports everything committed and not yet reported to the listeners. Throws as reading does. */
  poll(): Promise<void>;
}

/** Returns the feed of tokens that end from now on. */
export function createRevokedTokenFeed(reader: Reader): RevokedTokenFeed {
  const listeners: ((ended: readonly RevokedToken[]) => void)[] = [];
  // One row, always. Numbers are never used twice (AUTOINCREMENT), and one thread writes them.
  const [last = {}] = reader.all('SELECT coalesce(max(ended_number), 0) AS ended_number FROM ended_tokens');
  let lastNumber = integerAt(last, 'ended_number');

  /** Returns whether there may be more. */
  function notifyPage(): boolean {
    // A row for each new one, at most so many.
    const rows = reader.all(
      `SELECT ended_number, ${revokedTokenColumns} FROM ended_tokens WHERE ended_number > ? ORDER BY ended_number LIMIT ${pageMax}`,
      lastNumber,
    );
    const newest = rows.at(-1);
    if (newest === undefined) return false;
    lastNumber = integerAt(newest, 'ended_number');
    const ended = rows.map(toRevokedToken);
    for (const listener of listeners) listener(ended);
    return rows.length === pageMax;
  }

  return {
    onTokensRevoked: (listener) => void listeners.push(listener),
    async poll() {
      while (notifyPage()) await setImmediate();
    },
  };
}
