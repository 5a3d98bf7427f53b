import type { DatabaseSync } from 'node:sqlite';
import { toSignUp, toUser } from '../../identity-rows.ts';
import type { User } from '../../identity-store.ts';
import { encodeOptional, encodeText } from '../../rows.ts';
import type { Commands } from '../writer/commands.ts';
import { statement } from '../writer/statement.ts';
import { developersNumber, directoryNumber, ofTheLiving, signUpColumns, userColumns } from './directories.ts';

export type SingleIdentityWrites = Pick<Commands, 'replacePasswordHash' | 'addSignUp' | 'renewSignUp' | 'addPasswordReset'>;
export type IdentityWrites = Pick<Commands, 'confirmSignUp' | 'redeemPasswordReset' | 'sweepExpiredIdentities'>;

/** The writes of the built-in identity provider that are one statement each. They run inside the writer's transaction. */
export function singleIdentityWrites(database: DatabaseSync): SingleIdentityWrites {
  return { ...passwordHashes(database), ...additions(database) };
}

/** Those that are several statements. Each runs inside a savepoint of its own. */
export function identityWrites(database: DatabaseSync): IdentityWrites {
  return { ...confirmations(database), ...resets(database), ...expiry(database) };
}

function passwordHashes(database: DatabaseSync): Pick<Commands, 'replacePasswordHash'> {
  // No change: no such user, or the password is another one by now.
  const replace = statement(
    database,
    `UPDATE users SET password_hash = ?4
     WHERE directory_number = ${directoryNumber} AND user_id = ?2 AND password_hash = ?3`,
  );
  return {
    replacePasswordHash: (accountId, userId, expected, next) =>
      replace.changes(accountId, userId, expected, next) === 0 ? 'superseded' : 'replaced',
  };
}

function additions(database: DatabaseSync): Pick<Commands, 'addSignUp' | 'renewSignUp' | 'addPasswordReset'> {
  // No change: no such account. Two sign-ups of one hash are a fault of the caller and fail.
  const insertSignUp = statement(
    database,
    `INSERT INTO pending_sign_ups (sign_up_hash, directory_number, created_at, expires_at, attempts_left, code_hash, email,
       email_key, name, password_hash)
     SELECT ?2, number, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM (SELECT ${directoryNumber} AS number) WHERE number IS NOT NULL`,
  );
  // No change: no such sign-up, or it expired.
  const renew = statement(
    database,
    `UPDATE pending_sign_ups SET code_hash = ?2, attempts_left = ?3, expires_at = ?4
     WHERE sign_up_hash = ?1 AND expires_at > ?5`,
  );
  // No change: no such user, or one without a password. Two resets of one hash are a fault of the caller and fail.
  const insertReset = statement(
    database,
    `INSERT INTO password_resets (token_hash, directory_number, user_id, expires_at, return_query)
     SELECT ?3, directory_number, user_id, ?4, ?5 FROM users
     WHERE directory_number = ${directoryNumber} AND user_id = ?2 AND email_key IS NOT NULL`,
  );
  return {
    addSignUp(
      signUpHash,
      { accountId, createdAt, expiresAt, attemptsLeft, codeHash, email, emailKey, name, passwordHash },
    ) {
      const times = [createdAt, expiresAt, attemptsLeft] as const;
      const texts = [encodeText(email), encodeText(emailKey), encodeOptional(name), passwordHash] as const;
      return insertSignUp.changes(accountId, signUpHash, ...times, codeHash, ...texts) === 0 ? 'no_account' : 'added';
    },
    renewSignUp: (signUpHash, codeHash, attemptsLeft, expiresAt, now) =>
      renew.changes(signUpHash, codeHash, attemptsLeft, expiresAt, now) === 0 ? 'unknown' : 'renewed',
    addPasswordReset: (tokenHash, { accountId, userId, expiresAt, returnQuery }) =>
      insertReset.changes(accountId, userId, tokenHash, expiresAt, encodeText(returnQuery)) === 0 ? 'no_user' : 'added',
  };
}

/** Any number of rows: every sign-up of an address in a directory. */
const deleteSignUpsOfAddress = 'DELETE FROM pending_sign_ups WHERE directory_number = ?1 AND email_key = ?2';

