import type { DatabaseSync } from 'node:sqlite';

/** Rows that one slice removes at most. */
const rowsMax = 64;

/** Removes some of the directory of a deleted account. Returns whether all of it is gone. */
export function sweepDirectory(database: DatabaseSync, account: number): boolean {
  const tables = [
    ['password_resets', 'password_reset_number'],
    ['pending_sign_ups', 'sign_up_number'],
    ['passkeys', 'passkey_number'],
    ['identity_providers', 'identity_provider_number'],
    ['federated_identities', 'federated_identity_number'],
    ['users', 'user_number'],
  ] as const;
  return tables.every(([table, number]) => {
    const remove = database.prepare(
      `DELETE FROM ${table} WHERE ${number} IN (SELECT ${number} FROM ${table} WHERE directory_number = ? LIMIT ?)`,
    );
    return remove.run(account, rowsMax).changes === 0;
  });
}
