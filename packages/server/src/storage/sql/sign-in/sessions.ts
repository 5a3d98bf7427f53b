/** Sessions of people, and ending them. */

import type { ChangedBy } from '../../contract/audit.ts';
import { builtInIssuerName } from '../../contract/identity.ts';
import type { LastOwner, Session } from '../../contract/sessions.ts';
import {
  integerAt,
  optionalDecodedTextAt,
  optionalIntegerAt,
  optionalTextAt,
  type Row,
  textAt,
} from '../../rows/columns.ts';
import { environmentNames, environmentNumbers } from '../../rows/environment-numbers.ts';
import { leaveAllAccounts } from '../accounts/leave-all-accounts.ts';
import { lockUser } from '../locks.ts';
import { all, type Steps } from '../steps.ts';
import { developersDirectory } from '../users/directories.ts';
import { removePasskeys } from '../users/passkeys.ts';
import { removeResets } from '../users/password-resets.ts';
import { removeSecondFactors } from '../users/second-factors.ts';
import { removeSignUps } from '../users/sign-ups.ts';
import { removeUser } from '../users/users.ts';
import { type Setting, smallRead, write } from '../verb.ts';
import { revokeTokensOf } from './revoked-tokens.ts';
import { endSignIns, listSignIns } from './user-sign-ins.ts';

const toSession = (row: Row): Session => ({
  familyId: textAt(row, 'family_id'),
  accountId: textAt(row, 'account_id'),
  projectName: optionalDecodedTextAt(row, 'project_name'),
  environment: environmentNames.find((name) => environmentNumbers[name] === row.environment) ?? null,
  createdAt: integerAt(row, 'created_at'),
  usedAt: optionalIntegerAt(row, 'replaced_at') ?? integerAt(row, 'created_at'),
  label: optionalTextAt(row, 'place'),
  amr: optionalTextAt(row, 'amr'),
});

function* list({ engine }: Setting, accountId: string | null, userId: string, now: number): Steps<readonly Session[]> {
  return (yield* listSignIns(engine, accountId ?? developersDirectory, userId, now)).map(toSession);
}

/** Ends all sign-ins of a user (contract/sessions.ts). */
export function* endAll(
  setting: Setting,
  accountId: string | null,
  userId: string,
  now: number,
): Steps<'ended' | 'no_user'> {
  const user = yield* lockUser(accountId, userId);
  if (user === undefined) return 'no_user';
  const directoryId = textAt(user, 'directory_id');
  // One row, always.
  yield* all('UPDATE users SET reset_at = $3 WHERE directory_id = $1 AND user_id = $2', [directoryId, userId, now]);
  yield* removeResets(directoryId, userId);
  yield* revokeTokensOf(setting, yield* endSignIns(setting.engine, directoryId, userId), now);
  return 'ended';
}

function* changePassword(
  setting: Setting,
  accountId: string | null,
  userId: string,
  passwordHash: string,
  now: number,
): Steps<'changed' | 'no_user'> {
  const user = yield* lockUser(accountId, userId);
  if (user === undefined || user.email_key === null) return 'no_user';
  const directoryId = textAt(user, 'directory_id');
  // One row, always.
  yield* all('UPDATE users SET password_hash = $3 WHERE directory_id = $1 AND user_id = $2', [
    directoryId,
    userId,
    passwordHash,
  ]);
  yield* removeSignUps(directoryId, textAt(user, 'email_key'));
  yield* endAll(setting, accountId, userId, now);
  return 'changed';
}

function* forgetFactors(
  setting: Setting,
  accountId: string | null,
  userId: string,
  now: number,
): Steps<'forgotten' | 'no_user'> {
  if ((yield* endAll(setting, accountId, userId, now)) === 'no_user') return 'no_user';
  const directoryId = accountId ?? developersDirectory;
  yield* removeSecondFactors(directoryId, userId);
  yield* removePasskeys(directoryId, userId);
  return 'forgotten';
}

/** The accounts are locked, so of two owners who leave at the same time, one stays. */
function* deleteDeveloper(
  setting: Setting,
  by: ChangedBy,
  userId: string,
): Steps<{ readonly kind: 'deleted' | 'absent' } | LastOwner> {
  const accountName = yield* leaveAllAccounts(by, builtInIssuerName, userId);
  if (accountName !== undefined) return { kind: 'last_owner', accountName };
  return { kind: (yield* removeUser(setting, developersDirectory, userId, by.at)) ? 'deleted' : 'absent' };
}

export const sessionVerbs = {
  /** The sessions of a user of a directory, most recently used first. */
  listSessions: smallRead(list),
  /**
   * Ends all sign-ins of a user, in every project of the account: proofs of identity from before `now` no longer count (`resetAt`), and
   * pending mailed links are deleted.
   */
  endSessions: write(endAll),
  /** Sets the password of a user with a proven address, and does what `endSessions` does. Passkeys stay. */
  changePassword: write(changePassword),
  /**
   * Removes the second factor and all passkeys of a user who has lost them, and does what `endSessions` does: only the password is left.
   */
  forgetFactors: write(forgetFactors, { forgets: true }),
  /**
   * Deletes a developer of the built-in identity provider with all sign-in methods. `last_owner`, with nothing changed, names an account
   * that would have no owner left.
   */
  deleteDeveloper: write(deleteDeveloper, { forgets: true }),
};
