import type { DatabaseSync } from 'node:sqlite';
import { encodeText } from '../../rows.ts';
import { statement } from '../writer/statement.ts';
import { developersNumber } from './directories.ts';

/**
 * Returns what deletes a user of a directory with everything that lets him in: passkeys, links to providers, what was mailed,
 * codes and refresh-token families. It tells whether there was such a user.
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
    `DELETE FROM sign_ins WHERE subject = ?2 AND project_id IN (SELECT project_id FROM projects WHERE account_number = ?1)`,
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
