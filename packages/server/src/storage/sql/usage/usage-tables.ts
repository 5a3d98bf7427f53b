/** The tables of request counts, declared as in tables.ts. */
import type { SharedTable } from '../schema/declaration.ts';

export const usageTables = {
  /** API requests in one month, or on one day (usage-rows.ts). */
  api_requests: {
    title: 'counts of API requests',
    placement: 'managed',
    since: 1,
    columns: { account_id: 'text', month_starts_at: 'integer', requests: 'integer' },
    key: ['account_id', 'month_starts_at'],
    owner: 'account_id',
    isUpdatedOften: true,
  },
  /**
   * A caller's requests on a day (UTC), by outcome. `slug` is empty if no project, or an unknown one, was requested; `code` is empty for
   * success. `caller` is the id of an API key or service account, or a common caller of contract/usage.ts. Deleting a project deletes
   * its rows.
   */
  request_figures: {
    title: 'figures of requests',
    placement: 'managed',
    since: 16,
    columns: {
      account_id: 'text',
      day_starts_at: 'integer',
      slug: 'text',
      caller: 'text',
      code: 'text',
      requests: 'integer',
    },
    key: ['account_id', 'day_starts_at', 'slug', 'caller', 'code'],
    indexes: { request_figures_by_day: '(day_starts_at)' },
    owner: 'account_id',
    mayNameProject: true,
    isUpdatedOften: true,
  },
} as const satisfies Readonly<Record<string, SharedTable>>;
