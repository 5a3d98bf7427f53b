/** Fills a store with the data of a measurement. */
import { generateApiKey, hashApiKey, startOfApiKey } from '../../packages/server/src/common/secrets/api-key-text.ts';
import { hashSecret, randomSecret } from '../../packages/server/src/common/secrets/secret-text.ts';
import type { Running } from '../../packages/server/src/main.ts';
import { newFamilyId, refreshTokenText } from '../../packages/server/src/oauth/refresh-token-text.ts';
import type { ApiKey } from '../../packages/server/src/storage/contract/api-keys.ts';
import { builtInIssuerName } from '../../packages/server/src/storage/contract/identity.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { anAccount, aProject, byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { createApi, expectStatus } from '../api.ts';

export const accountId = 'acc_bench';
export const environment = 'production';
/** The account owner's subject at the built-in issuer. */
const developer = 'bench';

/** The slug of the n-th project. */
export const slugOf = (index: number): string => `project-${index}`;

/** The path of its public state. */
export const pathOf = (index: number): string => `/v1/${accountId}/projects/${slugOf(index)}/public-state/${environment}`;

/** Creates the account with projects of these slugs. */
export async function createBenchAccount(store: Store, ...slugs: readonly string[]): Promise<void> {
  await store.createAccount(anAccount({ accountId, name: 'Bench', idpTenantId: 'bench', createdAt: 1 }));
  for (const slug of slugs)
    await store.createProject(byOperator, aProject({ accountId, slug, name: 'Bench', createdAt: 1 }));
}

/**
 * Creates one account of a developer with `projects` projects, each with `document` at version 1, at most `togetherMax` in parallel. Throws
 * if the store has them already.
 */
export async function seedProjects(
  store: Store,
  { projects, document, togetherMax }: { projects: number; document: string; togetherMax: number },
): Promise<void> {
  const createdAt = Date.now();
  await store.createDeveloper(
    builtInIssuerName,
    developer,
    anAccount({ accountId, name: 'Bench', idpTenantId: 'bench', createdAt }),
  );
  const stateBytes = Buffer.byteLength(document);
  const next = { stateText: document, stateBytes, comment: null, writtenAt: createdAt, author: null };
  const seedProject = async (index: number) => {
    const slug = slugOf(index);
    const created = await store.createProject(byOperator, aProject({ accountId, slug, name: slug, createdAt }));
    const key = { accountId, slug, environment } as const;
    const written = await store.writePublicState(key, { kind: 'absent' }, next);
    if (written.kind !== 'written') throw new Error(`cannot seed ${slug}: it was ${created}, its state is ${written.kind}`);
  };
  for (let begin = 0; begin < projects; begin += togetherMax) {
    const length = Math.min(togetherMax, projects - begin);
    await Promise.all(Array.from({ length }, (_, offset) => seedProject(begin + offset)));
  }
}

/** Creates a webhook for changes of public state in each project, over HTTP, like the account's developer. */
export async function seedWebhooks(
  { baseUrl, accessTokens }: Pick<Running, 'baseUrl' | 'accessTokens'>,
  { projects, url }: { readonly projects: number; readonly url: string },
): Promise<void> {
  const api = createApi(
    baseUrl,
    `Bearer ${await accessTokens.signDeveloperToken({ accountId, subject: developer, seconds: 60 * 60 })}`,
  );
  for (let index = 0; index < projects; index++) {
    const path = `/v1/${accountId}/projects/${slugOf(index)}/webhooks`;
    expectStatus(await api.send('POST', path, { body: { url, events: ['public_state.changed'] } }), 201);
  }
  api.close();
}

/** Creates an API key for each of the first `count` projects; returns the keys. */
export async function seedApiKeys(store: Store, count: number): Promise<string[]> {
  const seedApiKey = async (index: number) => {
    const text = generateApiKey();
    const record: ApiKey = {
      accountId,
      slug: slugOf(index),
      keyId: `key-${index}`,
      name: 'Bench',
      start: startOfApiKey(text),
      kind: 'secret',
      access: 'write',
      environments: [environment],
      createdAt: Date.now(),
      lastUsedAt: null,
      expiresAt: null,
      requestsPerMinute: null,
    };
    const created = await store.createApiKey(byOperator, record, hashApiKey(text), 1_000);
    if (created !== 'created') throw new Error(`cannot make an API key for ${slugOf(index)}: ${created}`);
    return text;
  };
  return Promise.all(Array.from({ length: count }, (_, index) => seedApiKey(index)));
}

/** Signs in a developer `count` times; returns the refresh tokens. */
export async function seedRefreshTokens(store: Store, count: number): Promise<string[]> {
  const now = Date.now();
  const later = now + 24 * 60 * 60 * 1000;
  const grant = {
    accountId,
    slug: null,
    environment: null,
    clientId: 'svc-developer',
    subject: developer,
    scope: 'developer',
  };
  const seedToken = async () => {
    const codeHash = hashSecret(randomSecret());
    const code = {
      redirectUri: 'http://127.0.0.1/cb',
      codeChallenge: 'x'.repeat(43),
      email: null,
      name: null,
      expiresAt: later,
    };
    await store.addAuthorizationCode(codeHash, { ...grant, ...code });
    const secret = randomSecret();
    const familyId = newFamilyId();
    const family = { ...grant, familyId, createdAt: now, idleExpiresAt: later, absoluteExpiresAt: later };
    const redeemed = await store.redeemAuthorizationCode(codeHash, family, hashSecret(secret), now);
    if (redeemed !== 'redeemed') throw new Error(`cannot seed a refresh token: its code was ${redeemed}`);
    return refreshTokenText(familyId, secret);
  };
  return Promise.all(Array.from({ length: count }, seedToken));
}
