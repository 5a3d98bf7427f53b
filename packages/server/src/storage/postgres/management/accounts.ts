/** Accounts. */

import { randomUUID } from 'node:crypto';
import { accountChange } from '../../access-changes.ts';
import { builtInIssuerName } from '../../identity-store.ts';
import { beforeFirst, decodeText, encodeText, pageOf, toAccount } from '../../rows.ts';
import type { Account, Store } from '../../store.ts';
import type { Database } from '../connection/database.ts';
import { decided, type Query } from '../connection/query.ts';
import { developersDirectory, removeUser } from '../identity/directories.ts';
import type { Parts } from '../parts.ts';
import { noteOrphan, sweepAccount } from '../sweep/sweep.ts';

type Accounts = Pick<
  Store,
  'isEmpty' | 'createAccount' | 'findAccount' | 'listAccounts' | 'renameAccount' | 'deleteAccount'
>;

const columns = 'account_id, name, idp_tenant_id, created_at';

/** Returns the methods of the store that keep accounts. */
export function createAccounts({ database, access }: Parts): Accounts {
  return {
    async isEmpty() {
      // No row: no account.
      return (await database.query('SELECT 1 FROM accounts LIMIT 1')).length === 0;
    },
    createAccount: (account) => createAccount(database, account),
    async findAccount(accountId) {
      // No row: no such account.
      const [row] = await database.query(`SELECT ${columns} FROM accounts WHERE account_id = $1`, [accountId]);
      return row && toAccount(row);
    },
    async listAccounts({ after, itemsMax }) {
      const { createdAt, tie } = after ?? beforeFirst;
      // One row more than the page holds shows whether anything follows.
      const rows = await database.query(
        `SELECT ${columns} FROM accounts WHERE (created_at, account_id) < ($1, $2)
         ORDER BY created_at DESC, account_id DESC LIMIT $3`,
        [createdAt, tie, itemsMax + 1],
      );
      return pageOf(rows.map(toAccount), itemsMax, (item) => ({ createdAt: item.createdAt, tie: item.accountId }));
    },
    async renameAccount(accountId, name) {
      // No row: no such account.
      const [row] = await database.query(`UPDATE accounts SET name = $2 WHERE account_id = $1 RETURNING ${columns}`, [
        accountId,
        encodeText(name),
      ]);
      return row && toAccount(row);
    },
    deleteAccount: (accountId) =>
      access.change(
        accountChange(accountId),
        (query) => deleteAccount(query, accountId),
        (outcome) => outcome === 'absent',
        'read committed',
      ),
  };
}

async function createAccount(database: Database, account: Account): Promise<'created' | 'already_exists'> {
  const { accountId, name, idpTenantId, createdAt } = account;
  return decided(async () => {
    // No row: the account id is taken, or what a deleted account of this id has left is not cleared away yet.
    const created = await database.query(
      `INSERT INTO accounts (account_id, name, idp_tenant_id, created_at)
       SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT 1 FROM orphans WHERE account_id = $1 AND project_id IS NULL)
       ON CONFLICT (account_id) DO NOTHING RETURNING account_id`,
      [accountId, encodeText(name), idpTenantId, createdAt],
    );
    if (created.length > 0) return 'created';
    // No row: the id is not taken.
    const taken = await database.query('SELECT 1 FROM accounts WHERE account_id = $1', [accountId]);
    if (taken.length > 0) return 'already_exists';
    await sweepAccount(database, accountId);
    return undefined;
  });
}

async function deleteAccount(query: Query, accountId: string): Promise<'deleted' | 'absent'> {
  // No row: no such account. What lies in it is out of reach from here on, since every read begins at this row.
  const removed = await query('DELETE FROM accounts WHERE account_id = $1 RETURNING account_id', [accountId]);
  if (removed.length === 0) return 'absent';
  // Any number of rows. Nobody has more than one account: these have none left.
  const developers = await query('DELETE FROM developers WHERE account_id = $1 RETURNING issuer, subject', [accountId]);
  for (const { issuer, subject } of developers) {
    if (decodeText(issuer) === builtInIssuerName) await removeUser(query, developersDirectory, decodeText(subject));
  }
  await noteOrphan(query, { accountId, projectId: null, orphanId: randomUUID() });
  return 'deleted';
}
