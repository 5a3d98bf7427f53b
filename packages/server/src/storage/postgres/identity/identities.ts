/** Users of the built-in identity provider, and the sweep of unfinished sign-ups and resets. */
import { toUser } from '../../identity-rows.ts';
import type { IdentityStore } from '../../identity-store.ts';
import { encodeText } from '../../rows.ts';
import type { Query } from '../connection/query.ts';
import type { Parts } from '../parts.ts';
import { directory, isDirectory, userColumns } from './directories.ts';
import { createPasswordResets } from './password-resets.ts';
import { createSignUps } from './sign-ups.ts';

/** Returns the methods of the store that the built-in identity provider needs. */
export function createIdentities(parts: Pick<Parts, 'database'>): IdentityStore {
  return {
    ...createUsers(parts),
    ...createSignUps(parts),
    ...createPasswordResets(parts),
    sweepExpiredIdentities: (now) => sweepIdentities(parts.database.query, now),
  };
}

function createUsers({
  database,
}: Pick<Parts, 'database'>): Pick<IdentityStore, 'findUser' | 'findUserByEmail' | 'replacePasswordHash'> {
  return {
    async findUser(accountId, userId) {
      // No row: no such directory or user.
      const [row] = await database.query(
        `SELECT ${userColumns} FROM users WHERE directory_id = ${directory} AND user_id = $2 AND ${isDirectory}`,
        [accountId, userId],
      );
      return row && toUser(row, accountId);
    },
    async findUserByEmail(accountId, emailKey) {
      // No row: no such directory, or nobody in it with that address and a password.
      const [row] = await database.query(
        `SELECT ${userColumns} FROM users WHERE directory_id = ${directory} AND email_key = $2 AND ${isDirectory}`,
        [accountId, encodeText(emailKey)],
      );
      return row && toUser(row, accountId);
    },
    async replacePasswordHash({ accountId, userId }, expected, next) {
      // No row: no such user, or the password is another one by now.
      const replaced = await database.query(
        `UPDATE users SET password_hash = $4
         WHERE directory_id = ${directory} AND user_id = $2 AND password_hash = $3 AND ${isDirectory}
         RETURNING user_id`,
        [accountId, userId, expected, next],
      );
      return replaced.length === 0 ? 'superseded' : 'replaced';
    },
  };
}

/** Rows of each kind that one sweep deletes at most. */
const sweepRowsMax = 250;

/** A row for each that was deleted, a bounded number. One that is renewed meanwhile stays. */
const removals = (
  [
    ['pending_sign_ups', 'sign_up_hash'],
    ['password_resets', 'token_hash'],
  ] as const
).map(
  ([table, key]) =>
    `DELETE FROM ${table} WHERE expires_at <= $1 AND ${key} IN (
       SELECT ${key} FROM ${table} WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${sweepRowsMax})
     RETURNING ${key}`,
);

async function sweepIdentities(query: Query, now: number): Promise<number> {
  const removed = await Promise.all(removals.map((removal) => query(removal, [now])));
  return removed.reduce((sum, rows) => sum + rows.length, 0);
}
