/** The counts of API requests. */
import type { DatabaseSync } from 'node:sqlite';
import { optionalIntegerAt } from '../../columns.ts';
import { requestsKeptMilliseconds, rowOfDay, rowOfPublicPart } from '../../usage-rows.ts';
import type { UsageStore } from '../../usage-store.ts';
import type { Dependencies } from '../dependencies.ts';
import { statement } from '../directory/database.ts';
import type { Commands } from '../writer/commands.ts';

/** The size of one count in a command, in characters. */
const countCharacters = 100;

/** Returns the method of the store that counts API requests. */
export function createUsage({ queue, quotas }: Pick<Dependencies, 'queue' | 'quotas'>): Pick<UsageStore, 'addApiRequests'> {
  return {
    async addApiRequests(monthStartsAt, counts, dayStartsAt) {
      if (counts.length === 0) return [];
      const size = counts.length * countCharacters;
      const counted = await queue.submit(size, 'addApiRequests', monthStartsAt, counts, dayStartsAt);
      return counted.map((one) => {
        if (one === undefined) return undefined;
        const { total, publicTotal, ownLimit } = one;
        return { total, publicTotal, limit: ownLimit ?? quotas.apiRequests };
      });
    },
  };
}

/** The counts of API requests, on the writer thread. */
export function usageWrites(database: DatabaseSync): Pick<Commands, 'addApiRequests'> {
  // No row: no such account.
  const find = statement(database, 'SELECT api_requests_max FROM accounts WHERE account_id = ?');
  // One row, always.
  const add = statement(
    database,
    `INSERT INTO api_requests (account_id, month_starts_at, requests) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET requests = requests + excluded.requests RETURNING requests`,
  );
  // Any number of rows, but nearly always one a month.
  const removeOld = statement(database, 'DELETE FROM api_requests WHERE account_id = ? AND month_starts_at < ?');
  const added = (accountId: string, row: number, requests: number) => add.get(accountId, row, requests)?.requests as number;
  return {
    addApiRequests: (monthStartsAt, counts, dayStartsAt) =>
      counts.map(({ accountId, requests, publicRequests = 0 }) => {
        const account = find.get(accountId);
        if (account === undefined) return undefined;
        const total = added(accountId, monthStartsAt, requests);
        const publicTotal =
          publicRequests > 0 ? added(accountId, rowOfPublicPart(monthStartsAt), publicRequests) : undefined;
        if (dayStartsAt !== undefined) added(accountId, rowOfDay(dayStartsAt), requests);
        if (total === requests) removeOld.changes(accountId, monthStartsAt - requestsKeptMilliseconds);
        return { total, publicTotal, ownLimit: optionalIntegerAt(account, 'api_requests_max') };
      }),
  };
}
