/** Accounts. */
import type { DatabaseSync } from 'node:sqlite';
import { accountChange } from '../../access-changes.ts';
import { builtInIssuerName } from '../../identity-store.ts';
import type { ManagementStore } from '../../management-store.ts';
import { beforeFirst, decodeText, encodeText, pageOf, toAccount } from '../../rows.ts';
import { statement } from '../directory/database.ts';
import { developersNumber, userRemoval } from '../identity/directories.ts';
import type { Parts } from '../parts.ts';
import { accountName } from '../record-cache.ts';
import { sweepColdRows } from '../sweep/sweep.ts';
import type { Commands } from '../writer/commands.ts';

type Accounts = Pick<
  ManagementStore,
  'isEmpty' | 'createAccount' | 'findAccount' | 'listAccounts' | 'renameAccount' | 'deleteAccount'
>;

/** Returns the methods of the store that keep accounts. */
export function createAccounts({
  cache,
  changeAccess,
  reader,
}: Pick<Parts, 'cache' | 'changeAccess' | 'reader'>): Accounts {
  return {
    // No row: no account.
    isEmpty: () => reader.get('SELECT 1 FROM accounts LIMIT 1') === undefined,
    createAccount: (account) => changeAccess({}, 'createAccount', account),
    findAccount(accountId) {
      const known = cache.account(accountId);
      if (known !== undefined) return known;
      // No row: no such account.
      const row = reader.get(
        'SELECT account_id, name, idp_tenant_id, created_at FROM accounts WHERE account_id = ?',
        accountId,
      );
      const account = row && toAccount(row);
      if (account !== undefined) cache.keepAccount(account);
      return account;
    },
    listAccounts({ after, itemsMax }) {
      const { createdAt, tie } = after ?? beforeFirst;
      // One row more than the page holds shows whether anything follows.
      const rows = reader.all(
        `SELECT account_id, name, idp_tenant_id, created_at FROM accounts WHERE (created_at, account_id) < (?, ?)
         ORDER BY created_at DESC, account_id DESC LIMIT ?`,
        createdAt,
        tie,
        itemsMax + 1,
      );
      return pageOf(rows.map(toAccount), itemsMax, (item) => ({ createdAt: item.createdAt, tie: item.accountId }));
    },
    renameAccount: (accountId, name) => changeAccess({ changes: accountName(accountId) }, 'renameAccount', accountId, name),
    deleteAccount(accountId) {
      const effect = { changes: accountName(accountId), takes: accountChange(accountId) };
      return changeAccess(effect, 'deleteAccount', accountId);
    },
  };
}

/** The writes of accounts, on the writer thread. */
export function accountWrites(database: DatabaseSync): Pick<Commands, 'createAccount' | 'renameAccount' | 'deleteAccount'> {
  // No change: the account id is taken.
  const insert = statement(
    database,
    `INSERT INTO accounts (account_id, name, idp_tenant_id, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id) DO NOTHING`,
  );
  // No row: no such account.
  const rename = statement(
    database,
    'UPDATE accounts SET name = ?2 WHERE account_id = ?1 RETURNING account_id, name, idp_tenant_id, created_at',
  );
  // No row: no such account. Its projects refer to this row, so they can no longer be reached.
  const remove = statement(database, 'DELETE FROM accounts WHERE account_id = ? RETURNING account_number');
  // Any number of rows.
  const removeApiKeys = statement(database, 'DELETE FROM api_keys WHERE account_number = ?');
  // A row for each month that is kept.
  const removeApiRequests = statement(database, 'DELETE FROM api_requests WHERE account_number = ?');
  // Any number of rows. Nobody has more than one account: these have none left.
  const removeDevelopers = statement(database, 'DELETE FROM developers WHERE account_number = ? RETURNING issuer, subject');
  const removeUser = userRemoval(database);
  // One row, always.
  const orphan = statement(database, "INSERT INTO orphans (kind, target, account_id) VALUES ('account', ?, ?)");
  const clear = clearLeft(database);
  return {
    createAccount(account) {
      const { accountId, name, idpTenantId, createdAt } = account;
      if (insert.changes(accountId, encodeText(name), idpTenantId, createdAt) === 0) return 'already_exists';
      clear(accountId);
      return 'created';
    },
    renameAccount(accountId, name) {
      const row = rename.get(accountId, encodeText(name));
      return row && toAccount(row);
    },
    deleteAccount(accountId) {
      const number = remove.get(accountId)?.account_number;
      if (number === undefined) return 'absent';
      removeApiKeys.changes(number);
      removeApiRequests.changes(number);
      for (const { issuer, subject } of removeDevelopers.all(number)) {
        if (decodeText(issuer) === builtInIssuerName) removeUser(developersNumber, decodeText(subject));
      }
      orphan.changes(number, accountId);
      return 'deleted';
    },
  };
}

/**
 * Returns a function that clears away what a deleted account of this id has left in tables that name accounts by their ids. The sweep
 * no longer looks there then, since what it would find is that of the new account.
 */
export function clearLeft(database: DatabaseSync): (accountId: string) => void {
  // No change: nothing is left.
  const takeOver = statement(database, "UPDATE orphans SET account_id = NULL WHERE kind = 'account' AND account_id = ?");
  return (accountId) => {
    if (takeOver.changes(accountId) > 0) while (!sweepColdRows(database, accountId));
  };
}
