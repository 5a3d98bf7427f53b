/** Sign-ups that wait for the code from their mail. */
import { toSignUp } from '../../identity-rows.ts';
import type { ConfirmSignUpOutcome, IdentityStore, PendingSignUp, User } from '../../identity-store.ts';
import { encodeOptional, encodeText } from '../../rows.ts';
import type { Database } from '../connection/database.ts';
import { clockMicros, type Query } from '../connection/query.ts';
import type { Parts } from '../parts.ts';
import {
  accountOfDirectory,
  deleteSignUpsOfAddress,
  developersDirectory,
  directory,
  isDirectory,
  isInDirectory,
} from './directories.ts';

type SignUps = Pick<IdentityStore, 'addSignUp' | 'findSignUp' | 'findSignUpByEmail' | 'renewSignUp' | 'confirmSignUp'>;

/** Returns the methods of the store that keep sign-ups. */
export function createSignUps({ database }: Pick<Parts, 'database'>): SignUps {
  return {
    addSignUp: (signUpHash, signUp) => add(database, signUpHash, signUp),
    async findSignUp(signUpHash, now) {
      // No row: no such sign-up, it expired, or its account is gone.
      const [row] = await database.query(
        `SELECT ${columns} FROM pending_sign_ups
         WHERE sign_up_hash = $1 AND expires_at > $2 AND ${isInDirectory('pending_sign_ups')}`,
        [signUpHash, now],
      );
      return row && toSignUp(row);
    },
    async findSignUpByEmail(accountId, emailKey, now) {
      // No row: no such directory, or no sign-up of the address that has not expired.
      const [row] = await database.query(
        `SELECT ${columns} FROM pending_sign_ups
         WHERE directory_id = ${directory} AND email_key = $2 AND expires_at > $3 AND ${isDirectory}
         ORDER BY created_at DESC, created_micros DESC LIMIT 1`,
        [accountId, encodeText(emailKey), now],
      );
      return row && toSignUp(row);
    },
    async renewSignUp(signUpHash, { codeHash, attemptsLeft, expiresAt }, now) {
      // No row: no such sign-up, or it expired.
      const renewed = await database.query(
        `UPDATE pending_sign_ups SET code_hash = $2, attempts_left = $3, expires_at = $4
         WHERE sign_up_hash = $1 AND expires_at > $5 RETURNING sign_up_hash`,
        [signUpHash, codeHash, attemptsLeft, expiresAt, now],
      );
      return renewed.length === 0 ? 'unknown' : 'renewed';
    },
    confirmSignUp: (signUpHash, codeHash, newUser, now) =>
      database.transaction('read committed', (query) => confirm(query, signUpHash, codeHash, newUser, now)),
  };
}

const columns = `${accountOfDirectory('pending_sign_ups')}, email, email_key, name, password_hash, code_hash, attempts_left,
  created_at, expires_at`;

async function add(database: Database, signUpHash: Uint8Array, signUp: PendingSignUp): Promise<'added' | 'no_account'> {
  const { accountId, createdAt, expiresAt, attemptsLeft, codeHash, email, emailKey, name, passwordHash } = signUp;
  // No row: no such account. Two sign-ups of one hash are a fault of the caller and fail.
  const added = await database.query(
    `INSERT INTO pending_sign_ups (directory_id, sign_up_hash, created_at, created_micros, expires_at, attempts_left,
       code_hash, email, email_key, name, password_hash)
     SELECT ${directory}, $2::bytea, $3::bigint, ${clockMicros}, $4::bigint, $5::bigint, $6::bytea, $7, $8, $9, $10
     WHERE ${isDirectory}
     RETURNING sign_up_hash`,
    [
      ...[accountId, signUpHash, createdAt, expiresAt, attemptsLeft, codeHash],
      ...[encodeText(email), encodeText(emailKey), encodeOptional(name), passwordHash],
    ],
  );
  return added.length === 0 ? 'no_account' : 'added';
}

/**
 * The first statement locks all sign-ups of the address until the end of the transaction, always in the same order: another
 * use of any of them waits, and then sees the result of this one.
 */
async function confirm(
  query: Query,
  signUpHash: Uint8Array,
  codeHash: Uint8Array,
  { userId, createdAt }: Pick<User, 'userId' | 'createdAt'>,
  now: number,
): Promise<ConfirmSignUpOutcome> {
  // A row for each sign-up of the address.
  await query(
    `SELECT 1 FROM pending_sign_ups WHERE (directory_id, email_key) =
       (SELECT directory_id, email_key FROM pending_sign_ups WHERE sign_up_hash = $1)
     ORDER BY sign_up_hash FOR UPDATE`,
    [signUpHash],
  );
  // No row: no such sign-up, it expired or ran out of attempts, or its account is gone.
  const [row] = await query(
    `UPDATE pending_sign_ups SET attempts_left = attempts_left - 1
     WHERE sign_up_hash = $1 AND expires_at > $3 AND attempts_left > 0 AND ${isInDirectory('pending_sign_ups')}
     RETURNING ${columns}, code_hash = $2 AS is_right`,
    [signUpHash, codeHash, now],
  );
  if (row === undefined) return { kind: 'unknown' };
  const { accountId, email, emailKey, name, passwordHash, attemptsLeft } = toSignUp(row);
  if (row.is_right !== true) return { kind: 'wrong_code', attemptsLeft };
  const directoryId = accountId ?? developersDirectory;
  // No row: somebody is known by the address already. Two users of one id are a fault of the caller and fail.
  const added = await query(
    `INSERT INTO users (directory_id, user_id, created_at, email, email_key, name, password_hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (directory_id, email_key) WHERE email_key IS NOT NULL DO NOTHING RETURNING user_id`,
    [...[directoryId, userId, createdAt], ...[encodeText(email), encodeText(emailKey), encodeOptional(name), passwordHash]],
  );
  await query(deleteSignUpsOfAddress, [directoryId, encodeText(emailKey)]);
  if (added.length === 0) return { kind: 'unknown' };
  return { kind: 'confirmed', user: { accountId, userId, email, emailKey, name, passwordHash, resetAt: null, createdAt } };
}
