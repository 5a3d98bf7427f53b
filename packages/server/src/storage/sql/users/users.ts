/** Users of the built-in identity provider and of others: list and deletion. */

import type { ListedUser } from '../../contract/federation.ts';
import type { User } from '../../contract/identity.ts';
import type { Page, PageRequest } from '../../contract/pages.ts';
import { ofAccount } from '../../contract/read-owner.ts';
import { decodedTextAt, textAt } from '../../rows/columns.ts';
import { toUser } from '../../rows/identity-rows.ts';
import { beforeFirst, pageOf } from '../../rows/pages.ts';
import { toListedUser } from '../../rows/sign-in-method-rows.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import { type AuditedSetting, audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import type { EngineSql } from '../engine-sql.ts';
import { isBlockedAnywhere } from '../players/player-blocks.ts';
import { removeWords } from '../players/player-words.ts';
import { forgetSignIns } from '../players/project-players.ts';
import { type RevocationSetting, revokeTokensOf } from '../sign-in/revoked-tokens.ts';
import { removeSignIns } from '../sign-in/user-sign-ins.ts';
import { all, first, type Steps } from '../steps.ts';
import { largeRead, type Setting, smallRead, write } from '../verb.ts';
import { directory, isAccount, isDirectory, userColumns } from './directories.ts';
import { usersOf } from './email-keys.ts';
import { removePasskeys } from './passkeys.ts';
import { removeResets } from './password-resets.ts';
import { removeSecondFactors } from './second-factors.ts';
import { removeSignUps } from './sign-ups.ts';

function* find(_: Setting, accountId: string | null, userId: string): Steps<User | undefined> {
  // No row: no such directory or user.
  const row = yield* first(
    `SELECT ${userColumns} FROM users WHERE directory_id = ${directory} AND user_id = $2 AND ${isDirectory}`,
    [accountId, userId],
  );
  return row && toUser(row, accountId);
}

function* findByEmail(_: Setting, accountId: string | null, emailKey: string): Steps<User | undefined> {
  const users = yield* usersOf(accountId, emailKey);
  return users.find((user) => user.emailKey === emailKey) ?? (users.length === 1 ? users[0] : undefined);
}

function* findHolder(setting: Setting, accountId: string | null, emailKey: string): Steps<User | undefined> {
  return (yield* findByEmail(setting, accountId, emailKey)) ?? (yield* usersOf(accountId, emailKey))[0];
}

function* replacePassword(
  _: Setting,
  { accountId, userId }: Pick<User, 'accountId' | 'userId'>,
  expected: string,
  next: string,
): Steps<'replaced' | 'superseded'> {
  // No row: no such user, or the password has changed.
  const replaced = yield* first(
    `UPDATE users SET password_hash = $4
     WHERE directory_id = ${directory} AND user_id = $2 AND password_hash = $3 AND ${isDirectory} RETURNING user_id`,
    [accountId, userId, expected, next],
  );
  return replaced === undefined ? 'superseded' : 'replaced';
}

function* list(_: Setting, accountId: string, { after, itemsMax }: PageRequest): Steps<Page<ListedUser>> {
  const { createdAt, tie } = after ?? beforeFirst;
  // One user more than the page holds shows whether anything follows. A row for each link to a provider, or one for a user without any.
  const rows = yield* all(
    `SELECT page.user_id, page.email, page.name, page.created_at, page.has_password, links.provider_id FROM (
       SELECT user_id, email, name, created_at, CASE WHEN password_hash IS NULL THEN 0 ELSE 1 END AS has_password
       FROM users WHERE directory_id = $1 AND (created_at, user_id) < ($2, $3) AND ${isAccount}
       ORDER BY created_at DESC, user_id DESC LIMIT $4) AS page
     LEFT JOIN federated_identities AS links ON links.directory_id = $1 AND links.user_id = page.user_id
     ORDER BY page.created_at DESC, page.user_id DESC`,
    [accountId, createdAt, tie, itemsMax + 1],
  );
  const users = [...Map.groupBy(rows, ({ user_id: userId }) => userId).values()].map(toListedUser);
  return pageOf(users, itemsMax, (item) => ({ createdAt: item.createdAt, tie: item.userId }));
}

