/** An account's usage and limits. */

import type { UsageBody } from '@holdfast/contract';
import type { Awaitable } from '../common/async/awaitable.ts';
import { noAccount } from '../common/requests/refusal.ts';
import { formatTime } from '../common/requests/time.ts';
import { dayMilliseconds } from '../common/time/durations.ts';
import type { Quotas } from '../storage/contract/usage.ts';
import type { Store } from '../storage/store.ts';

/** The API requests of this month, including those not stored yet. */
export interface RequestCounts {
  /** The calendar month (UTC), in milliseconds since the epoch. */
  month(): { readonly startsAt: number; readonly endsAt: number };
  /** The start of the current day (UTC). */
  day(): number;
  used(accountId: string): Awaitable<number>;
}

/** Today and the days before it. */
const days = 30;

/** Returns the account's usage and limits. Throws `not_found` if the account does not exist. */
export async function readUsage(
  store: Pick<Store, 'readUsage' | 'readDailyRequests'>,
  requests: RequestCounts,
  accountId: string,
): Promise<UsageBody> {
  const { startsAt, endsAt } = requests.month();
  const apiRequests = await requests.used(accountId);
  const usage = await store.readUsage(accountId, startsAt);
  if (usage === undefined) throw noAccount(accountId);
  const used = { ...usage.used, apiRequests };
  const member = (name: keyof Quotas<unknown>) => ({ used: used[name], limit: usage.limits[name] || null });
  return {
    period: { start: formatTime(startsAt), end: formatTime(endsAt) },
    apiRequests: member('apiRequests'),
    projects: member('projects'),
    endUsers: member('endUsers'),
    storageBytes: member('storageBytes'),
    daily: await readDaily(store, accountId, requests.day(), Math.max(0, apiRequests - usage.used.apiRequests)),
  };
}

/** The last days, oldest first. `unsent` are today's requests not stored yet. */
async function readDaily(
  store: Pick<Store, 'readDailyRequests'>,
  accountId: string,
  today: number,
  unsent: number,
): Promise<UsageBody['daily']> {
  const first = today - (days - 1) * dayMilliseconds;
  const counts = await store.readDailyRequests(accountId, first);
  const requestsOf = new Map(counts.map(({ dayStartsAt, requests }) => [dayStartsAt, requests]));
  return Array.from({ length: days }, (_, index) => {
    const day = first + index * dayMilliseconds;
    const stored = requestsOf.get(day) ?? 0;
    return { start: formatTime(day), apiRequests: day === today ? stored + unsent : stored };
  });
}

/** How long the requests of a month are kept after its beginning: the month and a year. */
const requestsKeptMilliseconds = (31 + 366) * dayMilliseconds;

/** The time between two passes of the sweep over all accounts. */
const passMilliseconds = 6 * 60 * 60 * 1000;

/**
 * Returns a sweep that removes old counts of months and days, for some accounts with each call. A call returns 0 when a pass has ended, and
 * does nothing until the next one begins.
 */
export function createRequestCountSweep(store: Pick<Store, 'sweepApiRequests'>): (now: number) => Promise<number> {
  let position: string | null = null;
  let beginsAt = 0;
  return async (now) => {
    if (now < beginsAt) return 0;
    position = await store.sweepApiRequests(position, now - requestsKeptMilliseconds);
    if (position === null) beginsAt = now + passMilliseconds;
    return position === null ? 0 : 1;
  };
}
