/** What people see and change of their own sign-in. */

import type { ChangedBy } from '../audit-store.ts';
import { integerAt, optionalIntegerAt, optionalTextAt, textAt } from '../columns.ts';
import { builtInIssuerName } from '../identity-store.ts';
import { decodeOptional, decodeText, encodeText, environmentNames, environmentNumbers, type Row } from '../rows.ts';
import type { LastOwner, ProviderLink, Session } from '../session-store.ts';
import { developersDirectory, directory, isDirectory } from './directories.ts';
import { holdUser } from './held-user.ts';
import { leaveAll } from './members.ts';
import { removePasskeys } from './passkeys.ts';
import { removeResets } from './password-resets.ts';
import { removeSecondFactors } from './second-factors.ts';
import { removeSignUps } from './sign-ups.ts';
import { all, first, type Steps } from './steps.ts';
import { removeUser } from './users.ts';
import { read, type Setting, write } from './verb.ts';

const toSession = (row: Row): Session => ({
  familyId: textAt(row, 'family_id'),
  accountId: textAt(row, 'account_id'),
  projectName: decodeOptional(row.project_name),
  environment: environmentNames.find((name) => environmentNumbers[name] === row.environment) ?? null,
  createdAt: integerAt(row, 'created_at'),
  usedAt: optionalIntegerAt(row, 'replaced_at') ?? integerAt(row, 'created_at'),
  place: optionalTextAt(row, 'place'),
  amr: optionalTextAt(row, 'amr'),
});

function* list({ own }: Setting, accountId: string | null, userId: string, now: number): Steps<readonly Session[]> {
  return (yield* own.listSignIns(accountId ?? developersDirectory, userId, now)).map(toSession);
}

function* end({ own }: Setting, accountId: string | null, userId: string, now: number): Steps<'ended' | 'no_user'> {
  const user = yield* holdUser(accountId, userId);
  if (user === undefined) return 'no_user';
  const directoryId = textAt(user, 'directory_id');
  // One row, always.
  yield* all('UPDATE users SET reset_at = $3 WHERE directory_id = $1 AND user_id = $2', [directoryId, userId, now]);
  yield* removeResets(directoryId, userId);
  yield* own.endSignIns(directoryId, userId);
  return 'ended';
}

function* changePassword(
  setting: Setting,
  accountId: string | null,
  userId: string,
  passwordHash: string,
  now: number,
): Steps<'changed' | 'no_user'> {
  const user = yield* holdUser(accountId, userId);
  if (user === undefined || user.email_key === null) return 'no_user';
  const directoryId = textAt(user, 'directory_id');
  // One row, always.
  yield* all('UPDATE users SET password_hash = $3 WHERE directory_id = $1 AND user_id = $2', [
    directoryId,
    userId,
    passwordHash,
  ]);
  yield* removeSignUps(directoryId, textAt(user, 'email_key'));
  yield* end(setting, accountId, userId, now);
  return 'changed';
}

function* forgetFactors(
  setting: Setting,
  accountId: string | null,
  userId: string,
  now: number,
): Steps<'forgotten' | 'no_user'> {
  if ((yield* end(setting, accountId, userId, now)) === 'no_user') return 'no_user';
  const directoryId = accountId ?? developersDirectory;
  yield* removeSecondFactors(directoryId, userId);
  yield* removePasskeys(directoryId, userId);
  return 'forgotten';
}

function* removePasskey(
  _: Setting,
  accountId: string | null,
  userId: string,
  credentialId: string,
): Steps<'removed' | 'absent'> {
  // No row: the user has no such passkey. Whoever has passkeys has a password too, so this is never the last method.
  const removed = yield* first(
    `DELETE FROM passkeys WHERE directory_id = ${directory} AND user_id = $2 AND credential_id = $3 AND ${isDirectory}
     RETURNING credential_id`,
    [accountId, userId, credentialId],
  );
  return removed === undefined ? 'absent' : 'removed';
}

function* listLinks(_: Setting, accountId: string, userId: string): Steps<readonly ProviderLink[]> {
  // Any number of rows.
  const rows = yield* all(
    `SELECT provider_id, issuer, subject FROM federated_identities
     WHERE directory_id = $1 AND user_id = $2 ORDER BY provider_id, issuer, subject`,
    [accountId, userId],
  );
  return rows.map((row) => ({
    providerId: textAt(row, 'provider_id'),
    issuer: decodeText(row.issuer),
    subject: decodeText(row.subject),
  }));
}

const valuesOf = ({ providerId, issuer, subject }: ProviderLink) => [providerId, encodeText(issuer), encodeText(subject)];

function* addLink(_: Setting, accountId: string, userId: string, link: ProviderLink): Steps<'added' | 'taken' | 'no_user'> {
  if ((yield* holdUser(accountId, userId)) === undefined) return 'no_user';
  // No row: somebody has this identity, maybe the user.
  const added = yield* first(
    `INSERT INTO federated_identities (directory_id, provider_id, issuer, subject, user_id) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (directory_id, provider_id, issuer, subject) DO NOTHING RETURNING user_id`,
    [accountId, ...valuesOf(link), userId],
  );
  return added === undefined ? 'taken' : 'added';
}

function* removeLink(
  _: Setting,
  accountId: string,
  userId: string,
  link: ProviderLink,
): Steps<'removed' | 'absent' | 'last_method'> {
  const user = yield* holdUser(accountId, userId);
  if (user === undefined) return 'absent';
  const links = yield* listLinks(_, accountId, userId);
  const isTheirs = links.some(
    ({ providerId, issuer, subject }) =>
      providerId === link.providerId && issuer === link.issuer && subject === link.subject,
  );
  if (!isTheirs) return 'absent';
  if (links.length === 1 && user.password_hash === null) return 'last_method';
  // One row, always.
  yield* all(
    `DELETE FROM federated_identities
     WHERE directory_id = $1 AND provider_id = $2 AND issuer = $3 AND subject = $4 AND user_id = $5`,
    [accountId, ...valuesOf(link), userId],
  );
  return 'removed';
}

/** The accounts are held, so that of two owners who go at the same time one stays. */
function* deleteDeveloper(
  setting: Setting,
  by: ChangedBy,
  userId: string,
): Steps<{ readonly kind: 'deleted' | 'absent' } | LastOwner> {
  const accountName = yield* leaveAll(by, builtInIssuerName, userId);
  if (accountName !== undefined) return { kind: 'last_owner', accountName };
  return { kind: (yield* removeUser(setting, developersDirectory, userId)) ? 'deleted' : 'absent' };
}

export const sessionVerbs = {
  listSessions: read(list),
  endSessions: write(end),
  changePassword: write(changePassword),
  forgetFactors: write(forgetFactors, { forgets: true }),
  removePasskey: write(removePasskey),
  listProviderLinks: read(listLinks),
  addProviderLink: write(addLink),
  removeProviderLink: write(removeLink),
  deleteDeveloper: write(deleteDeveloper, { forgets: true }),
};
