/** Sign-ups that wait for the code from their mail. */
import type { DatabaseSync } from 'node:sqlite';
import { toSignUp } from '../../identity-rows.ts';
import type { IdentityStore } from '../../identity-store.ts';
import { encodeOptional, encodeText } from '../../rows.ts';
import { statement } from '../directory/database.ts';
import type { Parts } from '../parts.ts';
import { smallCommandCharacters } from '../writer/changes.ts';
import type { Commands } from '../writer/commands.ts';
import { deleteSignUpsOfAddress, directoryNumber, ofTheLiving } from './directories.ts';

type SignUps = Pick<IdentityStore, 'addSignUp' | 'findSignUp' | 'findSignUpByEmail' | 'renewSignUp' | 'confirmSignUp'>;

const signUpColumns = `
  account_id, email, email_key, pending_sign_ups.name, password_hash, code_hash, attempts_left,
  pending_sign_ups.created_at, expires_at`;

/** Returns the methods of the store that keep sign-ups. */
export function createSignUps({ queue, reader }: Pick<Parts, 'queue' | 'reader'>): SignUps {
  return {
    addSignUp: (signUpHash, signUp) => queue.submit(smallCommandCharacters, 'addSignUp', signUpHash, signUp),
    findSignUp(signUpHash, now) {
      // No row: no such sign-up, it expired, or its account is gone.
      const row = reader.get(
        `SELECT ${signUpColumns} FROM ${ofTheLiving('pending_sign_ups')} AND sign_up_hash = ? AND expires_at > ?`,
        signUpHash,
        now,
      );
      return row && toSignUp(row);
    },
    findSignUpByEmail(accountId, emailKey, now) {
      // No row: no such directory, or no sign-up of the address that has not expired.
      const row = reader.get(
        `SELECT ?1 AS account_id, ${signUpColumns.replace('account_id,', '')} FROM pending_sign_ups
         WHERE directory_number = ${directoryNumber} AND email_key = ?2 AND expires_at > ?3
         ORDER BY created_at DESC, sign_up_number DESC LIMIT 1`,
        accountId,
        encodeText(emailKey),
        now,
      );
      return row && toSignUp(row);
    },
    renewSignUp: (signUpHash, { codeHash, attemptsLeft, expiresAt }, now) =>
      queue.submit(smallCommandCharacters, 'renewSignUp', signUpHash, codeHash, attemptsLeft, expiresAt, now),
    confirmSignUp: (signUpHash, codeHash, { userId, createdAt }, now) =>
      queue.submit(smallCommandCharacters, 'confirmSignUp', signUpHash, codeHash, userId, createdAt, now),
  };
}

/** The writes of sign-ups, on the writer thread. */
export function signUpWrites(database: DatabaseSync): Pick<Commands, 'addSignUp' | 'renewSignUp' | 'confirmSignUp'> {
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
    ...confirmations(database),
  };
}

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
