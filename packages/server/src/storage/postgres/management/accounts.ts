/** The deletion of accounts. */
import { randomUUID } from 'node:crypto';
import { accountChange } from '../../access-changes.ts';
import { developersDirectory } from '../../cold/directories.ts';
import { removeUser } from '../../cold/users.ts';
import { builtInIssuerName } from '../../identity-store.ts';
import { decodeText } from '../../rows.ts';
import type { Store } from '../../store.ts';
import type { Query } from '../connection/query.ts';
import type { Parts } from '../parts.ts';
import { userSignIns } from '../sign-in/user-sign-ins.ts';
import { takeSteps } from '../steps.ts';
import { noteOrphan } from '../sweep/sweep.ts';

/** Returns the method of the store that deletes accounts. */
export function createAccounts({ access }: Pick<Parts, 'access'>): Pick<Store, 'deleteAccount'> {
  return {
    deleteAccount: (accountId) =>
      access.change(
        accountChange(accountId),
        (query) => deleteAccount(query, accountId),
        (outcome) => outcome === 'absent',
        'read committed',
      ),
  };
}

async function deleteAccount(query: Query, accountId: string): Promise<'deleted' | 'absent'> {
  // No row: no such account. What lies in it is out of reach from here on, since every read begins at this row.
  const removed = await query('DELETE FROM accounts WHERE account_id = $1 RETURNING account_id', [accountId]);
  if (removed.length === 0) return 'absent';
  // Any number of rows. Nobody has more than one account: these have none left.
  const developers = await query('DELETE FROM developers WHERE account_id = $1 RETURNING issuer, subject', [accountId]);
  for (const { issuer, subject } of developers) {
    if (decodeText(issuer) !== builtInIssuerName) continue;
    await takeSteps(query, removeUser({ own: userSignIns }, developersDirectory, decodeText(subject)));
  }
  await noteOrphan(query, { accountId, projectId: null, orphanId: randomUUID() });
  return 'deleted';
}
