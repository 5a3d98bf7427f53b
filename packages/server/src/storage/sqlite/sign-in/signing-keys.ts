/** The key pairs that sign tokens. There are a handful of them. */
import type { DatabaseSync } from 'node:sqlite';
import { toSigningKey } from '../../rows.ts';
import type { SignInStore } from '../../sign-in-store.ts';
import { statement } from '../directory/database.ts';
import type { Parts } from '../parts.ts';
import type { Commands } from '../writer/commands.ts';

type SigningKeys = Pick<SignInStore, 'listSigningKeys' | 'addSigningKey' | 'deleteSigningKeys'>;

/** Returns the methods of the store that keep signing keys. */
export function createSigningKeys({ changeAccess, reader }: Pick<Parts, 'changeAccess' | 'reader'>): SigningKeys {
  return {
    listSigningKeys(purpose) {
      // Any number of rows.
      const rows = reader.all(
        `SELECT purpose, key_id, public_jwk, sealed_private_jwk, created_at FROM signing_keys
         WHERE purpose = ? ORDER BY created_at DESC, signing_key_number DESC`,
        purpose,
      );
      return rows.map(toSigningKey);
    },
    addSigningKey: (key, expectedNewest) =>
      changeAccess({ takes: { kind: 'signing_keys', purpose: key.purpose } }, 'addSigningKey', key, expectedNewest),
    deleteSigningKeys: (purpose, createdBefore) =>
      changeAccess({ takes: { kind: 'signing_keys', purpose } }, 'deleteSigningKeys', purpose, createdBefore),
  };
}

/** The writes of signing keys, on the writer thread. */
export function signingKeyWrites(database: DatabaseSync): Pick<Commands, 'addSigningKey' | 'deleteSigningKeys'> {
  const newest = (column: string) =>
    `(SELECT ${column} FROM signing_keys WHERE purpose = ?1 ORDER BY created_at DESC, signing_key_number DESC LIMIT 1)`;
  // No change: the newest key of the purpose is another one than expected.
  const insert = statement(
    database,
    `INSERT INTO signing_keys (purpose, key_id, public_jwk, sealed_private_jwk, created_at)
     SELECT ?1, ?2, ?3, ?4, ?5 WHERE ${newest('key_id')} IS ?6`,
  );
  // Any number of rows, but never all.
  const remove = statement(
    database,
    `DELETE FROM signing_keys
     WHERE purpose = ?1 AND created_at < ?2 AND signing_key_number IS NOT ${newest('signing_key_number')}`,
  );
  return {
    addSigningKey: ({ purpose, keyId, publicJwk, sealedPrivateJwk, createdAt }, expectedNewest) =>
      insert.changes(purpose, keyId, publicJwk, sealedPrivateJwk, createdAt, expectedNewest) === 0 ? 'superseded' : 'added',
    deleteSigningKeys: (purpose, createdBefore) => remove.changes(purpose, createdBefore),
  };
}
