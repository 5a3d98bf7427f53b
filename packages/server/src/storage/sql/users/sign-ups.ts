/** Sign-ups waiting for their mailed code. */

import type { ConfirmSignUpOutcome, PendingSignUp, User } from '../../contract/identity.ts';
import { integerAt } from '../../rows/columns.ts';
import { toSignUp } from '../../rows/identity-rows.ts';
import { encodeOptional, encodeText } from '../../rows/stored-texts.ts';
import { ownerExists } from '../schema/tables.ts';
import { all, first, type Steps } from '../steps.ts';
import { type Setting, smallRead, write } from '../verb.ts';
import { accountOfDirectory, developersDirectory, directory, isDirectory } from './directories.ts';
import { encodedKeys, usersOf } from './email-keys.ts';
import { removeMailsTo } from './waiting-mails.ts';

const columns = `${accountOfDirectory}, email, email_key, name, password_hash, code_hash, attempts_left, created_at, expires_at`;

function* find(_: Setting, signUpHash: Uint8Array, now: number): Steps<PendingSignUp | undefined> {
  // No row: no such sign-up, it expired, or its account was deleted.
  const row = yield* first(
    `SELECT ${columns} FROM pending_sign_ups
     WHERE sign_up_hash = $1 AND expires_at > $2 AND ${ownerExists('pending_sign_ups')}`,
    [signUpHash, now],
  );
  return row && toSignUp(row);
}

function* findByEmail(
  _: Setting,
  accountId: string | null,
  emailKey: string,
  now: number,
): Steps<PendingSignUp | undefined> {
  // No row: no such directory, or the address has no unexpired sign-up.
  const row = yield* first(
    `SELECT ${columns} FROM pending_sign_ups
     WHERE directory_id = ${directory} AND email_key IN ($2, $3, $4) AND expires_at > $5 AND ${isDirectory}
     ORDER BY created_at DESC, position DESC LIMIT 1`,
    [accountId, ...encodedKeys(emailKey), now],
  );
  return row && toSignUp(row);
}