function* remove(
  setting: AuditedSetting,
  accountId: string,
  userId: string,
): Steps<WithAuditEntry<'deleted' | 'absent' | 'blocked'>> {
  // No row: no such account.
  const account = yield* first('SELECT account_id FROM accounts WHERE account_id = $1', [accountId]);
  if (account === undefined) return unchanged('absent');
  // A row for each provider that the user has signed in through, all of one player.
  const identities = yield* all(
    'SELECT end_user_id FROM identities WHERE account_id = $1 AND subject = $2 ORDER BY provider FOR UPDATE',
    [accountId, encodeText(userId)],
  );
  const player = identities[0] === undefined ? userId : decodedTextAt(identities[0], 'end_user_id');
  if (yield* isBlockedAnywhere(accountId, player, setting.by.at)) return unchanged('blocked');
  if (!(yield* removeUser(setting, accountId, userId, setting.by.at))) return unchanged('absent');
  // As many rows as were found.
  yield* all('DELETE FROM identities WHERE account_id = $1 AND subject = $2', [accountId, encodeText(userId)]);
  yield* removeWords(accountId, encodeText(userId));
  // No row: no other identity signs the player in.
  const other = yield* first('SELECT 1 AS found FROM identities WHERE account_id = $1 AND end_user_id = $2 LIMIT 1', [
    accountId,
    encodeText(player),
  ]);
  if (other === undefined) yield* forgetSignIns(accountId, player, null);
  // No row: the user was not linked to a guest.
  yield* all('DELETE FROM player_links WHERE account_id = $1 AND subject = $2', [accountId, encodeText(userId)]);
  return withAuditEntry('deleted', { action: 'user.delete', target: `users/${userId}`, detail: {} });
}

/**
 * Deletes a user of a directory with all sign-in data: passkeys, second factor, links to providers, pending mails, codes and refresh-token
 * families. Their access tokens end as of `now`; null means that their accounts are deleted. Returns whether the user existed.
 *
 * The user's row is deleted first. Adding a passkey or a reset locks that row first, so it is either seen by the following statements or
 * finds no user.
 */
export function* removeUser(
  setting: RevocationSetting & { readonly engine: Pick<EngineSql, 'signIns' | 'isOneOf'> },
  directoryId: string,
  userId: string,
  now: number | null,
): Steps<boolean> {
  // No row: no such user.
  const user = yield* first('DELETE FROM users WHERE directory_id = $1 AND user_id = $2 RETURNING email_key', [
    directoryId,
    userId,
  ]);
  if (user === undefined) return false;
  yield* removePasskeys(directoryId, userId);
  yield* removeSecondFactors(directoryId, userId);
  // Any number of rows.
  yield* all('DELETE FROM federated_identities WHERE directory_id = $1 AND user_id = $2', [directoryId, userId]);
  yield* removeResets(directoryId, userId);
  if (user.email_key !== null) yield* removeSignUps(directoryId, textAt(user, 'email_key'));
  const families = yield* removeSignIns(setting.engine, directoryId, userId);
  if (now !== null) yield* revokeTokensOf(setting, families, now);
  return true;
}

/** Rows of each kind that one sweep deletes at most. */
const sweepRowsMax = 250;

/** A row for each deleted one, a bounded number. A record that is renewed in the meantime stays. */
const removals = (
  [
    ['password_resets', 'token_hash'],
    ['pending_sign_ups', 'sign_up_hash'],
    ['waiting_mails', 'mail_hash'],
    ['invitations', 'invitation_hash'],
    ['spent_tickets', 'ticket_hash'],
  ] as const
).map(
  ([table, key]) =>
    `DELETE FROM ${table} WHERE expires_at <= $1 AND ${key} IN (
       SELECT ${key} FROM ${table} WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${sweepRowsMax})
     RETURNING ${key}`,
);

function* sweep(_: Setting, now: number): Steps<number> {
  let removed = 0;
  for (const removal of removals) removed += (yield* all(removal, [now])).length;
  return removed;
}

export const userVerbs = {
  findUser: smallRead(find),
  /** The user with this key, or otherwise the only user with the same address; undefined if two users have it. */
  findUserByEmail: smallRead(findByEmail),
  /** Returns the result of `findUserByEmail`, or otherwise any user with the address, which then cannot be registered again. */
  findHolderOfEmail: smallRead(findHolder),
  /** Replaces a password hash if it is still `expected`, so an old password never undoes a reset. */
  replacePasswordHash: write(replacePassword),
  /** Newest first; `tie` is the user id. */
  listUsers: largeRead(list, ofAccount),
  /**
   * Deletes a user of an account with all sign-in data: password, passkeys, links to providers, mailed codes and links, authorization
   * codes, and refresh-token families in every project. State stays. `blocked`, with nothing changed: a project of the account blocks the
   * user, who could otherwise return as a new user.
   */
  deleteUser: audited(remove, ofAccount, { forgets: true }),
  /** Deletes expired sign-ups, resets and invitations, a bounded number at a time. Returns the number deleted. */
  sweepExpiredIdentities: write(sweep),
};
