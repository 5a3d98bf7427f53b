/** API keys, found by their hash. */

import { accountChange } from '../../caches/access-changes.ts';
import type { ApiKey, ApiKeyUse, ListedApiKey, TooManyApiKeys } from '../../contract/api-keys.ts';
import type { ProjectKey } from '../../contract/projects.ts';
import { ofAccount, ofItsAccount, ofRecord } from '../../contract/read-owner.ts';
import { toApiKey } from '../../rows/api-key-rows.ts';
import { bytesAt, decodedTextAt, integerAt, optionalBytesAt, optionalIntegerAt, textAt } from '../../rows/columns.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import { created, differing, removed } from '../audit/audit-detail.ts';
import { type AuditedSetting, audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import { all, first, type Steps, together } from '../steps.ts';
import { largeRead, type Setting, smallRead, write } from '../verb.ts';
import { eventAuthor, storeEvent } from '../webhooks/webhook-queue.ts';
import { lockProject, projectTarget } from './projects.ts';

const columns = `account_id, slug, key_id, api_keys.name, start, kind, access, environments, api_keys.created_at,
  last_used_at, expires_at, api_keys.requests_per_minute_max`;

const keyTarget = ({ slug }: Pick<ProjectKey, 'slug'>, keyId: string): string => `${projectTarget(slug)}/api-keys/${keyId}`;

function* create(
  { by }: AuditedSetting,
  key: ApiKey,
  keyHash: Uint8Array,
  keysMax: number,
  sealedKey: Uint8Array | null = null,
): Steps<WithAuditEntry<'created' | 'no_project' | TooManyApiKeys>> {
  const { accountId, slug, keyId, start, kind, access, environments, createdAt, lastUsedAt, expiresAt } = key;
  if (!(yield* lockProject(key))) return unchanged('no_project');
  // One row, always. Keys of one project are created one after the other, since each locks the project.
  const [present = {}] = yield* all(
    `SELECT count(*) AS keys, coalesce(max(position), 0) + 1 AS position FROM api_keys WHERE account_id = $1 AND slug = $2`,
    [accountId, slug],
  );
  const used = integerAt(present, 'keys');
  if (used >= keysMax) return unchanged({ kind: 'too_many', used });
  // Two keys with the same hash are a fault of the caller and fail.
  yield* all(
    `INSERT INTO api_keys (key_hash, key_id, account_id, slug, position, name, start, kind, access, environments,
       created_at, last_used_at, expires_at, sealed_key) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      keyHash,
      keyId,
      accountId,
      slug,
      integerAt(present, 'position'),
      encodeText(key.name),
      start,
      kind,
      access,
      environments.join(','),
      createdAt,
      lastUsedAt,
      expiresAt,
      sealedKey,
    ],
  );
  const detail = created({
    name: key.name,
    start,
    kind,
    access,
    environments,
    ...(expiresAt !== null && { expiresAt: new Date(expiresAt).toISOString() }),
  });
  yield* storeEvent(key, { type: 'api_key.created', at: by.at, data: { keyId, kind, access, author: eventAuthor(by) } });
  return withAuditEntry('created', { action: 'api_key.create', target: keyTarget(key, keyId), detail });
}

function* find(_: Setting, keyHash: Uint8Array): Steps<ApiKey | undefined> {
  // No row: no such key, or its account was deleted.
  const row = yield* first(`SELECT ${columns} FROM api_keys JOIN accounts USING (account_id) WHERE key_hash = $1`, [
    keyHash,
  ]);
  return row && toApiKey(row);
}

function* list(_: Setting, { accountId, slug }: ProjectKey, itemsMax: number): Steps<readonly ListedApiKey[]> {
  // At most that many rows.
  const rows = yield* all(
    `SELECT ${columns}, key_hash, sealed_key FROM api_keys JOIN accounts USING (account_id) WHERE account_id = $1 AND slug = $2
     ORDER BY api_keys.created_at DESC, position DESC LIMIT $3`,
    [accountId, slug, itemsMax],
  );
  return rows.map((row) => ({
    ...toApiKey(row),
    keyHash: bytesAt(row, 'key_hash'),
    sealedKey: optionalBytesAt(row, 'sealed_key'),
  }));
}

function* remove(
  { by }: AuditedSetting,
  { accountId, slug }: ProjectKey,
  keyId: string,
): Steps<WithAuditEntry<'deleted' | 'absent'>> {
  // No row: this project has no such key.
  const row = yield* first(
    `DELETE FROM api_keys WHERE account_id = $1 AND slug = $2 AND key_id = $3
       AND EXISTS (SELECT 1 FROM accounts WHERE account_id = $1)
     RETURNING name, start`,
    [accountId, slug, keyId],
  );
  if (row === undefined) return unchanged('absent');
  const detail = removed({ name: decodedTextAt(row, 'name'), start: textAt(row, 'start') });
  yield* storeEvent({ accountId, slug }, { type: 'api_key.revoked', at: by.at, data: { keyId, author: eventAuthor(by) } });
  return withAuditEntry('deleted', { action: 'api_key.revoke', target: keyTarget({ slug }, keyId), detail });
}

function* limit(
  _: Setting,
  accountId: string,
  keyId: string,
  requestsPerMinute: number | null,
): Steps<WithAuditEntry<'written' | 'absent'>> {
  // No row: this account has no such key.
  const row = yield* first(
    `SELECT slug, api_keys.requests_per_minute_max FROM api_keys JOIN accounts USING (account_id)
     WHERE account_id = $1 AND key_id = $2`,
    [accountId, keyId],
  );
  if (row === undefined) return unchanged('absent');
  // One row, unless it was revoked just now.
  yield* all('UPDATE api_keys SET requests_per_minute_max = $3 WHERE account_id = $1 AND key_id = $2', [
    accountId,
    keyId,
    requestsPerMinute,
  ]);
  const detail = differing({ requestsPerMinute: optionalIntegerAt(row, 'requests_per_minute_max') }, { requestsPerMinute });
  return withAuditEntry('written', {
    action: 'api_key.limit',
    target: keyTarget({ slug: textAt(row, 'slug') }, keyId),
    detail,
  });
}

function* listLimited(_: Setting, accountId: string): Steps<readonly ApiKey[]> {
  // Any number of rows, but few.
  const rows = yield* all(
    `SELECT ${columns} FROM api_keys JOIN accounts USING (account_id)
     WHERE account_id = $1 AND api_keys.requests_per_minute_max IS NOT NULL ORDER BY slug, key_id`,
    [accountId],
  );
  return rows.map(toApiKey);
}

function* recordUse(_: Setting, uses: readonly ApiKeyUse[]): Steps<void> {
  // In the same order on all nodes, to avoid deadlocks.
  const ordered = [...uses].sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
  // No change: no such key, or it was used later.
  const sql = `UPDATE api_keys SET last_used_at = $3
    WHERE account_id = $1 AND key_id = $2 AND (last_used_at IS NULL OR last_used_at < $3)`;
  yield* together(ordered.map(({ accountId, keyId, usedAt }) => ({ sql, values: [accountId, keyId, usedAt] })));
}

export const apiKeyVerbs = {
  /**
   * `keyHash` is the SHA-256 of the key text, and `sealedKey` the sealed text, if it may be shown again. Creates a key, unless the project
   * already has `keysMax` or more.
   */
  createApiKey: audited(create, ofItsAccount),
  findApiKey: smallRead(find),
  /** The newest `itemsMax` keys, newest first. */
  listApiKeys: largeRead(list, ofRecord),
  deleteApiKey: audited(remove, ofItsAccount, {
    invalidates: ({ accountId, slug }, keyId) => ({ kind: 'api_key', accountId, slug, keyId }),
    isWithoutEffect: (outcome) => outcome === 'absent',
  }),
  /** Sets a key's limit of requests per minute, or null. An access change. */
  limitApiKey: audited(limit, ofAccount, {
    invalidates: accountChange,
    isWithoutEffect: (outcome) => outcome === 'absent',
  }),
  /** The keys of an account that have their own limit. */
  listLimitedApiKeys: smallRead(listLimited),
  /** Moves `lastUsedAt` of the named keys forward, never back. Unknown keys are skipped. Not an access change. */
  recordApiKeyUse: write(recordUse),
};
