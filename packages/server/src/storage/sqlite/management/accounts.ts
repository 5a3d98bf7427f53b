/** The deletion of accounts. */
import type { DatabaseSync } from 'node:sqlite';
import { accountChange } from '../../access-changes.ts';
import { developersDirectory } from '../../cold/directories.ts';
import { runNow } from '../../cold/steps.ts';
import { removeUser } from '../../cold/users.ts';
import { builtInIssuerName } from '../../identity-store.ts';
import type { ManagementStore } from '../../management-store.ts';
import { accountName } from '../../record-names.ts';
import { decodeText } from '../../rows.ts';
import { statement } from '../directory/database.ts';
import type { Parts } from '../parts.ts';
import { userSignIns } from '../sign-in/user-sign-ins.ts';
import { statements } from '../steps.ts';
import type { Commands } from '../writer/commands.ts';

/** Returns the method of the store that deletes accounts. */
export function createAccounts({ changeAccess }: Pick<Parts, 'changeAccess'>): Pick<ManagementStore, 'deleteAccount'> {
  return {
    deleteAccount(accountId) {
      const effect = { changes: accountName(accountId), takes: accountChange(accountId) };
      return changeAccess(effect, 'deleteAccount', accountId);
    },
  };
}

/** The deletion of accounts, on the writer thread. */
export function accountWrites(database: DatabaseSync): Pick<Commands, 'deleteAccount'> {
  // No row: no such account. All that lies in it is found through this row, so it can no longer be reached.
  const remove = statement(database, 'DELETE FROM accounts WHERE account_id = ? RETURNING account_number');
  // A row for each month that is kept.
  const removeApiRequests = statement(database, 'DELETE FROM api_requests WHERE account_number = ?');
  // Any number of rows. Nobody has more than one account: these have none left.
  const removeDevelopers = statement(database, 'DELETE FROM developers WHERE account_id = ? RETURNING issuer, subject');
  const query = statements(database);
  // One row, always.
  const orphan = statement(database, "INSERT INTO orphans (kind, target, account_id) VALUES ('account', ?, ?)");
  return {
    deleteAccount(accountId) {
      const number = remove.get(accountId)?.account_number;
      if (number === undefined) return 'absent';
      removeApiRequests.changes(number);
      for (const { issuer, subject } of removeDevelopers.all(accountId)) {
        if (decodeText(issuer) !== builtInIssuerName) continue;
        runNow(removeUser({ own: userSignIns }, developersDirectory, decodeText(subject)), query);
      }
      orphan.changes(number, accountId);
      return 'deleted';
    },
  };
}
