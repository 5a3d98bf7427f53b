/** What accounts use and may use. */
import { accountChange } from '../../access-changes.ts';
import {
  isRowOfDay,
  limitColumns,
  requestsKeptMilliseconds,
  rowOfDay,
  toAccountUsage,
  toDailyRequests,
} from '../../usage-rows.ts';
import type { AccountUsage, QuotaLimits, QuotaName, RequestCount, UsageStore } from '../../usage-store.ts';
import type { Database } from '../connection/database.ts';
import { arrayLiteral } from '../connection/query.ts';
import type { Parts } from '../parts.ts';
import { endUsersOf, storageBytesOf } from './usage-sums.ts';

/** Returns the methods of the store that count what accounts use. */
export function createUsage({ database, access, quotas }: Parts): UsageStore {
  return {
    readUsage: (accountId, monthStartsAt) => readUsage(database, quotas, accountId, monthStartsAt),
    addApiRequests: (monthStartsAt, counts, dayStartsAt) =>
      addApiRequests(database, quotas, { monthStartsAt, counts, dayStartsAt }),
    async readDailyRequests(accountId, since) {
      // A row for each day that is kept.
      const rows = await database.query(
        `SELECT month_starts_at - 1 AS day_starts_at, requests FROM api_requests
         WHERE account_id = $1 AND month_starts_at >= $2 AND ${isRowOfDay} ORDER BY month_starts_at`,
        [accountId, rowOfDay(since)],
      );
      return rows.map(toDailyRequests);
    },
    writeOwnLimits: (accountId, changes) =>
      access.change(
        accountChange(accountId),
        async (query) => {
          // No row: no such account. Locked, so that it stays.
          const found = await query('SELECT 1 FROM accounts WHERE account_id = $1 FOR UPDATE', [accountId]);
          if (found.length === 0) return 'no_account';
          for (const [name, limit] of Object.entries(changes)) {
            // One row, always.
            await query(`UPDATE accounts SET ${limitColumns[name as QuotaName]} = $2 WHERE account_id = $1`, [
              accountId,
              limit ?? null,
            ]);
          }
          return 'written';
        },
        (outcome) => outcome === 'no_account',
        'read committed',
      ),
  };
}

interface AddedRequests {
  readonly monthStartsAt: number;
  readonly counts: readonly RequestCount[];
  readonly dayStartsAt: number | undefined;
}

async function addApiRequests(
  database: Database,
  quotas: QuotaLimits,
  { monthStartsAt, counts, dayStartsAt }: AddedRequests,
): ReturnType<UsageStore['addApiRequests']> {
  if (counts.length === 0) return [];
  // A row for each account that exists. All nodes use the same order, so none waits for another twice.
  const rows = await database.query(
    `WITH given AS (
       SELECT account_id, counts.requests, api_requests_max
       FROM unnest($2::text[], $3::bigint[]) AS counts (account_id, requests) JOIN accounts USING (account_id)
     ), counted AS (
       INSERT INTO api_requests (account_id, month_starts_at, requests)
       SELECT account_id, period, requests FROM given CROSS JOIN unnest($4::bigint[]) AS periods (period)
       ORDER BY account_id, period
       ON CONFLICT (account_id, month_starts_at) DO UPDATE SET requests = api_requests.requests + excluded.requests
       RETURNING account_id, month_starts_at, requests
     )
     SELECT account_id, counted.requests, api_requests_max AS own_limit FROM counted JOIN given USING (account_id)
     WHERE month_starts_at = $1`,
    [
      monthStartsAt,
      arrayLiteral(counts.map(({ accountId }) => accountId)),
      arrayLiteral(counts.map(({ requests }) => requests)),
      arrayLiteral(dayStartsAt === undefined ? [monthStartsAt] : [monthStartsAt, rowOfDay(dayStartsAt)]),
    ],
  );
  const counted = new Map(rows.map((row) => [row.account_id as string, row]));
  const begun = counts.filter(({ accountId, requests }) => counted.get(accountId)?.requests === requests);
  if (begun.length > 0) {
    // Any number of rows, but nearly always none: requests of an account in months long past.
    await database.query('DELETE FROM api_requests WHERE account_id = ANY ($1::text[]) AND month_starts_at < $2', [
      arrayLiteral(begun.map(({ accountId }) => accountId)),
      monthStartsAt - requestsKeptMilliseconds,
    ]);
  }
  return counts.map(({ accountId }) => {
    const row = counted.get(accountId);
    return row && { total: row.requests as number, limit: (row.own_limit as number | null) ?? quotas.apiRequests };
  });
}

async function readUsage(
  database: Database,
  quotas: QuotaLimits,
  accountId: string,
  monthStartsAt: number,
): Promise<AccountUsage | undefined> {
  // No row: no such account.
  const [row] = await database.query(
    `SELECT coalesce(requests, 0) AS api_requests, projects, ${endUsersOf('$1')} AS end_users,
       ${storageBytesOf('$1')} AS storage_bytes, api_requests_max, projects_max, end_users_max, storage_bytes_max
     FROM accounts
     LEFT JOIN api_requests ON api_requests.account_id = accounts.account_id AND month_starts_at = $2
     WHERE accounts.account_id = $1`,
    [accountId, monthStartsAt],
  );
  return row && toAccountUsage(row, quotas);
}
