/** Sign-in methods that people add and remove themselves. A user always keeps one. */

import type { ConfirmSignUpOutcome } from '../../contract/identity.ts';
import type { AddedLink, ProviderLink, RemovedMethod } from '../../contract/sessions.ts';
import { decodedTextAt, type Row, textAt } from '../../rows/columns.ts';
import { toUser } from '../../rows/identity-rows.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import { lockUser } from '../locks.ts';
import { endAll } from '../sign-in/sessions.ts';
import { all, first, one, type Steps } from '../steps.ts';
import { type Setting, smallRead, write } from '../verb.ts';
import { developersDirectory, directory, isDirectory, userColumns } from './directories.ts';
import { usersOf } from './email-keys.ts';
import { removeSignUps, tryCode } from './sign-ups.ts';

/** Whether a locked user has no other sign-in method than this one. */
function* isLastMethod(user: Row, userId: string): Steps<boolean> {
  const row = yield* one(
    `SELECT (SELECT count(*) FROM passkeys WHERE directory_id = $1 AND user_id = $2)
       + (SELECT count(*) FROM federated_identities WHERE directory_id = $1 AND user_id = $2) AS methods`,
    [textAt(user, 'directory_id'), userId],
  );
  return Number(row.methods) + (user.password_hash === null ? 0 : 1) < 2;
}

function* confirmPassword(
  setting: Setting,
  accountId: string | null,
  userId: string,
  signUpHash: Uint8Array,
  codeHash: Uint8Array,
  now: number,
): Steps<ConfirmSignUpOutcome> {
  const tried = yield* tryCode(setting, signUpHash, codeHash, now);
  if (tried.kind !== 'right') return tried;
  const { email, emailKey, passwordHash } = tried.signUp;
  const user = tried.signUp.accountId === accountId ? yield* lockUser(accountId, userId) : undefined;
  if (user === undefined || user.email_key !== null) return { kind: 'unknown' };
  const directoryId = textAt(user, 'directory_id');
  // The address cannot be claimed in the meantime, since all its sign-ups are locked.
  const isTaken = (yield* usersOf(accountId, emailKey)).length > 0;
  // One row, always: the user is locked.
  const row = isTaken
    ? undefined
    : yield* first(
        `UPDATE users SET email = $3, email_key = $4, password_hash = $5
         WHERE directory_id = $1 AND user_id = $2 RETURNING ${userColumns}`,
        [directoryId, userId, encodeText(email), encodeText(emailKey), passwordHash],
      );
  yield* removeSignUps(directoryId, encodeText(emailKey));
  return row === undefined ? { kind: 'unknown' } : { kind: 'confirmed', user: toUser(row, accountId) };
}

function* removePassword(setting: Setting, accountId: string | null, userId: string, now: number): Steps<RemovedMethod> {
  const user = yield* lockUser(accountId, userId);
  if (user === undefined || user.password_hash === null) return 'absent';
  if (yield* isLastMethod(user, userId)) return 'last_method';
  // One row, always.
  yield* all('UPDATE users SET password_hash = NULL WHERE directory_id = $1 AND user_id = $2', [
    textAt(user, 'directory_id'),
    userId,
  ]);
  yield* endAll(setting, accountId, userId, now);
  return 'removed';
}

function* removePasskey(_: Setting, accountId: string | null, userId: string, credentialId: string): Steps<RemovedMethod> {
  const user = yield* lockUser(accountId, userId);
  if (user === undefined) return 'absent';
  const values = [textAt(user, 'directory_id'), userId, credentialId];
  const which = 'directory_id = $1 AND user_id = $2 AND credential_id = $3';
  // No row: the user has no such passkey.
  if ((yield* first(`SELECT credential_id FROM passkeys WHERE ${which}`, values)) === undefined) return 'absent';
  if (yield* isLastMethod(user, userId)) return 'last_method';
  // One row, always.
  yield* all(`DELETE FROM passkeys WHERE ${which}`, values);
  return 'removed';
}

function* listLinks(_: Setting, accountId: string | null, userId: string): Steps<readonly ProviderLink[]> {
  // Any number of rows.
  const rows = yield* all(
    `SELECT provider_id, issuer, subject FROM federated_identities
     WHERE directory_id = ${directory} AND user_id = $2 AND ${isDirectory} ORDER BY provider_id, issuer, subject`,
    [accountId, userId],
  );
  return rows.map((row) => ({
    providerId: textAt(row, 'provider_id'),
    issuer: decodedTextAt(row, 'issuer'),
    subject: decodedTextAt(row, 'subject'),
  }));
}

const valuesOf = ({ providerId, issuer, subject }: ProviderLink) => [providerId, encodeText(issuer), encodeText(subject)];

const isLink =
  ({ providerId, issuer, subject }: ProviderLink) =>
  (other: ProviderLink) =>
    other.providerId === providerId && other.issuer === issuer && other.subject === subject;

function* addLink(
  setting: Setting,
  accountId: string | null,
  userId: string,
  link: ProviderLink,
  linksMax: number,
): Steps<AddedLink> {
  if ((yield* lockUser(accountId, userId)) === undefined) return 'no_user';
  const links = yield* listLinks(setting, accountId, userId);
  if (links.some(isLink(link))) return 'known';
  if (links.length >= linksMax) return 'too_many';
  // No row: another user has this identity.
  const added = yield* first(
    `INSERT INTO federated_identities (directory_id, provider_id, issuer, subject, user_id) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (directory_id, provider_id, issuer, subject) DO NOTHING RETURNING user_id`,
    [accountId ?? developersDirectory, ...valuesOf(link), userId],
  );
  return added === undefined ? 'taken' : 'added';
}

function* removeLink(setting: Setting, accountId: string | null, userId: string, link: ProviderLink): Steps<RemovedMethod> {
  const user = yield* lockUser(accountId, userId);
  if (user === undefined || !(yield* listLinks(setting, accountId, userId)).some(isLink(link))) return 'absent';
  if (yield* isLastMethod(user, userId)) return 'last_method';
  // One row, always.
  yield* all(
    `DELETE FROM federated_identities
     WHERE directory_id = $1 AND provider_id = $2 AND issuer = $3 AND subject = $4 AND user_id = $5`,
    [textAt(user, 'directory_id'), ...valuesOf(link), userId],
  );
  return 'removed';
}

export const ownMethodVerbs = {
  /**
   * Gives a user the password and the address of a sign-up, as `confirmSignUp` does for a new user. Also returns `unknown` if the user
   * already has a proven address, or another user has this address.
   */
  confirmPassword: write(confirmPassword),
  /**
   * Removes the password of a user, and does what `endSessions` does. The address stays proven, so a mailed link can set a password again.
   * `last_method` if the user could not sign in afterwards.
   */
  removePassword: write(removePassword, { forgets: true }),
  /** Also returns `absent` for another user's passkey. */
  removePasskey: write(removePasskey),
  listProviderLinks: smallRead(listLinks),
  /**
   * Lets a user sign in through an unused identity. `taken` if another user has it, `known` if this user already has it, `no_user` if the
   * user is deleted.
   */
  addProviderLink: write(addLink),
  removeProviderLink: write(removeLink),
};
