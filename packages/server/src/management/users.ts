/** The users of an account, who sign in through the built-in identity provider. */

import type { UserListBody } from '@holdfast/contract';
import { Refusal } from '../common/requests/refusal.ts';
import { formatTime } from '../common/requests/time.ts';
import { quoted } from '../common/text/quoted.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { ListedUser } from '../storage/contract/federation.ts';
import type { Page, PageRequest } from '../storage/contract/pages.ts';
import type { Store } from '../storage/store.ts';

/** Returns a page of users, newest first. */
export async function listUsers(
  store: Pick<Store, 'listUsers'>,
  accountId: string,
  page: PageRequest,
): Promise<Page<UserListBody['items'][number]>> {
  const { items, next } = await store.listUsers(accountId, page);
  return { items: items.map(userBody), next };
}

/** Deletes a user with everything that signs the user in, or throws `not_found`, or `player_blocked`. State is deleted by project. */
export async function deleteUser(
  store: Pick<Store, 'deleteUser'>,
  by: ChangedBy,
  accountId: string,
  userId: string,
): Promise<void> {
  const outcome = await store.deleteUser(by, accountId, userId);
  if (outcome === 'absent') throw new Refusal('not_found', `the account has no user ${quoted(userId)}`);
  if (outcome === 'blocked') {
    throw new Refusal(
      'player_blocked',
      'a project of the account blocks this user, who could sign up again: lift the block first',
    );
  }
}

const userBody = ({ userId, email, name, providers, createdAt }: ListedUser): UserListBody['items'][number] => ({
  userId,
  email,
  name,
  providers: [...providers],
  createdAt: formatTime(createdAt),
});
