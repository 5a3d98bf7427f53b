/** The users of an account: whoever signs in through the built-in identity provider. */
import type { UserListBody } from '@holdfast/contract';
import { quoted, Refusal } from '../common/refusal.ts';
import type { FederationStore, ListedUser } from '../storage/federation-store.ts';
import { pageBody, parsePageRequest } from './page.ts';
import { formatTime } from './time.ts';

/** Returns the page of users that `query` asks for, newest first; throws `validation_error` for a malformed query. */
export async function listUsers(
  store: Pick<FederationStore, 'listUsers'>,
  accountId: string,
  query: URLSearchParams,
): Promise<UserListBody> {
  const scope = `users of ${accountId}`;
  return pageBody(await store.listUsers(accountId, parsePageRequest(query, scope)), scope, userBody);
}

/** Deletes a user with everything that signs the user in, or throws `not_found`. State is deleted by project. */
export async function deleteUser(
  store: Pick<FederationStore, 'deleteUser'>,
  accountId: string,
  userId: string,
): Promise<void> {
  if ((await store.deleteUser(accountId, userId)) === 'absent') {
    throw new Refusal('not_found', `the account has no user ${quoted(userId)}`);
  }
}

const userBody = ({ userId, email, name, providers, createdAt }: ListedUser): UserListBody['items'][number] => ({
  userId,
  email,
  name,
  providers: [...providers],
  createdAt: formatTime(createdAt),
});
