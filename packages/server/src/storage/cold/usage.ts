/** What accounts use, and the limits that they have of their own. */
import { accountChange } from '../access-changes.ts';
import { isRowOfDay, limitColumns, rowOfDay, rowOfPublicPart, toAccountUsage, toDailyRequests } from '../usage-rows.ts';
import type { AccountUsage, DailyRequests, OwnLimits, QuotaName } from '../usage-store.ts';
import { holdAccount } from './accounts.ts';
import { all, first, type Steps } from './steps.ts';
import { read, type Setting, write } from './verb.ts';

function* readUsage({ quotas, own }: Setting, accountId: string, monthStartsAt: number): Steps<AccountUsage | undefined> {
  // No row: no such account.
  const row = yield* first(
    `SELECT coalesce(months.requests, 0) AS api_requests, coalesce(public_parts.requests, 0) AS public_api_requests, projects,
       ${own.endUsers} AS end_users, ${own.storageBytes} AS storage_bytes, api_requests_max, projects_max, end_users_max, storage_bytes_max
     FROM accounts
     LEFT JOIN api_requests AS months ON months.account_id = accounts.account_id AND months.month_starts_at = $2
     LEFT JOIN api_requests AS public_parts
       ON public_parts.account_id = accounts.account_id AND public_parts.month_starts_at = $3
     WHERE accounts.account_id = $1`,
    [accountId, monthStartsAt, rowOfPublicPart(monthStartsAt)],
  );
  return row && toAccountUsage(row, quotas);
}

function* readDailyRequests(_: Setting, accountId: string, since: number): Steps<readonly DailyRequests[]> {
  // A row for each day that is kept.
  const rows = yield* all(
    `SELECT month_starts_at - 1 AS day_starts_at, requests FROM api_requests JOIN accounts USING (account_id)
     WHERE account_id = $1 AND month_starts_at >= $2 AND ${isRowOfDay} ORDER BY month_starts_at`,
    [accountId, rowOfDay(since)],
  );
  return rows.map(toDailyRequests);
}

function* writeOwnLimits(_: Setting, accountId: string, changes: Partial<OwnLimits>): Steps<'written' | 'no_account'> {
  if ((yield* holdAccount(accountId)) === undefined) return 'no_account';
  for (const [name, limit] of Object.entries(changes)) {
    // One row, always.
    const sql = `UPDATE accounts SET ${limitColumns[name as QuotaName]} = $2 WHERE account_id = $1`;
    yield* all(sql, [accountId, limit ?? null]);
  }
  return 'written';
}

export const usageVerbs = {
  readUsage: read(readUsage),
  readDailyRequests: read(readDailyRequests),
  writeOwnLimits: write(writeOwnLimits, {
    takes: accountChange,
    isWithoutEffect: (outcome) => outcome === 'no_account',
  }),
};
