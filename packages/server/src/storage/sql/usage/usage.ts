/** The usage of accounts, the counts of their API requests, and their own limits. */
import { accountChange } from '../../caches/access-changes.ts';
import { ofAccount } from '../../contract/read-owner.ts';
import type { AccountUsage, CountedRequests, DailyRequests, OwnLimits, RequestCount } from '../../contract/usage.ts';
import { integerAt, optionalIntegerAt, textAt } from '../../rows/columns.ts';
import {
  countedBesideStates,
  isRowOfDay,
  limitColumns,
  rowOfDay,
  rowOfPublicPart,
  toAccountUsage,
  toDailyRequests,
} from '../../rows/usage-rows.ts';
import { differing } from '../audit/audit-detail.ts';
import { audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import { all, first, type Steps, together } from '../steps.ts';
import { type Setting, smallRead, write } from '../verb.ts';

/** The size of one count in a command, in characters. */
const countCharacters = 100;

function* readUsage(
  { quotas, engine }: Setting,
  accountId: string,
  monthStartsAt: number,
): Steps<AccountUsage | undefined> {
  // No row in the first: no such account. In the second, one for each of the two counts that exists.
  const [accounts = [], counts = []] = yield* together([
    {
      sql: `SELECT projects, ${engine.players} AS end_users, ${engine.storageBytes} + ${countedBesideStates} AS storage_bytes,
          api_requests_max, projects_max, end_users_max, storage_bytes_max, requests_per_minute_max
        FROM accounts WHERE account_id = $1`,
      values: [accountId],
    },
    {
      sql: 'SELECT month_starts_at, requests FROM api_requests WHERE account_id = $1 AND month_starts_at IN ($2, $3)',
      values: [accountId, monthStartsAt, rowOfPublicPart(monthStartsAt)],
    },
  ]);
  const [account] = accounts;
  const countAt = (at: number) => counts.find((row) => row.month_starts_at === at)?.requests ?? 0;
  return (
    account &&
    toAccountUsage(
      { ...account, api_requests: countAt(monthStartsAt), public_api_requests: countAt(rowOfPublicPart(monthStartsAt)) },
      quotas,
    )
  );
}

/** One row for each count of an account, in `api_requests`. All processes add in the same order, to avoid deadlocks. */
const addCounts = (given: string) => `
  INSERT INTO api_requests (account_id, month_starts_at, requests)
  SELECT account_id, CAST(value ->> 1 AS bigint), CAST(value ->> 2 AS bigint)
  FROM ${given} CROSS JOIN accounts WHERE account_id = value ->> 0 ORDER BY 1, 2
  ON CONFLICT (account_id, month_starts_at) DO UPDATE SET requests = api_requests.requests + excluded.requests
  RETURNING account_id, month_starts_at, requests`;

/** The own limits of these accounts. */
const ownLimits = (given: string) =>
  `SELECT account_id, api_requests_max FROM accounts WHERE account_id IN (SELECT value ->> 0 FROM ${given})`;

function* addApiRequests(
  { quotas, engine }: Setting,
  monthStartsAt: number,
  counts: readonly RequestCount[],
  dayStartsAt?: number,
): Steps<(CountedRequests | undefined)[]> {
  const publicRow = rowOfPublicPart(monthStartsAt);
  const given = counts.flatMap(({ accountId, requests, publicRequests = 0 }) => [
    [accountId, monthStartsAt, requests],
    ...(publicRequests > 0 ? [[accountId, publicRow, publicRequests]] : []),
    ...(dayStartsAt === undefined ? [] : [[accountId, rowOfDay(dayStartsAt), requests]]),
  ]);
  const rows = yield* all(addCounts(engine.given), [JSON.stringify(given)]);
  // A row for each account.
  const accounts = yield* all(ownLimits(engine.given), [JSON.stringify(counts.map(({ accountId }) => [accountId]))]);
  const limits = new Map(accounts.map((row) => [row.account_id, optionalIntegerAt(row, 'api_requests_max')]));
  const rowsOf = (period: number) =>
    new Map(rows.flatMap((row) => (row.month_starts_at === period ? [[textAt(row, 'account_id'), row]] : [])));
  const [months, publicParts] = [rowsOf(monthStartsAt), rowsOf(publicRow)];
  return counts.map(({ accountId }) => {
    const month = months.get(accountId);
    const publicPart = publicParts.get(accountId);
    return (
      month && {
        total: integerAt(month, 'requests'),
        publicTotal: publicPart && integerAt(publicPart, 'requests'),
        limit: limits.get(accountId) ?? quotas.apiRequests,
      }
    );
  });
}

/** The number of accounts that one sweep reads. */
const sweptAccountsMax = 250;

function* sweepRequests({ engine }: Setting, after: string | null, before: number): Steps<string | null> {
  // A row for each of the next accounts.
  const rows = yield* all(
    `SELECT account_id FROM accounts WHERE account_id > $1 ORDER BY account_id LIMIT ${sweptAccountsMax}`,
    [after ?? ''],
  );
  // Any number of rows, but nearly always none.
  yield* all(
    `DELETE FROM api_requests WHERE account_id IN (SELECT value ->> 0 FROM ${engine.given}) AND month_starts_at < $2`,
    [JSON.stringify(rows.map((row) => [row.account_id])), before],
  );
  return rows.length < sweptAccountsMax ? null : textAt(rows.at(-1) as (typeof rows)[number], 'account_id');
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

function* writeOwnLimits(
  _: Setting,
  accountId: string,
  changes: Partial<OwnLimits>,
): Steps<WithAuditEntry<'written' | 'no_account'>> {
  // No row: no such account.
  const before = yield* first(`SELECT ${Object.values(limitColumns).join(', ')} FROM accounts WHERE account_id = $1`, [
    accountId,
  ]);
  if (before === undefined) return unchanged('no_account');
  for (const [name, limit] of Object.entries(changes)) {
    // One row, always.
    const sql = `UPDATE accounts SET ${limitColumns[name as keyof OwnLimits]} = $2 WHERE account_id = $1`;
    yield* all(sql, [accountId, limit ?? null]);
  }
  const limits = Object.keys(changes).map((name) => [name, before[limitColumns[name as keyof OwnLimits]]]);
  const detail = differing(Object.fromEntries(limits), { ...changes });
  return withAuditEntry('written', { action: 'account.limit', target: accountId, detail });
}

export const usageVerbs = {
  /**
   * An account's usage, including every write and deletion acknowledged before; and its limits. `monthStartsAt` selects the month of the
   * API requests. Undefined if the account does not exist.
   */
  readUsage: smallRead(readUsage),
  /**
   * Adds requests to the counts of the month, each account at most once in `counts`. Returns the totals in the same order, undefined for an
   * unknown account. Each month is counted separately, and so is each day (UTC) whose start is given. Not an access change.
   */
  addApiRequests: write(addApiRequests, { charactersOf: (_month, counts) => counts.length * countCharacters }),
  /**
   * Removes monthly and daily counts from before a time, for some accounts: the first accounts, or the accounts after the one that the
   * previous call returned. Returns null when no account is left.
   */
  sweepApiRequests: write(sweepRequests, { isolation: 'statement' }),
  /** The counts of the days that began at `since` or later, oldest first. Days without requests are left out. */
  readDailyRequests: smallRead(readDailyRequests),
  /** Replaces some of an account's own limits. An access change. */
  writeOwnLimits: audited(writeOwnLimits, ofAccount, {
    invalidates: accountChange,
    isWithoutEffect: (outcome) => outcome === 'no_account',
  }),
};