function* add(_: Setting, signUpHash: Uint8Array, signUp: PendingSignUp): Steps<'added' | 'no_account'> {
  const { accountId, createdAt, expiresAt, attemptsLeft, codeHash, email, emailKey, name, passwordHash } = signUp;
  // One row, always: whether there is such a directory, and the next position for the address. Two concurrent sign-ups may get the same
  // one: neither is newer.
  const account = yield* first(
    `SELECT CASE WHEN ${isDirectory} THEN 1 ELSE 0 END AS is_directory, coalesce(max(position), 0) + 1 AS position
     FROM pending_sign_ups WHERE directory_id = ${directory} AND email_key = $2`,
    [accountId, encodeText(emailKey)],
  );
  if (account?.is_directory !== 1) return 'no_account';
  // Two sign-ups with the same hash are a fault of the caller and fail.
  yield* all(
    `INSERT INTO pending_sign_ups (sign_up_hash, directory_id, position, created_at, expires_at, attempts_left, code_hash, email,
       email_key, name, password_hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      signUpHash,
      accountId ?? developersDirectory,
      integerAt(account, 'position'),
      createdAt,
      expiresAt,
      attemptsLeft,
      codeHash,
      encodeText(email),
      encodeText(emailKey),
      encodeOptional(name),
      passwordHash,
    ],
  );
  return 'added';
}

function* renew(
  _: Setting,
  signUpHash: Uint8Array,
  { codeHash, attemptsLeft, expiresAt }: Pick<PendingSignUp, 'codeHash' | 'attemptsLeft' | 'expiresAt'>,
  now: number,
): Steps<'renewed' | 'unknown'> {
  // No row: no such sign-up, or it expired.
  const renewed = yield* first(
    `UPDATE pending_sign_ups SET code_hash = $2, attempts_left = $3, expires_at = $4
     WHERE sign_up_hash = $1 AND expires_at > $5 RETURNING sign_up_hash`,
    [signUpHash, codeHash, attemptsLeft, expiresAt, now],
  );
  return renewed === undefined ? 'unknown' : 'renewed';
}

export type TriedCode =
  | { readonly kind: 'right'; readonly signUp: PendingSignUp }
  | Exclude<ConfirmSignUpOutcome, { kind: 'confirmed' }>;

/**
 * Uses up an attempt of a sign-up. The first statement locks all sign-ups of the address until the end of the transaction, always in the
 * same order: a concurrent use of any of them waits, and then sees the result of this use.
 */
export function* tryCode(_: Setting, signUpHash: Uint8Array, codeHash: Uint8Array, now: number): Steps<TriedCode> {
  // A row for each sign-up of the address.
  yield* all(
    `SELECT sign_up_hash FROM pending_sign_ups WHERE (directory_id, email_key) =
       (SELECT directory_id, email_key FROM pending_sign_ups WHERE sign_up_hash = $1)
     ORDER BY sign_up_hash FOR UPDATE`,
    [signUpHash],
  );
  // No row: no such sign-up, it expired or ran out of attempts, or its account was deleted.
  const row = yield* first(
    `UPDATE pending_sign_ups SET attempts_left = attempts_left - 1
     WHERE sign_up_hash = $1 AND expires_at > $3 AND attempts_left > 0 AND ${ownerExists('pending_sign_ups')}
     RETURNING ${columns}, CASE WHEN code_hash = $2 THEN 1 ELSE 0 END AS is_right`,
    [signUpHash, codeHash, now],
  );
  if (row === undefined) return { kind: 'unknown' };
  const signUp = toSignUp(row);
  return row.is_right === 1 ? { kind: 'right', signUp } : { kind: 'wrong_code', attemptsLeft: signUp.attemptsLeft };
}

function* confirm(
  setting: Setting,
  signUpHash: Uint8Array,
  codeHash: Uint8Array,
  { userId, createdAt }: Pick<User, 'userId' | 'createdAt'>,
  now: number,
): Steps<ConfirmSignUpOutcome> {
  const tried = yield* tryCode(setting, signUpHash, codeHash, now);
  if (tried.kind !== 'right') return tried;
  const { accountId, email, emailKey, name, passwordHash } = tried.signUp;
  const directoryId = accountId ?? developersDirectory;
  // The address may have been signed up with an earlier release, which stores a different key.
  const isTaken = (yield* usersOf(accountId, emailKey)).length > 0;
  // No row: the address already belongs to a user. Two users with the same id are a fault of the caller and fail.
  const added = isTaken
    ? undefined
    : yield* first(
        `INSERT INTO users (directory_id, user_id, created_at, email, email_key, name, password_hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (directory_id, email_key) WHERE email_key IS NOT NULL DO NOTHING RETURNING user_id`,
        [directoryId, userId, createdAt, encodeText(email), encodeText(emailKey), encodeOptional(name), passwordHash],
      );
  yield* removeSignUps(directoryId, encodeText(emailKey));
  if (added === undefined) return { kind: 'unknown' };
  return { kind: 'confirmed', user: { accountId, userId, email, emailKey, name, passwordHash, resetAt: null, createdAt } };
}

/** Deletes every sign-up of an address in a directory, and unsent mails about the address. `emailKey` is in the column's form. */
export function* removeSignUps(directoryId: string, emailKey: string): Steps<void> {
  // Any number of rows.
  yield* all('DELETE FROM pending_sign_ups WHERE directory_id = $1 AND email_key = $2', [directoryId, emailKey]);
  yield* removeMailsTo(directoryId, emailKey);
}

export const signUpVerbs = {
  /** `signUpHash` is the SHA-256 of the secret that the applicant holds. */
  addSignUp: write(add),
  /** An unexpired sign-up, even if no attempts are left. */
  findSignUp: smallRead(find),
  /** The newest unexpired sign-up of an address. */
  findSignUpByEmail: smallRead(findByEmail),
  /** Replaces the code, attempts and time of an unexpired sign-up. */
  renewSignUp: write(renew),
  /**
   * Uses up an attempt. The right code creates the user and deletes every sign-up of the address in the same step: of parallel uses,
   * exactly one gets `confirmed`.
   */
  confirmSignUp: write(confirm),
};