function confirmations(database: DatabaseSync): Pick<Commands, 'confirmSignUp'> {
  // No row: no such sign-up, it expired or ran out of attempts, or its account is gone.
  const find = statement(
    database,
    `SELECT ${signUpColumns}, pending_sign_ups.directory_number, code_hash = ?2 AS is_right
     FROM ${ofTheLiving('pending_sign_ups')} AND sign_up_hash = ?1 AND expires_at > ?3 AND attempts_left > 0`,
  );
  // One row, always: it was found in the same transaction.
  const spend = statement(
    database,
    'UPDATE pending_sign_ups SET attempts_left = attempts_left - 1 WHERE sign_up_hash = ? RETURNING attempts_left',
  );
  // No change: somebody is known by the address already. Two users of one id are a fault of the caller and fail.
  const insert = statement(
    database,
    `INSERT INTO users (directory_number, user_id, created_at, email, email_key, name, password_hash)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (directory_number, email_key) WHERE email_key IS NOT NULL DO NOTHING`,
  );
  const clear = statement(database, deleteSignUpsOfAddress);
  return {
    confirmSignUp(signUpHash, codeHash, userId, createdAt, now) {
      const row = find.get(signUpHash, codeHash, now);
      if (row === undefined) return { kind: 'unknown' };
      if (row.is_right !== 1) {
        return { kind: 'wrong_code', attemptsLeft: spend.get(signUpHash)?.attempts_left as number };
      }
      const { accountId, email, emailKey, name, passwordHash } = toSignUp(row);
      const texts = [encodeText(email), encodeText(emailKey), encodeOptional(name), passwordHash] as const;
      const directory = row.directory_number as number;
      const added = insert.changes(directory, userId, createdAt, ...texts);
      clear.changes(directory, encodeText(emailKey));
      if (added === 0) return { kind: 'unknown' };
      return {
        kind: 'confirmed',
        user: { accountId, userId, email, emailKey, name, passwordHash, resetAt: null, createdAt },
      };
    },
  };
}

function resets(database: DatabaseSync): Pick<Commands, 'redeemPasswordReset'> {
  // No row: no such reset, it expired or was redeemed, or its account is gone.
  const find = statement(
    database,
    `SELECT account_id, password_resets.directory_number, user_id
     FROM ${ofTheLiving('password_resets')} AND token_hash = ?1 AND expires_at > ?2`,
  );
  // No row: the user is gone.
  const change = statement(
    database,
    `UPDATE users SET password_hash = ?3, reset_at = ?4
     WHERE directory_number = ?1 AND user_id = ?2 AND email_key IS NOT NULL
     RETURNING ${userColumns.replaceAll('users.', '')}`,
  );
  // Any number of rows, at least the one that was found.
  const clear = statement(database, 'DELETE FROM password_resets WHERE directory_number = ?1 AND user_id = ?2');
  const clearSignUps = statement(database, deleteSignUpsOfAddress);
  // Any number of rows: whoever knew the password may have added one.
  const clearPasskeys = statement(database, 'DELETE FROM passkeys WHERE directory_number = ?1 AND user_id = ?2');
  const end = signInEnds(database);
  return {
    redeemPasswordReset(tokenHash, passwordHash, now): User | undefined {
      const found = find.get(tokenHash, now);
      if (found === undefined) return undefined;
      const [directory, userId] = [found.directory_number as number, found.user_id as string];
      clear.changes(directory, userId);
      const row = change.get(directory, userId, passwordHash, now);
      if (row === undefined) return undefined;
      clearSignUps.changes(directory, row.email_key as string);
      clearPasskeys.changes(directory, userId);
      end(directory, userId);
      return toUser(row, found.account_id as string | null);
    },
  };
}

/** Returns what ends the refresh-token families of a user, and deletes his unspent codes. */
function signInEnds(database: DatabaseSync): (directory: number, userId: string) => void {
  const endUser = 'project_id IN (SELECT project_id FROM projects WHERE account_number = ?1) AND subject = ?2';
  const developer = 'project_id IS NULL AND subject = ?1';
  // Any number of rows each. A code that is spent, and the family that it paid for, share a row (schema-identity.ts).
  const [ofUser, ofDeveloper] = [endUser, developer].map((condition) => ({
    deleteCodes: statement(database, `DELETE FROM sign_ins WHERE ${condition} AND family_id IS NULL`),
    revoke: statement(
      database,
      `UPDATE sign_ins SET secret_hash = NULL, previous_secret_hash = NULL, sweep_at = code_expires_at
       WHERE ${condition} AND secret_hash IS NOT NULL`,
    ),
  })) as [End, End];
  return (directory, userId) => {
    const isDeveloper = directory === developersNumber;
    const { deleteCodes, revoke } = isDeveloper ? ofDeveloper : ofUser;
    const values = isDeveloper ? [encodeText(userId)] : [directory, encodeText(userId)];
    deleteCodes.changes(...values);
    revoke.changes(...values);
  };
}
type End = Record<'deleteCodes' | 'revoke', ReturnType<typeof statement>>;

/** Rows of each kind that one sweep deletes at most. */
const sweepRowsMax = 250;

function expiry(database: DatabaseSync): Pick<Commands, 'sweepExpiredIdentities'> {
  // Any number of rows each, up to the bound.
  const removals = (
    [
      ['pending_sign_ups', 'sign_up_number'],
      ['password_resets', 'password_reset_number'],
    ] as const
  ).map(([table, number]) =>
    statement(
      database,
      `DELETE FROM ${table} WHERE ${number} IN
         (SELECT ${number} FROM ${table} WHERE expires_at <= ? ORDER BY expires_at LIMIT ${sweepRowsMax})`,
    ),
  );
  return {
    sweepExpiredIdentities: (now) => removals.reduce((removed, removal) => removed + removal.changes(now), 0),
  };
}
