/** The developer's list of end-user state. @see docs/contract.md §6.3 */
import type { PublicStateKey } from '../storage/store.ts';
import type { ListedUserState, UserStateStore } from '../storage/user-state-store.ts';
import { pageBody, parsePageRequest } from './page.ts';
import { noProject } from './projects.ts';
import { formatTime } from './time.ts';

/**
 * The page that `query` asks for, as JSON text, since states are stored as text and go out as they are. Throws
 * `validation_error` for a malformed query, `not_found` when the project is gone.
 *
 * @see docs/contract.md §6.3
 */
export async function listUserStates(
  store: Pick<UserStateStore, 'listUserStates'>,
  key: PublicStateKey,
  query: URLSearchParams,
): Promise<string> {
  const scope = `user states of ${key.accountId}/${key.slug}/${key.environment}`;
  const outcome = await store.listUserStates(key, parsePageRequest(query, scope));
  if (outcome.kind === 'no_project') throw noProject(key);
  const { items, cursor, hasMore } = pageBody(outcome.page, scope, itemText);
  return `{"items":[${items.join()}],"cursor":${JSON.stringify(cursor)},"hasMore":${hasMore}}`;
}

function itemText({ endUserId, version, stateText, updatedAt }: ListedUserState): string {
  return `{"endUserId":${JSON.stringify(endUserId)},"version":${version},"state":${stateText},"updatedAt":"${formatTime(updatedAt)}"}`;
}
