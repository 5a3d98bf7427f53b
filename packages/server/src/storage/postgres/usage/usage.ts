/** The counts of API requests. */
import { integerAt, optionalIntegerAt, textAt } from '../../columns.ts';
import { requestsKeptMilliseconds, rowOfDay, rowOfPublicPart } from '../../usage-rows.ts';
import type { QuotaLimits, RequestCount, UsageStore } from '../../usage-store.ts';
import type { Database } from '../connection/database.ts';
import { arrayLiteral } from '../connection/query.ts';
import type { Dependencies } from '../dependencies.ts';

/** Returns the method of the store that counts API requests. */
export function createUsage({ database, quotas }: Dependencies): Pick<UsageStore, 'addApiRequests'> {
  return {
    addApiRequests: (monthStartsAt, counts, dayStartsAt) =>
      addApiRequests(database, quotas, { monthStartsAt, counts, dayStartsAt }),
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
       SELECT account_id, counts.requests, public_requests, api_requests_max
       FROM unnest($2::text[], $3::bigint[], $4::bigint[]) AS counts (account_id, requests, public_requests)
       JOIN accounts USING (account_id)
     ), added AS (
       SELECT account_id, period, requests FROM given CROSS JOIN unnest($5::bigint[]) AS periods (period)
       UNION ALL
       SELECT account_id, $6::bigint, public_requests FROM given WHERE public_requests > 0
     ), counted AS (
       INSERT INTO api_requests (account_id, month_starts_at, requests)
       SELECT account_id, period, requests FROM added ORDER BY account_id, period
       ON CONFLICT (account_id, month_starts_at) DO UPDATE SET requests = api_requests.requests + excluded.requests
       RETURNING account_id, month_starts_at, requests
     )
     SELECT given.account_id, months.requests, public_parts.requests AS public_requests, api_requests_max AS own_limit
     FROM given
     JOIN counted AS months USING (account_id)
     LEFT JOIN counted AS public_parts
       ON public_parts.account_id = given.account_id AND public_parts.month_starts_at = $6
     WHERE months.month_starts_at = $1`,
    [
      monthStartsAt,
      arrayLiteral(counts.map(({ accountId }) => accountId)),
      arrayLiteral(counts.map(({ requests }) => requests)),
      arrayLiteral(counts.map(({ publicRequests = 0 }) => publicRequests)),
      arrayLiteral(dayStartsAt === undefined ? [monthStartsAt] : [monthStartsAt, rowOfDay(dayStartsAt)]),
      rowOfPublicPart(monthStartsAt),
    ],
  );
  const counted = new Map(rows.map((row) => [textAt(row, 'account_id'), row]));
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
    if (row === undefined) return undefined;
    const publicTotal = optionalIntegerAt(row, 'public_requests') ?? undefined;
    return {
      total: integerAt(row, 'requests'),
      publicTotal,
      limit: optionalIntegerAt(row, 'own_limit') ?? quotas.apiRequests,
    };
  });
}
