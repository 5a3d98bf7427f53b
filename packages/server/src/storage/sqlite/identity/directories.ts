/** Directories of users: how statements name one, and what removes a user or ends the user's sign-ins. */
import type { DatabaseSync } from 'node:sqlite';
import { encodeText } from '../../rows.ts';
import { statement } from '../directory/database.ts';

/** The directory number of developers. Accounts are numbered from 1. */
export const developersNumber = 0;

/**
 * The directory number of the account id in `?1`; that of developers for NULL; no number when the account does not exist.
 */
export const directoryNumber = `
  (CASE WHEN ?1 IS NULL THEN ${developersNumber} ELSE (SELECT account_number FROM accounts WHERE account_id = ?1) END)`;

/** Rows of a table whose directory still exists, with its `account_id`; more conditions follow after AND. */
export const ofTheLiving = (table: 'pending_sign_ups' | 'password_resets'): string => `
  ${table} LEFT JOIN accounts ON account_number = ${table}.directory_number
  WHERE (${table}.directory_number = ${developersNumber} OR account_number IS NOT NULL)`;

export const userColumns =
  'user_id, users.created_at, users.email, users.email_key, users.name, users.password_hash, users.reset_at';

/** Any number of rows: every sign-up of an address in a directory. */
export const deleteSignUpsOfAddress = 'DELETE FROM pending_sign_ups WHERE directory_number = ?1 AND email_key = ?2';

/**
 * Returns a function that deletes a user of a directory with everything that signs the user in: passkeys, links to
 * providers, pending mails, codes and refresh-token families. It returns whether there was such a user.
 */
export function userRemoval(database: DatabaseSync): (directory: number, userId: string) => boolean {
  // No row: no such user.
  const remove = statement(database, 'DELETE FROM users WHERE directory_number = ? AND user_id = ? RETURNING email_key');
  // Any number of rows each.
  const removeByUser = ['passkeys', 'federated_identities', 'password_resets'].map((table) =>
    statement(database, `DELETE FROM ${table} WHERE directory_number = ? AND user_id = ?`),
  );
  const removeSignUps = statement(database, 'DELETE FROM pending_sign_ups WHERE directory_number = ? AND email_key = ?');
  const removeSignIns = statement(
    database,
    `DELETE FROM sign_ins WHERE subject = ?2 AND project_id IN (SELECT project_id FROM projects JOIN accounts USING (account_id) WHERE account_number = ?1)`,
  );
  const removeDeveloperSignIns = statement(database, 'DELETE FROM sign_ins WHERE subject = ? AND project_id IS NULL');
  return (directory, userId) => {
    const row = remove.get(directory, userId);
    if (row === undefined) return false;
    for (const each of removeByUser) each.changes(directory, userId);
    if (row.email_key !== null) removeSignUps.changes(directory, row.email_key as string);
    if (directory === developersNumber) removeDeveloperSignIns.changes(encodeText(userId));
    else removeSignIns.changes(directory, encodeText(userId));
    return true;
  };
}

/** Returns a function that ends the refresh-token families of a user and deletes the user's unspent codes. */
export function signInEnds(database: DatabaseSync): (directory: number, userId: string) => void {
  const endUser =
    'project_id IN (SELECT project_id FROM projects JOIN accounts USING (account_id) WHERE account_number = ?1) AND subject = ?2';
  const developer = 'project_id IS NULL AND subject = ?1';
  // Any number of rows each. A code that is spent, and the family that it was spent for, share a row (identity-tables.ts).
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
