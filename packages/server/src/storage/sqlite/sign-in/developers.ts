/** Developers: which account belongs to whom at the identity provider. */
import type { DatabaseSync } from 'node:sqlite';
import { encodeText, toAccount } from '../../rows.ts';
import type { SignInStore } from '../../sign-in-store.ts';
import { statement } from '../directory/database.ts';
import { clearLeft } from '../management/accounts.ts';
import type { Parts } from '../parts.ts';
import type { Commands } from '../writer/commands.ts';

type Developers = Pick<SignInStore, 'findDeveloper' | 'createDeveloper'>;

/** No row: no such developer. */
const findAccount = `
  SELECT account_id, name, idp_tenant_id, created_at FROM developers JOIN accounts USING (account_number)
  WHERE issuer = ? AND subject = ?`;

/** Returns the methods of the store that keep developers. */
export function createDevelopers({ changeAccess, reader }: Pick<Parts, 'changeAccess' | 'reader'>): Developers {
  return {
    findDeveloper(issuer, subject) {
      const row = reader.get(findAccount, encodeText(issuer), encodeText(subject));
      return row && toAccount(row);
    },
    createDeveloper: (issuer, subject, account) => changeAccess({}, 'createDeveloper', issuer, subject, account),
  };
}

/** The writes of developers, on the writer thread. */
export function developerWrites(database: DatabaseSync): Pick<Commands, 'createDeveloper'> {
  const find = statement(database, findAccount);
  const clear = clearLeft(database);
  // One row. An account id that is taken is a fault of the caller and fails.
  const insertAccount = statement(
    database,
    'INSERT INTO accounts (account_id, name, idp_tenant_id, created_at) VALUES (?, ?, ?, ?) RETURNING account_number',
  );
  // One row, always.
  const insert = statement(database, 'INSERT INTO developers (issuer, subject, account_number) VALUES (?, ?, ?)');
  return {
    createDeveloper(issuer, subject, account) {
      const row = find.get(encodeText(issuer), encodeText(subject));
      if (row !== undefined) return toAccount(row);
      const { accountId, name, idpTenantId, createdAt } = account;
      const number = insertAccount.get(accountId, encodeText(name), idpTenantId, createdAt)?.account_number as number;
      clear(accountId);
      insert.changes(encodeText(issuer), encodeText(subject), number);
      return account;
    },
  };
}
