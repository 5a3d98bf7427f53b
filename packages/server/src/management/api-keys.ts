/** API keys of a project. */
import {
  type ApiKeyBody,
  type ApiKeyInfoBody,
  environments as allEnvironments,
  apiKeysMax,
  type CreateApiKeyBody,
  type CreatedApiKeyBody,
} from '@holdfast/contract';
import type { ApiKeyPrincipal } from '../access/principal.ts';
import { generateApiKey, hashApiKey, startOfApiKey } from '../common/api-key-text.ts';
import { randomIdentifier } from '../common/base62.ts';
import { Refusal } from '../common/refusal.ts';
import { formatTime, parseTime } from '../common/time.ts';
import { QuotaRefusal } from '../limits/quota-refusal.ts';
import type { ChangedBy } from '../storage/contract/audit-store.ts';
import type { ApiKey, ProjectKey, Store } from '../storage/store.ts';
import { noProject } from './projects.ts';

/**
 * Creates an API key and returns its record with the key itself, which cannot be read again. By default a key writes to every environment
 * and does not expire; a publishable one reads. Throws `validation_error` for an invalid or past expiry and for a publishable key that
 * would write, `not_found` if the project does not exist, or `QUOTA_API_KEYS`.
 */
export async function createApiKey(
  store: Pick<Store, 'createApiKey'>,
  by: ChangedBy,
  project: ProjectKey,
  { name, kind = 'secret', access, environments = [...allEnvironments], expiresAt = null }: CreateApiKeyBody,
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
    expiresAt: expiresAt === null ? null : readExpiry(expiresAt, by.at),
    requestsPerMinute: null,
  };
  const outcome = await store.createApiKey(by, key, hashApiKey(apiKey), apiKeysMax);
  if (outcome === 'no_project') throw noProject(project);
  if (outcome !== 'created') throw tooManyApiKeys(outcome.used);
  return { ...apiKeyBody(key), apiKey };
}

/** Returns the API keys of the project, newest first; an empty list if there is no such project. */
export async function listApiKeys(
  store: Pick<Store, 'listApiKeys'>,
  project: ProjectKey,
): Promise<{ items: ApiKeyBody[] }> {
  return { items: (await store.listApiKeys(project, apiKeysMax)).map(apiKeyBody) };
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
    expiresAt: expiresAt === null ? null : formatTime(expiresAt),
  };
}

function tooManyApiKeys(used: number): QuotaRefusal {
  const message = `cannot create the API key: the project has ${used} API keys and may have ${apiKeysMax}; revoke one first`;
  return new QuotaRefusal('QUOTA_API_KEYS', message, { limit: apiKeysMax, used });
}

function apiKeyBody(key: ApiKey): ApiKeyBody {
  return {
    id: key.keyId,
    name: key.name,
    start: key.start,
    kind: key.kind,
    access: key.access,
    environments: [...key.environments],
    createdAt: formatTime(key.createdAt),
    lastUsedAt: key.lastUsedAt === null ? null : formatTime(key.lastUsedAt),
    expiresAt: key.expiresAt === null ? null : formatTime(key.expiresAt),
  };
}

function readExpiry(text: string, nowMs: number): number {
  const expiresAt = parseTime('expiresAt', text);
  if (expiresAt <= nowMs) throw new Refusal('validation_error', '"/expiresAt" must be in the future');
  return expiresAt;
}
