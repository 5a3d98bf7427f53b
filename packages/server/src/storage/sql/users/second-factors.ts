/** Second factors and recovery codes. */

import { builtInIssuerName } from '../../contract/identity.ts';
import type { SecondFactor } from '../../contract/own-methods.ts';
import { bytesAt, integerAt, optionalIntegerAt, textAt } from '../../rows/columns.ts';
import { lockUser } from '../locks.ts';
import { all, first, type Steps, together } from '../steps.ts';
import { type Setting, smallRead, write } from '../verb.ts';
import { developerHash, developersDirectory, directory, isDirectory } from './directories.ts';

/** SQL: whether a row belongs to user `$2` of directory `$1`. */
const isOfUser = `directory_id = ${directory} AND user_id = $2 AND ${isDirectory}`;

/** Returns the second factor of a user, and the number of recovery codes left; undefined if there is none. */
function* find(
  _: unknown,
  accountId: string | null,
  userId: string,
): Steps<(SecondFactor & { readonly recoveryCodes: number }) | undefined> {
  // No row: the user has none, or was deleted.
  const row = yield* first(
    `SELECT sealed_secret, created_at, last_step, (SELECT count(*) FROM recovery_codes WHERE ${isOfUser}) AS recovery_codes
     FROM second_factors WHERE ${isOfUser}`,
    [accountId, userId],
  );
  return (
    row && {
      accountId,
      userId,
      sealedSecret: bytesAt(row, 'sealed_secret'),
      createdAt: integerAt(row, 'created_at'),
      lastStep: integerAt(row, 'last_step'),
      recoveryCodes: Number(row.recovery_codes),
    }
  );
}

function* addCodes(directoryId: string, userId: string, hashes: readonly Uint8Array[]): Steps<void> {
  // One row each. Two codes with the same hash are a fault of the caller and fail.
  const sql = 'INSERT INTO recovery_codes (directory_id, user_id, code_hash) VALUES ($1, $2, $3)';
  yield* together(hashes.map((hash) => ({ sql, values: [directoryId, userId, hash] })));
}

function* removeCodes(directoryId: string, userId: string): Steps<void> {
  // Any number of rows.
  yield* all('DELETE FROM recovery_codes WHERE directory_id = $1 AND user_id = $2', [directoryId, userId]);
}

function* add(
  _: Setting,
  { accountId, userId, sealedSecret, createdAt, lastStep }: SecondFactor,
  hashes: readonly Uint8Array[],
): Steps<'added' | 'already_exists' | 'no_user'> {
  const user = yield* lockUser(accountId, userId);
  if (user === undefined || (optionalIntegerAt(user, 'reset_at') ?? -1) >= createdAt) return 'no_user';
  const directoryId = textAt(user, 'directory_id');
  // No row: the user has one.
  const added = yield* first(
    `INSERT INTO second_factors (directory_id, user_id, created_at, last_step, sealed_secret) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (directory_id, user_id) DO NOTHING RETURNING user_id`,
    [directoryId, userId, createdAt, lastStep, sealedSecret],
  );
  if (added === undefined) return 'already_exists';
  yield* addCodes(directoryId, userId, hashes);
  return 'added';
}

function* useStep(_: Setting, accountId: string | null, userId: string, step: number): Steps<'used' | 'stale'> {
  // No row: the user has no second factor, or a code of this step or a later one was used.
  const used = yield* first(
    `UPDATE second_factors SET last_step = $3 WHERE ${isOfUser} AND last_step < $3 RETURNING last_step`,
    [accountId, userId, step],
  );
  return used === undefined ? 'stale' : 'used';
}

function* useCode(_: Setting, accountId: string | null, userId: string, codeHash: Uint8Array): Steps<'used' | 'unknown'> {
  // No row: no such code, or it was used.
  const used = yield* first(`DELETE FROM recovery_codes WHERE ${isOfUser} AND code_hash = $3 RETURNING user_id`, [
    accountId,
    userId,
    codeHash,
  ]);
  return used === undefined ? 'unknown' : 'used';
}

function* replaceCodes(
  _: Setting,
  accountId: string | null,
  userId: string,
  hashes: readonly Uint8Array[],
): Steps<'replaced' | 'absent'> {
  const user = yield* lockUser(accountId, userId);
  if (user === undefined || (yield* find(_, accountId, userId)) === undefined) return 'absent';
  const directoryId = textAt(user, 'directory_id');
  yield* removeCodes(directoryId, userId);
  yield* addCodes(directoryId, userId, hashes);
  return 'replaced';
}

function* remove(_: Setting, accountId: string | null, userId: string): Steps<'removed' | 'absent'> {
  const user = yield* lockUser(accountId, userId);
  if (user === undefined) return 'absent';
  return (yield* removeSecondFactors(textAt(user, 'directory_id'), userId)) ? 'removed' : 'absent';
}

/** Deletes the second factor of a user and its recovery codes. Returns whether there was one. */
export function* removeSecondFactors(directoryId: string, userId: string): Steps<boolean> {
  yield* removeCodes(directoryId, userId);
  // No row: there was none.
  const removed = yield* first('DELETE FROM second_factors WHERE directory_id = $1 AND user_id = $2 RETURNING user_id', [
    directoryId,
    userId,
  ]);
  return removed !== undefined;
}

/** Whether a developer is in an account that requires a second factor. */
function* mustHave(_: unknown, issuer: string, subject: string): Steps<boolean> {
  // No row: none of the developer's accounts requires one.
  const row = yield* first(
    `SELECT 1 AS found FROM members JOIN accounts USING (account_id)
     WHERE developer_hash = $1 AND require_second_factor = 1
     UNION ALL SELECT 1 AS found FROM developers JOIN accounts USING (account_id)
     WHERE developer_hash = $1 AND require_second_factor = 1`,
    [developerHash(issuer, subject)],
  );
  return row !== undefined;
}

/**
 * Whether a second factor protects a user's sign-in methods: one is set up, or the account of a developer requires one. An attacker with
 * only the password or access to the mails then gets no further, and the user's sign-in methods stay.
 */
export function* isProtected(directoryId: string, userId: string): Steps<boolean> {
  // No row: there is none.
  const factor = yield* first('SELECT 1 AS found FROM second_factors WHERE directory_id = $1 AND user_id = $2', [
    directoryId,
    userId,
  ]);
  if (factor !== undefined) return true;
  return directoryId === developersDirectory && (yield* mustHave(undefined, builtInIssuerName, userId));
}

export const secondFactorVerbs = {
  /** Finds a user's second factor, with the number of recovery codes left. */
  findSecondFactor: smallRead(find),
  /**
   * Adds a second factor with its recovery codes. `no_user` if the user does not exist, or all the user's sign-ins were ended at
   * `createdAt` or later; `already_exists` if the user already has a second factor.
   */
  addSecondFactor: write(add),
  /** Moves the last step forward. Of all uses of a step, on any node, exactly one gets `used`. */
  useSecondFactorStep: write(useStep),
  /** Deletes a recovery code. Of all uses, exactly one gets `used`. */
  useRecoveryCode: write(useCode),
  /** `absent` if the user has no second factor. */
  replaceRecoveryCodes: write(replaceCodes),
  /** Removes a second factor with its recovery codes. */
  removeSecondFactor: write(remove, { forgets: true }),
  /** Whether a developer is a member of an account that requires a second factor. */
  mustHaveSecondFactor: smallRead(mustHave),
};
