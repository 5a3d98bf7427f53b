/** The tables of what is counted of requests, as tables.ts declares the others. */
import type { SharedTable } from './declaration.ts';

export const usageTables = {
  /** In one month, or on one day (usage-rows.ts). */
  api_requests: {
    title: 'counts of API requests',
    since: 1,
    columns: { account_id: 'text', month_starts_at: 'integer', requests: 'integer' },
    key: ['account_id', 'month_starts_at'],
    owner: 'account_id',
    isUpdatedOften: true,
  },
  /**
   * What each caller of an account has asked on a day (UTC), and how it was answered. `slug` is empty where no project was asked for, or
   * one that does not exist; `code` is empty for what succeeded. `caller` is the id of an API key or service account, or one of the words
   * of request-figure-store.ts. A deleted project takes its rows along.
   */
  request_figures: {
    title: 'figures of requests',
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
    isUpdatedOften: true,
  },
} as const satisfies Readonly<Record<string, SharedTable>>;
