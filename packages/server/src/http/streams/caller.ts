import type { Owner } from '../../common/fair-queue.ts';
import type { Caller } from '../operation-request.ts';
import type { RequestContext } from '../request-context.ts';
import type { UnreadResponses } from '../unread-responses.ts';

/** The client that waits for the response of an operation about changes. */
export function callerOf({ requestId, response }: RequestContext, owner: Owner, unread: UnreadResponses): Caller {
  return {
    ...{ requestId, owner },
    watch: (bytes) => unread.watch(response, owner.account, bytes),
    onGone: (listener) => {
      if (response.destroyed) listener();
      else response.once('close', listener);
    },
  };
}
