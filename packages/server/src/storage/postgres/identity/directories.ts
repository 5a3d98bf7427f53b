/** Directories of users: how statements name one, and what removes a user or ends the user's sign-ins. */
import { encodeText } from '../../rows.ts';
import type { Query, Value } from '../connection/query.ts';
import { familyIsRevoked } from '../sign-in/refresh-families.ts';

/** The directory of the developers. */
export const developersDirectory = '';

/** The directory of the account id in `$1`; that of the developers for null. */
export const directory = `coalesce($1::text, '${developersDirectory}')`;

/** Whether there is a directory of the account id in `$1`: not when the account is gone. */
export const isDirectory = '($1::text IS NULL OR EXISTS (SELECT 1 FROM accounts WHERE accounts.account_id = $1))';

/** Whether the directory of a row of `table` still exists. */
export const isInDirectory = (table: 'pending_sign_ups' | 'password_resets'): string => `
  (${table}.directory_id = '${developersDirectory}'
   OR EXISTS (SELECT 1 FROM accounts WHERE accounts.account_id = ${table}.directory_id))`;

/** The account id of a row's directory; null for that of the developers. */
export const accountOfDirectory = (table: 'pending_sign_ups' | 'password_resets'): string =>
  `nullif(${table}.directory_id, '${developersDirectory}') AS account_id`;

export const userColumns = 'user_id, created_at, email, email_key, name, password_hash, reset_at';

/**
 * Deletes a user of a directory with everything that signs the user in: passkeys, links to providers, pending mails, codes
 * and refresh-token families. Returns whether there was such a user.
 *
 * The user's row is deleted first. Adding a passkey changes that row first, so it is either seen by the following statements
 * or finds no user.
 */
export async function removeUser(query: Query, directoryId: string, userId: string): Promise<boolean> {
  // No row: no such user.
  const [user] = await query('DELETE FROM users WHERE directory_id = $1 AND user_id = $2 RETURNING email_key', [
    directoryId,
    userId,
  ]);
  if (user === undefined) return false;
  for (const statement of removalsByUser) await query(statement, [directoryId, userId]);
  if (user.email_key !== null) await query(deleteSignUpsOfAddress, [directoryId, user.email_key as string]);
  const { deleteCodes, deleteFamilies, values } = signInsOf(directoryId, userId);
  await query(deleteCodes, values);
  await query(deleteFamilies, values);
  return true;
}

/** Ends the refresh-token families of a user of a directory, and deletes the user's unspent codes. */
export async function endSignIns(query: Query, directoryId: string, userId: string): Promise<void> {
  const { deleteCodes, revokeFamilies, values } = signInsOf(directoryId, userId);
  await query(deleteCodes, values);
  await query(revokeFamilies, values);
}

/** Deletes the codes and refresh-token families of an end user in one project. Returns how many there were. */
export async function removeSignInsOfEndUser(
  query: Query,
  accountId: string,
  projectId: string,
  endUserId: string,
): Promise<number> {
  const { deleteCodes, deleteFamilies } = ofEndUserInProject;
  const values = [accountId, projectId, encodeText(endUserId)];
  return (await query(deleteCodes, values)).length + (await query(deleteFamilies, values)).length;
}

/** Any number of rows: every sign-up of an address in a directory. */
export const deleteSignUpsOfAddress = 'DELETE FROM pending_sign_ups WHERE directory_id = $1 AND email_key = $2';

/** Any number of rows: all passkeys of a user. */
export const deletePasskeysOfUser = 'DELETE FROM passkeys WHERE directory_id = $1 AND user_id = $2';

/** Any number of rows: all resets of a user. */
export const deleteResetsOfUser = 'DELETE FROM password_resets WHERE directory_id = $1 AND user_id = $2';

// Any number of rows each.
const removalsByUser = [
  deletePasskeysOfUser,
  'DELETE FROM federated_identities WHERE directory_id = $1 AND user_id = $2',
  deleteResetsOfUser,
];

/** A code that is spent during the deletion has become a family by the time families are deleted. */
interface UserSignIns {
  readonly deleteCodes: string;
  readonly deleteFamilies: string;
  readonly revokeFamilies: string;
}

/** A row for each code and family. Spent codes are deleted with their families. */
const statementsFor = (isOfUser: string): UserSignIns => ({
  deleteCodes: `DELETE FROM authorization_codes WHERE ${isOfUser} AND family_id IS NULL RETURNING code_hash`,
  deleteFamilies: `
    WITH gone AS (DELETE FROM refresh_families WHERE ${isOfUser} RETURNING family_id, code_hash),
    codes AS (DELETE FROM authorization_codes WHERE code_hash IN (SELECT code_hash FROM gone))
    SELECT family_id FROM gone`,
  revokeFamilies: `UPDATE refresh_families SET ${familyIsRevoked} WHERE ${isOfUser} AND secret_hash IS NOT NULL`,
});

const ofEndUser = statementsFor(
  `account_id = $1 AND project_id = ANY (ARRAY (SELECT project_id FROM projects WHERE account_id = $1)) AND subject = $2`,
);
const ofEndUserInProject = statementsFor('account_id = $1 AND project_id = $2 AND subject = $3');
const ofDeveloper = statementsFor('project_id IS NULL AND subject = $1');

function signInsOf(directoryId: string, userId: string): UserSignIns & { readonly values: readonly Value[] } {
  const subject = encodeText(userId);
  return directoryId === developersDirectory
    ? { ...ofDeveloper, values: [subject] }
    : { ...ofEndUser, values: [directoryId, subject] };
}
