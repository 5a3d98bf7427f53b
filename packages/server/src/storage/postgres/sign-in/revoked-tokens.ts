/**
 * Access tokens can end on any node, and every node knows within a second: it polls the database several times a second for recent records.
 */
import { setImmediate } from 'node:timers/promises';
import type { RevokedToken } from '../../contract/sign-ins.ts';
import { integerAt } from '../../rows/columns.ts';
import { revokedTokenColumns, toRevokedToken } from '../../sql/sign-in/revoked-tokens.ts';
import type { Query } from '../connection/query.ts';

/**
 * How far back a poll reaches. Later statements of the transaction run between the time in a row and its commit. Each is answered within
 * seconds, or the caller is not told that the token has ended; the wide poll finds rows that are committed later.
 */
const overlapSeconds = { narrow: 5, wide: 30 };
const pollsPerWideRead = 10;
const pageMax = 500;
/** Recently reported ids, so that they are not reported at each poll. Beyond this number, some are reported again. */
const knownMax = 50_000;

type Listener = (ended: readonly RevokedToken[]) => void;

export class RevokedTokenFeed {
  readonly #query: Query;
  readonly #listeners: Listener[] = [];
  readonly #known = new Set<string>();
  #polls = 0;

  constructor(query: Query) {
    this.#query = query;
  }

  onTokensRevoked(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Reports sessions and tokens that were not yet reported to the listeners. */
  notify(ended: readonly RevokedToken[]): void {
    const unseen = ended.filter(({ tokenId }) => !this.#known.has(tokenId));
    if (unseen.length === 0) return;
    for (const { tokenId } of unseen) this.#known.add(tokenId);
    for (const oldest of this.#known) {
      if (this.#known.size <= knownMax) break;
      this.#known.delete(oldest);
    }
    for (const listener of this.#listeners) listener(unseen);
  }

  /** Reports recent records of the database to the listeners. Rejects if the database cannot be queried. */
  async poll(): Promise<void> {
    this.#polls += 1;
    const seconds = this.#polls % pollsPerWideRead === 0 ? overlapSeconds.wide : overlapSeconds.narrow;
    // A row for each, at most so many.
    let rows = await this.#query(
      `SELECT ${revokedTokenColumns}, noted_at FROM ended_tokens
       WHERE noted_at > (extract(epoch FROM now()) * 1000)::bigint - ${seconds * 1_000} ORDER BY noted_at, token_id LIMIT ${pageMax}`,
    );
    for (;;) {
      this.notify(rows.map(toRevokedToken));
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageMax) return;
      await setImmediate();
      // As above.
      rows = await this.#query(
        `SELECT ${revokedTokenColumns}, noted_at FROM ended_tokens
         WHERE (noted_at, token_id) > ($1::bigint, $2::text) ORDER BY noted_at, token_id LIMIT ${pageMax}`,
        [integerAt(last, 'noted_at'), last.token_id as string],
      );
    }
  }
}
