import { toPasswordReset, toSignUp, toUser } from '../../identity-rows.ts';
import type { IdentityStore, PasswordReset, PendingSignUp, User } from '../../identity-store.ts';
import { encodeText } from '../../rows.ts';
import type { Reader } from '../reader.ts';
import { directoryNumber, ofTheLiving, resetColumns, signUpColumns, userColumns } from './directories.ts';

type IdentityReads = Pick<
  IdentityStore,
  'findUser' | 'findUserByEmail' | 'findSignUp' | 'findSignUpByEmail' | 'findPasswordReset'
>;

/** Returns the reads of the built-in identity provider. They are answered at once. */
export function identityReads(reader: Reader): IdentityReads {
  const findUser = (accountId: string | null, userId: string): User | undefined => {
    // No row: no such directory or user.
    const row = reader.get(
      `SELECT ${userColumns} FROM users WHERE directory_number = ${directoryNumber} AND user_id = ?2`,
      accountId,
      userId,
    );
    return row && toUser(row, accountId);
  };
  return {
    findUser,
    findUserByEmail(accountId, emailKey) {
      // No row: no such directory, or nobody in it with that address and a password.
      const row = reader.get(
        `SELECT ${userColumns} FROM users WHERE directory_number = ${directoryNumber} AND email_key = ?2`,
        accountId,
        encodeText(emailKey),
      );
      return row && toUser(row, accountId);
    },
    findSignUp(signUpHash, now): PendingSignUp | undefined {
      // No row: no such sign-up, it expired, or its account is gone.
      const row = reader.get(
        `SELECT ${signUpColumns} FROM ${ofTheLiving('pending_sign_ups')} AND sign_up_hash = ? AND expires_at > ?`,
        signUpHash,
        now,
      );
      return row && toSignUp(row);
    },
    findSignUpByEmail(accountId, emailKey, now): PendingSignUp | undefined {
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
    findPasswordReset(tokenHash, now) {
      // No row: no such reset, it expired, or its account is gone.
      const row = reader.get(
        `SELECT ${resetColumns} FROM ${ofTheLiving('password_resets')} AND token_hash = ? AND expires_at > ?`,
        tokenHash,
        now,
      );
      const reset: PasswordReset | undefined = row && toPasswordReset(row);
      const user = reset && findUser(reset.accountId, reset.userId);
      return reset && user && { reset, user };
    },
  };
}
