import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAccount, addProject, openStoreFixture, type StoreFixture } from '../access/store.fixture.ts';
import { generateApiKey, hashApiKey, isWellFormedApiKey } from '../common/secrets/api-key-text.ts';
import type { Sealer } from '../common/secrets/sealer.ts';
import { pageBody, parsePageRequest } from '../http/wire/page.ts';
import { bodyReader } from '../http/wire/record-body.ts';
import { createSealer } from '../secrets/sealer.ts';
import { publishableKeyPurpose } from '../storage/contract/api-keys.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { Store } from '../storage/store.ts';
import { byOperator } from '../storage/store-suite/records.fixture.ts';
import * as accounts from './accounts.ts';
import * as apiKeys from './api-keys.ts';
import * as projects from './projects.ts';

const nowMs = Date.UTC(2026, 0, 1, 12, 0, 0, 7);
const createdAt = '2026-01-01T12:00:00.007Z';
let fixture: StoreFixture;
let store: Store;
beforeAll(async () => {
  fixture = await openStoreFixture();
  store = fixture.store;
});
afterAll(() => fixture.dispose());

const readAccountChanges = bodyReader('UpdateAccountBody');
const readProject = bodyReader('CreateProjectBody');
const readUpdate = bodyReader('UpdateProjectBody');
const readApiKey = bodyReader('CreateApiKeyBody');
const createAccount = async (body: unknown) => {
  const { name = '' } = await readAccountChanges(body);
  return accounts.createAccount(store, { name }, nowMs);
};
const renameAccount = async (accountId: string, body: unknown) =>
  accounts.updateAccount(store, byOperator, accountId, await readAccountChanges(body), false);
const renameProject = async (key: ProjectKey, body: unknown) =>
  projects.updateProject(store, byOperator, key, await readUpdate(body), true);
const createProject = async (accountId: string, body: unknown, at = nowMs) =>
  projects.createProject(store, { ...byOperator, at }, accountId, await readProject(body));
const listProjects = async (accountId: string, query: URLSearchParams) => {
  const scope = `projects of ${accountId}`;
  return pageBody(await projects.listProjects(store, accountId, parsePageRequest(query, scope)), scope);
};
const keySealer = createSealer(Buffer.alloc(32, 7), publishableKeyPurpose);
const createApiKey = async (project: ProjectKey, body: unknown) =>
  apiKeys.createApiKey(store, { ...byOperator, at: nowMs }, project, await readApiKey(body), keySealer);

const refused = (code: string, text = '') => expect.objectContaining({ code, message: expect.stringContaining(text) });
const longestName = '𝄞'.repeat(100);
const badNames = [undefined, null, 7, '', `${longestName}x`, ['a'], { toString: 'a' }];

describe('an account', () => {
  it('is created with a 128-bit id and its own tenant', async () => {
    const created = await createAccount({ name: 'Ada', accountId: 'acc_chosen' });
    expect(created).toEqual({
      accountId: expect.stringMatching(/^acc_[0-9A-Za-z]{22}$/),
      name: 'Ada',
      idpTenantId: expect.stringMatching(/^t-[0-9a-f]{26}$/),
      createdAt,
      requireSecondFactor: false,
    });
    expect(await accounts.readAccount(store, created.accountId)).toEqual(created);
    const other = await createAccount({ name: longestName });
    expect(other.idpTenantId).not.toBe(created.idpTenantId);
    const { items } = await accounts.listAccounts(store, { after: null, itemsMax: 10 });
    expect(items).toEqual(
      expect.arrayContaining([created, other].map((one) => ({ ...one, lastSeenAt: null, suspendedAt: null }))),
    );
  });

  it.each(badNames)('is neither created nor renamed with the name %j', async (name) => {
    if (name !== undefined) await expect(createAccount({ name })).rejects.toEqual(refused('validation_error', 'name'));
    const body = JSON.parse(JSON.stringify({ name }));
    await expect(renameAccount('acc_1', body)).rejects.toEqual(refused('validation_error', 'name'));
  });

  it('is renamed, then deleted', async () => {
    const created = await createAccount({ name: 'Ada' });
    const renamed = { ...created, name: 'Grace' };
    expect(await renameAccount(created.accountId, { name: 'Grace' })).toEqual(renamed);
    expect(await accounts.readAccount(store, created.accountId)).toEqual(renamed);
    await accounts.deleteAccount(store, created.accountId);
    const gone = refused('not_found', created.accountId);
    await expect(accounts.readAccount(store, created.accountId)).rejects.toEqual(gone);
    await expect(renameAccount(created.accountId, { name: 'x' })).rejects.toEqual(gone);
    await expect(accounts.deleteAccount(store, created.accountId)).rejects.toEqual(gone);
  });
});

