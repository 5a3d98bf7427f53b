/** API keys of a project. */

import { setImmediate } from 'node:timers/promises';
import {
  type ApiKeyBody,
  type ApiKeyInfoBody,
  environments as allEnvironments,
  apiKeysMax,
  type CreateApiKeyBody,
  type CreatedApiKeyBody,
} from '@holdfast/contract';
import type { ApiKeyPrincipal } from '../access/principal.ts';
import { randomIdentifier } from '../common/ids/base62.ts';
import { noProject, Refusal } from '../common/requests/refusal.ts';
import { formatTime, formatTimeOrNull, parseFutureTime } from '../common/requests/time.ts';
import { generateApiKey, hashApiKey, startOfApiKey } from '../common/secrets/api-key-text.ts';
import type { Sealer } from '../common/secrets/sealer.ts';
import { QuotaRefusal } from '../limits/quota-refusal.ts';
import { type ApiKey, apiKeyRecord, type ListedApiKey } from '../storage/contract/api-keys.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { Store } from '../storage/store.ts';

/**
 * Creates an API key and returns its record with the key itself. A secret key cannot be read again, nor a publishable one without `sealer`.
 * By default a key writes to every environment and does not expire; a publishable one reads. Throws `validation_error` for an invalid or past expiry and for a publishable key that
 * would write, `not_found` if the project does not exist, or `QUOTA_API_KEYS`.
 */
export async function createApiKey(
  store: Pick<Store, 'createApiKey'>,
  by: ChangedBy,
  project: ProjectKey,
  { name, kind = 'secret', access, environments = [...allEnvironments], expiresAt = null }: CreateApiKeyBody,
  sealer?: Pick<Sealer, 'seal'>,
): Promise<CreatedApiKeyBody> {
  if (kind === 'publishable' && access === 'write') {
    throw new Refusal('validation_error', '"/access" must be "read": a publishable key may be known to everybody');
  }
  const apiKey = generateApiKey(kind);
  const key: ApiKey = {
    accountId: project.accountId,
    slug: project.slug,
    keyId: `key_${randomIdentifier()}`,
    name,
    start: startOfApiKey(apiKey),
    kind,
    access: access ?? (kind === 'publishable' ? 'read' : 'write'),
    environments: allEnvironments.filter((environment) => environments.includes(environment)),
    createdAt: by.at,
    lastUsedAt: null,
    expiresAt: expiresAt === null ? null : parseFutureTime('expiresAt', expiresAt, by.at),
    requestsPerMinute: null,
  };
  const sealedKey = kind === 'publishable' ? sealer?.seal(Buffer.from(apiKey), apiKeyRecord(key)) : null;
  const outcome = await store.createApiKey(by, key, hashApiKey(apiKey), apiKeysMax, sealedKey ?? null);
  if (outcome === 'no_project') throw noProject(project);
  if (outcome !== 'created') throw tooManyApiKeys(outcome.used);
  return { ...apiKeyBody(key), apiKey };
}

/** Keys opened in one turn of the event loop. */
const openedAtOnce = 100;

/**
 * Returns the API keys of the project, newest first; an empty list if there is no such project. With `sealer`, publishable keys are shown,
 * except those from before keys were sealed.
 */
export async function listApiKeys(
  store: Pick<Store, 'listApiKeys'>,
  project: ProjectKey,
  sealer: Pick<Sealer, 'open'> | undefined,
): Promise<{ items: ApiKeyBody[] }> {
  const keys = await store.listApiKeys(project, apiKeysMax);
  const items: ApiKeyBody[] = [];
  for (const key of keys) {
    if (items.length > 0 && items.length % openedAtOnce === 0) await setImmediate();
    items.push({ ...apiKeyBody(key), apiKey: sealer === undefined ? null : openedKey(key, sealer) });
  }
  return { items };
}

/** Returns a publishable key; null if its text was not stored, or does not open to the text of this key. */
function openedKey({ kind, sealedKey, keyHash, ...key }: ListedApiKey, { open }: Pick<Sealer, 'open'>): string | null {
  if (kind !== 'publishable' || sealedKey === null) return null;
  try {
    const text = Buffer.from(open(sealedKey, apiKeyRecord(key))).toString();
    return Buffer.compare(hashApiKey(text), keyHash) === 0 ? text : null;
  } catch {
    return null; // sealed with a secret key that was removed; "holdfast doctor" says so
  }
}

/** Deletes the API key, which is rejected from then on, or throws `not_found`. */
export async function revokeApiKey(
  store: Pick<Store, 'deleteApiKey'>,
  by: ChangedBy,
  project: ProjectKey,
  keyId: string,
): Promise<void> {
  if ((await store.deleteApiKey(by, project, keyId)) === 'absent') {
    throw new Refusal('not_found', `the project ${project.slug} has no API key ${keyId}`);
  }
}

/** Returns a description of the presented API key. */
export function describeApiKey(principal: ApiKeyPrincipal): ApiKeyInfoBody {
  const { accountId, slug, keyId, name, start, access, environments, createdAt, expiresAt } = principal;
  return {
    accountId,
    projectSlug: slug,
    id: keyId,
    name,
    start,
    access,
    environments: [...environments],
    createdAt: formatTime(createdAt),
    expiresAt: formatTimeOrNull(expiresAt),
  };
}

function tooManyApiKeys(used: number): QuotaRefusal {
  const message = `cannot create the API key: the project has ${used} API keys and may have ${apiKeysMax}; revoke one first`;
  return new QuotaRefusal('QUOTA_API_KEYS', message, { limit: apiKeysMax, used });
}

function apiKeyBody(key: ApiKey): Omit<ApiKeyBody, 'apiKey'> {
  return {
    id: key.keyId,
    name: key.name,
    start: key.start,
    kind: key.kind,
    access: key.access,
    environments: [...key.environments],
    createdAt: formatTime(key.createdAt),
    lastUsedAt: formatTimeOrNull(key.lastUsedAt),
    expiresAt: formatTimeOrNull(key.expiresAt),
  };
}
