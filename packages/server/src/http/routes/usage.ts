/** Use and limits on the wire. */
import { type RequestCounts, readUsage } from '../../management/usage.ts';
import type { UsageStore } from '../../storage/usage-store.ts';
import type { Handlers } from '../operation-request.ts';
import { jsonReply } from '../reply.ts';

/** The handler of the usage of an account. Its response is not cached, since usage changes all the time. */
export function usageHandlers(
  store: Pick<UsageStore, 'readUsage' | 'readDailyRequests'>,
  requests: RequestCounts,
): Handlers {
  return {
    readUsage: async ({ params }) =>
      jsonReply(200, await readUsage(store, requests, params.accountId), ['Cache-Control', 'no-store']),
  };
}