describe('a project', () => {
  beforeAll(() => addAccount(store, 'acc_projects'));
  const create = (body: unknown, accountId = 'acc_projects') => createProject(accountId, body);

  it('is named after its slug if no name is given', async () => {
    const created = await create({ slug: 'hello', accountId: 'acc_other', createdAt: 'x' });
    expect(created).toMatchObject({ accountId: 'acc_projects', slug: 'hello', name: 'hello', createdAt });
    expect(await projects.readProject(store, { accountId: 'acc_projects', slug: 'hello' })).toEqual(created);
    expect(await create({ slug: 'a'.repeat(64), name: 'Long' })).toMatchObject({ name: 'Long' });
  });

  it('is created without what only a change may set', async () => {
    const created = await create({ slug: 'plain', protectedEnvironments: ['production'], flagsCheck: 'enforce' });
    expect(created).toMatchObject({ protectedEnvironments: [], flagsCheck: 'off' });
  });

  it.each([
    undefined,
    null,
    7,
    '',
    'Hello',
    'a--b',
    '-a',
    'a-',
    'a b',
    'a/b',
    'hello\n',
    'ſ',
    'a\u212A',
    '..',
    'a'.repeat(65),
  ])('is not created with the slug %j', async (slug) => {
    await expect(create({ slug })).rejects.toEqual(refused('validation_error', 'slug'));
  });

  it.each([undefined, null, 'x', [], [{ slug: 'x' }]])('is not created from the body %j', async (body) => {
    await expect(create(body)).rejects.toEqual(refused('validation_error', 'the body'));
  });

  it('is created once under its slug, even by simultaneous requests', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => create({ slug: 'wanted' })));
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(failed).toHaveLength(7);
    for (const { reason } of failed) expect(reason).toEqual(refused('already_exists', 'wanted'));
  });

  it('is not created in a deleted account', async () => {
    await expect(create({ slug: 'hello' }, 'acc_none')).rejects.toEqual(refused('not_found', 'acc_none'));
  });

  it('is renamed, then deleted', async () => {
    const key = { accountId: 'acc_projects', slug: 'passing' };
    await create({ slug: 'passing' });
    expect(await renameProject(key, { name: 'New' })).toMatchObject({
      slug: 'passing',
      name: 'New',
      createdAt,
    });
    await expect(renameProject(key, { name: '' })).rejects.toEqual(refused('validation_error', 'name'));
    await projects.deleteProject(store, byOperator, key, true);
    const gone = refused('not_found', 'passing');
    await expect(projects.readProject(store, key)).rejects.toEqual(gone);
    await expect(renameProject(key, { name: 'x' })).rejects.toEqual(gone);
    await expect(projects.deleteProject(store, byOperator, key, true)).rejects.toEqual(gone);
  });

  it('is not deleted by a developer if an owner requires approvals while players are forgotten', async () => {
    const key = { accountId: 'acc_projects', slug: 'guarded' };
    await create({ slug: 'guarded' });
    const forgetProjectPlayers = async () => {
      await store.updateProject(byOperator, key, { requiredApprovals: { production: 1 } });
      return 0;
    };
    const meanwhile: typeof store = Object.assign(Object.create(store), { forgetProjectPlayers });
    const deletion = projects.deleteProject(meanwhile, byOperator, key, false);
    await expect(deletion).rejects.toEqual(refused('forbidden', 'approvals'));
    expect(await projects.readProject(store, key)).toMatchObject({ requiredApprovals: { production: 1 } });
  });

  it('is listed newest first, page by page, with cursors of its account only', async () => {
    await addAccount(store, 'acc_list');
    for (let i = 0; i < 5; i++) await createProject('acc_list', { slug: `p${i}` }, nowMs + Math.floor(i / 2));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({ limit: '2', ...(cursor !== null && { cursor }) });
      const page = await listProjects('acc_list', query);
      expect(page.items.length).toBeLessThanOrEqual(2);
      expect(page.hasMore).toBe(page.cursor !== null);
      seen.push(...page.items.map(({ slug }) => slug));
      cursor = page.cursor;
      if (cursor !== null) {
        const stolen = new URLSearchParams({ cursor });
        await expect(listProjects('acc_projects', stolen)).rejects.toEqual(refused('validation_error', 'cursor'));
      }
    } while (cursor !== null);
    expect(seen).toHaveLength(5);
    expect(new Set(seen).size).toBe(5);
    expect(seen[0]).toBe('p4');
    expect(new Set(seen.slice(1, 3))).toEqual(new Set(['p2', 'p3']));
  });
});

