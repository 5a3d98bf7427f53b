/** API keys, found by their hash. */
import { encodeText, toApiKey } from '../../rows.ts';
import type { ApiKey, Store, TooManyApiKeys } from '../../store.ts';
import { arrayLiteral, type Query } from '../connection/query.ts';
import type { Parts } from '../parts.ts';

type ApiKeys = Pick<Store, 'createApiKey' | 'findApiKey' | 'listApiKeys' | 'deleteApiKey' | 'recordApiKeyUse'>;

const columns = `account_id, slug, key_id, api_keys.name, start, kind, access, environments, api_keys.created_at,
  last_used_at, expires_at`;
/** Keys whose project still exists. */
const ofTheLiving = `api_keys JOIN accounts USING (account_id) JOIN projects USING (account_id, slug, project_id)`;

/** Returns the methods of the store that keep API keys. */
export function createApiKeys({ database, access }: Parts): ApiKeys {
  return {
    createApiKey: (key, keyHash, keysMax) =>
      database.transaction('read committed', (query) => createApiKey(query, key, keyHash, keysMax)),
    async findApiKey(keyHash) {
      // No row: no such key, or its project or account is gone.
      const [row] = await database.query(`SELECT ${columns} FROM ${ofTheLiving} WHERE key_hash = $1`, [keyHash]);
      return row && toApiKey(row);
    },
    async listApiKeys({ accountId, slug }, itemsMax) {
      // At most that many rows.
      const rows = await database.query(
        `SELECT ${columns} FROM ${ofTheLiving} WHERE account_id = $1 AND slug = $2
         ORDER BY api_keys.created_at DESC, created_micros DESC LIMIT $3`,
        [accountId, slug, itemsMax],
      );
      return rows.map(toApiKey);
    },
    deleteApiKey: ({ accountId, slug }, keyId) =>
      access.change(
        { kind: 'api_key', accountId, slug, keyId },
        async (query) => {
          // No row: this project has no such key.
          const rows = await query(
            `DELETE FROM api_keys WHERE key_id = $3 AND account_id = $1 AND project_id =
               (SELECT project_id FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2)
             RETURNING key_id`,
            [accountId, slug, keyId],
          );
          return rows.length === 0 ? 'absent' : 'deleted';
        },
        (outcome) => outcome === 'absent',
        'read committed',
      ),
    async recordApiKeyUse(uses) {
      if (uses.length === 0) return;
      // A row for each key that was not used later than that. In one order on all nodes, so that none waits for another twice.
      await database.query(
        `UPDATE api_keys SET last_used_at = uses.used_at
         FROM (SELECT * FROM unnest($1::text[], $2::bigint[]) AS uses (key_id, used_at) ORDER BY key_id) AS uses
         WHERE api_keys.key_id = uses.key_id AND (last_used_at IS NULL OR last_used_at < uses.used_at)`,
        [arrayLiteral(uses.map(({ keyId }) => keyId)), arrayLiteral(uses.map(({ usedAt }) => usedAt))],
      );
    },
  };
}

/** Keys of one project are made one after the other: each holds the row of the project until it is committed. */
async function createApiKey(
  query: Query,
  key: ApiKey,
  keyHash: Uint8Array,
  keysMax: number,
): Promise<'created' | 'no_project' | TooManyApiKeys> {
  const { accountId, slug, keyId, start, kind, access, environments, createdAt, lastUsedAt, expiresAt } = key;
  // No row: no such project.
  const [project] = await query('SELECT project_id FROM projects WHERE account_id = $1 AND slug = $2 FOR UPDATE', [
    accountId,
    slug,
  ]);
  if (project === undefined) return 'no_project';
  // One row, always.
  const [present] = await query('SELECT count(*) AS keys FROM api_keys WHERE account_id = $1 AND project_id = $2', [
    accountId,
    project.project_id as string,
  ]);
  const used = present?.keys as number;
  if (used >= keysMax) return { kind: 'too_many', used };
  // No row: the account is gone. Two keys of one hash or id are a fault of the caller and fail.
  const rows = await query(
    `INSERT INTO api_keys (key_hash, key_id, account_id, slug, project_id, name, start, kind, access, environments,
       created_at, created_micros, last_used_at, expires_at)
     SELECT $3, $4, account_id, slug, project_id, $5, $6, $7, $8, $9, $10,
       (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, $11::bigint, $12::bigint
     FROM accounts JOIN projects USING (account_id) WHERE account_id = $1 AND slug = $2
     RETURNING key_id`,
    [
      ...[accountId, slug, keyHash, keyId, encodeText(key.name), start, kind, access, environments.join(',')],
      ...[createdAt, lastUsedAt, expiresAt],
    ],
  );
  return rows.length === 0 ? 'no_project' : 'created';
}
