/** What accounts use, and the limits that they have of their own. */
import type { DatabaseSync } from 'node:sqlite';
import { accountChange } from '../../access-changes.ts';
import {
  isRowOfDay,
  limitColumns,
  requestsKeptMilliseconds,
  rowOfDay,
  toAccountUsage,
  toDailyRequests,
} from '../../usage-rows.ts';
import type { AccountUsage, QuotaLimits, QuotaName, UsageStore } from '../../usage-store.ts';
import { statement } from '../directory/database.ts';
import type { Parts } from '../parts.ts';
import type { Reader } from '../reader.ts';
import type { Commands } from '../writer/commands.ts';

/** The size of one count in a command, in characters. */
const countCharacters = 100;

/** Returns the methods of the store that count what accounts use. */
export function createUsage({
  queue,
  reader,
  changeAccess,
  quotas,
}: Pick<Parts, 'queue' | 'reader' | 'changeAccess' | 'quotas'>): UsageStore {
  return {
    readUsage: (accountId, monthStartsAt) => readUsage(reader, quotas, accountId, monthStartsAt),

    async addApiRequests(monthStartsAt, counts, dayStartsAt) {
      if (counts.length === 0) return [];
      const size = counts.length * countCharacters;
      const counted = await queue.submit(size, 'addApiRequests', monthStartsAt, counts, dayStartsAt);
      return counted.map((one) => one && { total: one.total, limit: one.ownLimit ?? quotas.apiRequests });
    },

    readDailyRequests: (accountId, since) =>
      // A row for each day that is kept.
      reader
        .all(
          `SELECT month_starts_at - 1 AS day_starts_at, requests FROM api_requests JOIN accounts USING (account_number)
           WHERE account_id = ? AND month_starts_at >= ? AND ${isRowOfDay} ORDER BY month_starts_at`,
          accountId,
          rowOfDay(since),
        )
        .map(toDailyRequests),

    writeOwnLimits: (accountId, changes) =>
      changeAccess({ takes: accountChange(accountId) }, 'writeOwnLimits', accountId, changes),
  };
}

function readUsage(
  reader: Reader,
  quotas: QuotaLimits,
  accountId: string,
  monthStartsAt: number,
): AccountUsage | undefined {
  // No row: no such account.
  const row = reader.get(
    `SELECT coalesce(requests, 0) AS api_requests, projects, end_users, storage_bytes,
       api_requests_max, projects_max, end_users_max, storage_bytes_max
     FROM accounts
     LEFT JOIN api_requests ON api_requests.account_number = accounts.account_number AND month_starts_at = ?2
     WHERE account_id = ?1`,
    accountId,
    monthStartsAt,
  );
  return row && toAccountUsage(row, quotas);
}

/** The counts of API requests and the writes of limits, on the writer thread. */
export function usageWrites(database: DatabaseSync): Pick<Commands, 'addApiRequests' | 'writeOwnLimits'> {
  // No row: no such account.
  const find = statement(database, 'SELECT account_number, api_requests_max FROM accounts WHERE account_id = ?');
  // One row, always.
  const add = statement(
    database,
    `INSERT INTO api_requests (account_number, month_starts_at, requests) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET requests = requests + excluded.requests RETURNING requests`,
  );
  // Any number of rows, but nearly always one a month.
  const removeOld = statement(database, 'DELETE FROM api_requests WHERE account_number = ? AND month_starts_at < ?');
  return {
    addApiRequests: (monthStartsAt, counts, dayStartsAt) =>
      counts.map(({ accountId, requests }) => {
        const account = find.get(accountId);
        if (account === undefined) return undefined;
        const number = account.account_number as number;
        const total = add.get(number, monthStartsAt, requests)?.requests as number;
        if (dayStartsAt !== undefined) add.get(number, rowOfDay(dayStartsAt), requests);
        if (total === requests) removeOld.changes(number, monthStartsAt - requestsKeptMilliseconds);
        return { total, ownLimit: account.api_requests_max as number | null };
      }),
    writeOwnLimits(accountId, changes) {
      if (find.get(accountId) === undefined) return 'no_account';
      for (const [name, limit] of Object.entries(changes)) {
        const column = limitColumns[name as QuotaName];
        // One row: the account was found in this transaction.
        database.prepare(`UPDATE accounts SET ${column} = ?2 WHERE account_id = ?1`).run(accountId, limit ?? null);
      }
      return 'written';
    },
  };
}
