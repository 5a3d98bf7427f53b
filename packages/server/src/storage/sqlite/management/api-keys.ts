/** API keys, found by their hash. */
import type { DatabaseSync } from 'node:sqlite';
import type { ManagementStore } from '../../management-store.ts';
import { encodeText, toApiKey } from '../../rows.ts';
import { statement } from '../directory/database.ts';
import type { Parts } from '../parts.ts';
import type { Commands } from '../writer/commands.ts';

type ApiKeys = Pick<ManagementStore, 'createApiKey' | 'findApiKey' | 'listApiKeys' | 'deleteApiKey' | 'recordApiKeyUse'>;

/** The size of one use in a command, in characters. */
const useCharacters = 100;

const apiKeyColumns = `account_id, slug, key_id, api_keys.name, start, kind, access, environments, api_keys.created_at,
  last_used_at, expires_at`;

/** Returns the methods of the store that keep API keys. */
export function createApiKeys({ changeAccess, queue, reader }: Pick<Parts, 'changeAccess' | 'queue' | 'reader'>): ApiKeys {
  return {
    createApiKey: (key, keyHash, keysMax) => changeAccess({}, 'createApiKey', key, keyHash, keysMax),
    findApiKey(keyHash) {
      // No row: no such key, or its project or account is gone.
      const row = reader.get(
        `SELECT ${apiKeyColumns} FROM api_keys JOIN projects USING (project_id)
         JOIN accounts ON accounts.account_number = projects.account_number WHERE key_hash = ?`,
        keyHash,
      );
      return row && toApiKey(row);
    },
    listApiKeys({ accountId, slug }, itemsMax) {
      // At most that many rows.
      const rows = reader.all(
        `SELECT ${apiKeyColumns} FROM accounts JOIN projects USING (account_number) JOIN api_keys USING (project_id)
         WHERE account_id = ? AND slug = ? ORDER BY api_keys.created_at DESC, api_key_number DESC LIMIT ?`,
        accountId,
        slug,
        itemsMax,
      );
      return rows.map(toApiKey);
    },
    deleteApiKey({ accountId, slug }, keyId) {
      const effect = { takes: { kind: 'api_key', accountId, slug, keyId } } as const;
      return changeAccess(effect, 'deleteApiKey', accountId, slug, keyId);
    },
    async recordApiKeyUse(uses) {
      if (uses.length > 0) await queue.submit(uses.length * useCharacters, 'recordApiKeyUse', uses);
    },
  };
}

/** The writes of API keys, on the writer thread. */
export function apiKeyWrites(database: DatabaseSync): Pick<Commands, 'createApiKey' | 'deleteApiKey' | 'recordApiKeyUse'> {
  // No row: no such project.
  const findProject = statement(
    database,
    `SELECT account_number, project_id, (SELECT count(*) FROM api_keys WHERE api_keys.project_id = projects.project_id) AS keys
     FROM accounts JOIN projects USING (account_number) WHERE account_id = ? AND slug = ?`,
  );
  // One row, always. Two keys of one hash or id are a fault of the caller and fail.
  const insert = statement(
    database,
    `INSERT INTO api_keys (account_number, project_id, key_hash, key_id, name, start, kind, access, environments,
       created_at, last_used_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // No change: this project has no such key.
  const remove = statement(
    database,
    `DELETE FROM api_keys WHERE key_id = ?3 AND project_id =
       (SELECT project_id FROM accounts JOIN projects USING (account_number) WHERE account_id = ?1 AND slug = ?2)`,
  );
  // No change: no such key, or it was used later than that.
  const use = statement(
    database,
    'UPDATE api_keys SET last_used_at = ?2 WHERE key_id = ?1 AND (last_used_at IS NULL OR last_used_at < ?2)',
  );
  return {
    createApiKey(key, keyHash, keysMax) {
      const { accountId, slug, keyId, start, kind, access, createdAt, lastUsedAt, expiresAt } = key;
      const name = encodeText(key.name);
      const environments = key.environments.join(',');
      const project = findProject.get(accountId, slug);
      if (project === undefined) return 'no_project';
      const used = project.keys as number;
      if (used >= keysMax) return { kind: 'too_many', used };
      const place = [project.account_number as number, project.project_id as number];
      insert.changes(...place, keyHash, keyId, name, start, kind, access, environments, createdAt, lastUsedAt, expiresAt);
      return 'created';
    },
    deleteApiKey: (accountId, slug, keyId) => (remove.changes(accountId, slug, keyId) === 0 ? 'absent' : 'deleted'),
    recordApiKeyUse(uses) {
      for (const { keyId, usedAt } of uses) use.changes(keyId, usedAt);
    },
  };
}
