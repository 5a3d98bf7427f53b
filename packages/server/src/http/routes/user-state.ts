/** End-user state on the wire: the end user's own, and the developer's view of it. @see docs/contract.md §6.2 and §6.3 */
import type { EndUserPrincipal } from '../../access/principal.ts';
import { readEndUserIdSegment } from '../../common/end-user-id.ts';
import { Refusal } from '../../common/refusal.ts';
import { formatTime } from '../../common/time.ts';
import { noProject } from '../../management/projects.ts';
import { parseFormText } from '../../oauth/parameters.ts';
import type { Precondition } from '../../state/precondition.ts';
import type { UserStates } from '../../state/user-state.ts';
import type { PublicStateKey } from '../../storage/store.ts';
import type { ListedUserState, UserStateKey, UserStateStore } from '../../storage/user-state-store.ts';
import type { Exchange, Handlers } from '../exchange.ts';
import { emptyReply, type Reply, textReply } from '../reply.ts';
import { type PageBody, pageBody, parsePageRequest } from '../wire/page.ts';
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
      const key = environmentKey(exchange);
      const scope = `user states of ${key.accountId}/${key.slug}/${key.environment}`;
      const outcome = await store.listUserStates(key, parsePageRequest(parseFormText(exchange.query), scope));
      if (outcome.kind === 'no_project') throw noProject(key);
      return textReply(200, 'application/json', listText(pageBody(outcome.page, scope, itemText)), stateCachingHeaders);
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

/** A list as JSON text: states are stored as text, and go out as they are. */
const listText = ({ items, cursor, hasMore }: PageBody<string>): string =>
  `{"items":[${items.join()}],"cursor":${JSON.stringify(cursor)},"hasMore":${hasMore}}`;

function itemText({ endUserId, version, stateText, updatedAt }: ListedUserState): string {
  return `{"endUserId":${JSON.stringify(endUserId)},"version":${version},"state":${stateText},"updatedAt":"${formatTime(updatedAt)}"}`;
}
