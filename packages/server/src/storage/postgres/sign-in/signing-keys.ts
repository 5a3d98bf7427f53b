/** The key pairs that sign tokens. There are a handful of them. */
import { toSigningKey } from '../../rows.ts';
import type { SigningPurpose, Store } from '../../store.ts';
import type { Query } from '../connection/query.ts';
import type { Parts } from '../parts.ts';

type SigningKeys = Pick<Store, 'listSigningKeys' | 'addSigningKey' | 'deleteSigningKeys'>;

/** Returns the methods of the store that keep signing keys. */
export function createSigningKeys({ database, access }: Parts): SigningKeys {
  return {
    async listSigningKeys(purpose) {
      // Any number of rows.
      const rows = await database.query(
        `SELECT purpose, key_id, public_jwk, sealed_private_jwk, created_at FROM signing_keys
         WHERE purpose = $1 ORDER BY created_at DESC, key_id DESC`,
        [purpose],
      );
      return rows.map(toSigningKey);
    },
    addSigningKey: ({ purpose, keyId, publicJwk, sealedPrivateJwk, createdAt }, expectedNewest) =>
      access.change(
        { kind: 'signing_keys', purpose },
        async (query) => {
          if ((await newestKeyId(query, purpose)) !== expectedNewest) return 'superseded';
          // One row, always.
          await query(
            `INSERT INTO signing_keys (purpose, key_id, public_jwk, sealed_private_jwk, created_at)
             VALUES ($1, $2, $3, $4, $5)`,
            [purpose, keyId, publicJwk, sealedPrivateJwk, createdAt],
          );
          return 'added';
        },
        (outcome) => outcome === 'superseded',
      ),
    deleteSigningKeys: (purpose, createdBefore) =>
      access.change(
        { kind: 'signing_keys', purpose },
        async (query) => {
          // Any number of rows, but never all.
          const rows = await query(
            `DELETE FROM signing_keys WHERE purpose = $1 AND created_at < $2 AND key_id <> $3 RETURNING key_id`,
            [purpose, createdBefore, (await newestKeyId(query, purpose)) ?? ''],
          );
          return rows.length;
        },
        (count) => count === 0,
      ),
  };
}

async function newestKeyId(query: Query, purpose: SigningPurpose): Promise<string | null> {
  // No row: there is none of this purpose.
  const [row] = await query(
    'SELECT key_id FROM signing_keys WHERE purpose = $1 ORDER BY created_at DESC, key_id DESC LIMIT 1',
    [purpose],
  );
  return (row?.key_id as string | undefined) ?? null;
}