describe('an API key', () => {
  let project: ProjectKey;
  beforeAll(async () => {
    await addAccount(store, 'acc_keys');
    project = await addProject(store, 'acc_keys', 'hello');
  });
  const create = (body: unknown) => createApiKey(project, body);

  it('writes everywhere and never expires by default, and is shown once', async () => {
    const { apiKey, ...record } = await create({ name: 'server' });
    expect(isWellFormedApiKey(apiKey)).toBe(true);
    expect(record).toEqual({
      id: expect.stringMatching(/^key_[0-9A-Za-z]{22}$/),
      name: 'server',
      start: apiKey.slice(0, 9),
      kind: 'secret',
      access: 'write',
      environments: ['development', 'staging', 'production'],
      createdAt,
      lastUsedAt: null,
      expiresAt: null,
    });
    const { items } = await apiKeys.listApiKeys(store, project, keySealer);
    expect(items).toContainEqual({ ...record, apiKey: null });
    expect(JSON.stringify(items)).not.toContain(apiKey.slice(9));
    expect(await store.findApiKey(hashApiKey(apiKey))).toMatchObject({ keyId: record.id });
  });

  it('is shown again if publishable, by the sealer that sealed it for this key', async () => {
    const { apiKey, id } = await create({ name: 'game', kind: 'publishable' });
    const shownBy = async (sealer?: Pick<Sealer, 'open'>) =>
      (await apiKeys.listApiKeys(store, project, sealer)).items.find((key) => key.id === id)?.apiKey;
    expect(await shownBy(keySealer)).toBe(apiKey);
    expect(await shownBy()).toBeNull();
    expect(await shownBy(createSealer(Buffer.alloc(32, 8), publishableKeyPurpose))).toBeNull();
    expect(await shownBy({ open: () => Buffer.from(generateApiKey('publishable')) })).toBeNull();
  });

  it('keeps its given settings', async () => {
    const asked = {
      name: 'ci',
      access: 'read',
      environments: ['staging', 'development'],
      expiresAt: '2027-01-01T00:00:00+01:00',
    };
    expect(await create(asked)).toMatchObject({
      access: 'read',
      environments: ['development', 'staging'],
      expiresAt: '2026-12-31T23:00:00.000Z',
    });
    expect(await create({ name: 'ci', expiresAt: null })).toMatchObject({ expiresAt: null });
  });

  it.each<[string, unknown]>([
    ['/access', 'admin'],
    ['/access', null],
    ['/environments', []],
    ['/environments', ['staging', 'staging']],
    ['/environments', ['Staging']],
    ['/environments', 'staging'],
    ['/expiresAt', 'tomorrow'],
    ['/expiresAt', '2026-02-30T00:00:00Z'],
    ['/expiresAt', '2027-01-01'],
    ['/expiresAt', 1_800_000_000],
    ['/expiresAt', createdAt],
    ['/expiresAt', '2025-12-31T23:59:59Z'],
    ['/name', ''],
  ])('is not created with %s %j', async (pointer, value) => {
    const body = { name: 'x', [pointer.slice(1)]: value };
    await expect(create(body)).rejects.toEqual(refused('validation_error', pointer));
  });

  it('is not created in a deleted project', async () => {
    const none = { accountId: 'acc_keys', slug: 'none' };
    await expect(createApiKey(none, { name: 'x' })).rejects.toEqual(refused('not_found', 'none'));
    expect(await apiKeys.listApiKeys(store, none, keySealer)).toEqual({ items: [] });
  });

  it('is revoked once, by its own project only', async () => {
    const { id, apiKey } = await create({ name: 'short-lived' });
    const other = await addProject(store, 'acc_keys', 'other');
    await expect(apiKeys.revokeApiKey(store, byOperator, other, id)).rejects.toEqual(refused('not_found', id));
    expect(await store.findApiKey(hashApiKey(apiKey))).toBeDefined();
    await apiKeys.revokeApiKey(store, byOperator, project, id);
    expect(await store.findApiKey(hashApiKey(apiKey))).toBeUndefined();
    await expect(apiKeys.revokeApiKey(store, byOperator, project, id)).rejects.toEqual(refused('not_found', id));
  });

  it('is described to its holder, without its secret', () => {
    const description = apiKeys.describeApiKey({
      kind: 'api_key',
      credentialId: 'key_1',
      expiresAtMs: nowMs,
      accountId: 'acc_keys',
      slug: 'hello',
      keyId: 'key_1',
      name: 'server',
      start: 'svck_abcd',
      keyKind: 'secret',
      access: 'read',
      environments: ['staging'],
      protectedEnvironments: [],
      approvedEnvironments: [],
      createdAt: nowMs,
      expiresAt: nowMs,
      requestsPerMinute: null,
    });
    expect(description).toEqual({
      accountId: 'acc_keys',
      projectSlug: 'hello',
      id: 'key_1',
      name: 'server',
      start: 'svck_abcd',
      access: 'read',
      environments: ['staging'],
      createdAt,
      expiresAt: createdAt,
    });
  });
});
