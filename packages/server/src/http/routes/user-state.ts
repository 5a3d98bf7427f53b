/** End-user state on the wire: the end user's own, and the developer's view of it. @see docs/contract.md §6.2 and §6.3 */
import type { EndUserPrincipal } from '../../access/principal.ts';
import { readEndUserIdSegment } from '../../common/end-user-id.ts';
import { Refusal } from '../../common/refusal.ts';
import { listUserStates } from '../../management/user-states.ts';
import type { Precondition } from '../../state/precondition.ts';
import type { UserStates } from '../../state/user-state.ts';
import type { PublicStateKey } from '../../storage/store.ts';
import type { UserStateKey, UserStateStore } from '../../storage/user-state-store.ts';
import type { Exchange, Handlers } from '../exchange.ts';
import { emptyReply, type Reply, textReply } from '../reply.ts';
import { readReply, recordReply, type SentRecord, stateCachingHeaders } from './record-reply.ts';

/** The handlers of user state. */
export function userStateHandlers(states: UserStates, store: UserStateStore): Handlers {
  const read = async (key: UserStateKey, { headers }: Exchange): Promise<Reply> =>
    readReply(await states.read(key), headers['if-none-match'], replyOf);

  return {
    readUserState: (exchange) => read(ownKey(exchange), exchange),
    patchUserState: async (exchange) => {
      const { precondition, bodyBytes } = exchange;
      return replyOf(await states.patch(ownKey(exchange), precondition as Precondition, bodyBytes as Uint8Array));
    },
    readEndUserState: (exchange) => read({ ...environmentKey(exchange), endUserId: endUserId(exchange) }, exchange),
    deleteEndUserState: async (exchange) => {
      await states.remove(environmentKey(exchange), endUserId(exchange));
      return emptyReply(204, stateCachingHeaders);
    },
    listEndUserStates: async (exchange) => {
      const text = await listUserStates(store, environmentKey(exchange), new URLSearchParams(exchange.query));
      return textReply(200, 'application/json', text, stateCachingHeaders);
    },
  };
}

const environmentKey = ({ params }: Exchange) => params as PublicStateKey;

/** An end user reaches one document: its own, in the environment of its token, which the path has been held against. */
function ownKey(exchange: Exchange): UserStateKey {
  const { userId } = exchange.principal as EndUserPrincipal;
  return { ...environmentKey(exchange), endUserId: userId };
}

/** Refuses `not_found`: what is no valid id is an end user that cannot exist. @see docs/contract.md §6.1 */
function endUserId({ params }: Exchange): string {
  const id = readEndUserIdSegment(params.endUserIdSegment as string);
  if (id === undefined) throw new Refusal('not_found', 'the path names no valid end-user id');
  return id;
}

/** @see docs/contract.md §6.2 */
const replyOf = (record: SentRecord): Reply => recordReply(record, '}');
