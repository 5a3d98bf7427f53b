/** Developers and the accounts that they are linked to. */
import { createHash } from 'node:crypto';
import { encodeText, toAccount } from '../../rows.ts';
import type { SignInStore } from '../../sign-in-store.ts';
import type { Account } from '../../store.ts';
import type { Database } from '../connection/database.ts';
import { decided } from '../connection/query.ts';
import type { Parts } from '../parts.ts';

type Developers = Pick<SignInStore, 'findDeveloper' | 'createDeveloper'>;

/** Returns the methods of the store that keep developers. */
export function createDevelopers({ database }: Pick<Parts, 'database'>): Developers {
  return {
    findDeveloper: (issuer, subject) => findDeveloper(database, issuer, subject),
    createDeveloper: (issuer, subject, account) =>
      decided(
        async () =>
          (await findDeveloper(database, issuer, subject)) ?? (await linkDeveloper(database, issuer, subject, account)),
      ),
  };
}

/** The key of a developer. */
export const developerHash = (issuer: string, subject: string): Uint8Array =>
  createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest();

async function findDeveloper(database: Database, issuer: string, subject: string): Promise<Account | undefined> {
  // No row: no such developer.
  const [row] = await database.query(
    `SELECT account_id, name, idp_tenant_id, created_at FROM developers JOIN accounts USING (account_id)
     WHERE developer_hash = $1`,
    [developerHash(issuer, subject)],
  );
  return row && toAccount(row);
}

/** Returns the account, or undefined when the developer was linked meanwhile. */
async function linkDeveloper(
  database: Database,
  issuer: string,
  subject: string,
  account: Account,
): Promise<Account | undefined> {
  const { accountId, name, idpTenantId, createdAt } = account;
  // No row: the developer has an account now. An account id that is taken is a fault of the caller and fails.
  const linked = await database.query(
    `WITH linked AS (
       INSERT INTO developers (developer_hash, issuer, subject, account_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (developer_hash) DO NOTHING RETURNING account_id)
     INSERT INTO accounts (account_id, name, idp_tenant_id, created_at) SELECT account_id, $5, $6, $7 FROM linked
     RETURNING account_id`,
    [
      ...[developerHash(issuer, subject), encodeText(issuer), encodeText(subject), accountId],
      ...[encodeText(name), idpTenantId, createdAt],
    ],
  );
  return linked.length === 0 ? undefined : account;
}
