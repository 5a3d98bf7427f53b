import type { Owner } from '../../common/fair-queue.ts';
import type { Limits } from '../../limits/rate-limit.ts';
import { originOf } from '../message.ts';
import type { Caller } from '../operation-request.ts';
import type { RequestContext } from '../request-context.ts';
import type { UnreadResponses } from '../unread-responses.ts';

/** The waiting client of an operation about changes. */
export function callerOf(
  { request, requestId, response, authorization }: RequestContext,
  { owner, limits, unread }: { owner: Owner; limits: Limits; unread: UnreadResponses },
): Caller {
  return {
    requestId,
    authorization,
    owner,
    network: () => limits.networkOf(originOf(request)),
    watch: (bytes) => unread.watch(response, owner.account, bytes),
    onGone: (listener) => {
      if (response.destroyed) listener();
      else response.once('close', listener);
    },
  };
}
