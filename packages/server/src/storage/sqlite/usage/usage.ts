/** The store's part that counts what accounts use, on the main thread. */
import { accountChange } from '../../access-changes.ts';
import { toAccountUsage } from '../../usage-rows.ts';
import type { AccountUsage, QuotaLimits, UsageStore } from '../../usage-store.ts';
import type { Reader } from '../reader.ts';
import type { ChangeAccess } from '../writer/changes.ts';
import type { WriteQueue } from '../writer/write-queue.ts';

interface Parts {
  readonly queue: WriteQueue;
  readonly reader: Reader;
  readonly changeAccess: ChangeAccess;
  readonly quotas: QuotaLimits;
}

/** What the count of one account holds, in characters. */
const countCharacters = 100;

/** Returns the methods of the store that count what accounts use. */
export function createUsage({ queue, reader, changeAccess, quotas }: Parts): UsageStore {
  return {
    readUsage: (accountId, monthStartsAt) => readUsage(reader, quotas, accountId, monthStartsAt),

    async addApiRequests(monthStartsAt, counts) {
      if (counts.length === 0) return [];
      const counted = await queue.submit(counts.length * countCharacters, 'addApiRequests', monthStartsAt, counts);
      return counted.map((one) => one && { total: one.total, limit: one.ownLimit ?? quotas.apiRequests });
    },

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
