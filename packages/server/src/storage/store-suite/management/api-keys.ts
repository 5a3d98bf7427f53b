import { expect } from 'vitest';
import {
  apiKey,
  type CreateStoreHarness,
  casesOf,
  ensureProject,
  hashOf,
  type Weight,
  weirdTexts,
  withStore,
} from '../harness.ts';
import { byOperator } from '../records.fixture.ts';

export function apiKeys(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { each, test } = casesOf(weight);
  const at = withStore(createHarness);
  const place = { accountId: 'acc_1', slug: 'p' };

  test('adding a key requires its project', async () => {
    expect(await at.store.createApiKey(byOperator, apiKey('k'), hashOf('k'), 1_000)).toBe('no_project');
    expect(await at.store.findApiKey(hashOf('k'))).toBeUndefined();
  });

  test('a key is found by its hash alone and comes back unchanged', async () => {
    await ensureProject(at.store, place);
    const key = apiKey('k', { access: 'read', environments: ['staging', 'development'], expiresAt: 9_000, lastUsedAt: 5 });
    expect(await at.store.createApiKey(byOperator, key, hashOf('k'), 1_000)).toBe('created');
    expect(await at.store.findApiKey(hashOf('k'))).toEqual(key);
    expect(await at.store.findApiKey(hashOf('other'))).toBeUndefined();
    await at.reopen();
    expect(await at.store.findApiKey(hashOf('k'))).toEqual(key);
  });

  test('keys are listed newest first, one project at a time', async () => {
    await ensureProject(at.store, place);
    await ensureProject(at.store, { accountId: 'acc_1', slug: 'q' });
    for (const [keyId, createdAt] of [
      ['a', 2],
      ['b', 3],
      ['c', 1],
    ] as const) {
      await at.store.createApiKey(byOperator, apiKey(keyId, { createdAt }), hashOf(keyId), 1_000);
    }
    await at.store.createApiKey(byOperator, apiKey('d', { slug: 'q' }), hashOf('d'), 1_000);
    expect((await at.store.listApiKeys(place, 1_000)).map(({ keyId }) => keyId)).toEqual(['b', 'a', 'c']);
    expect(await at.store.listApiKeys({ accountId: 'acc_1', slug: 'none' }, 1_000)).toEqual([]);
  });

  test('a list has the hash of each key, and the sealed text of those stored with it, which can be sealed again', async () => {
    await ensureProject(at.store, place);
    await at.store.createApiKey(byOperator, apiKey('a', { createdAt: 1 }), hashOf('a'), 9);
    const publishable = apiKey('b', { createdAt: 2, kind: 'publishable', access: 'read' });
    await at.store.createApiKey(byOperator, publishable, hashOf('b'), 9, hashOf('sealed'));
    await at.reopen();
    const listed = [
      { ...publishable, keyHash: hashOf('b'), sealedKey: hashOf('sealed') },
      { ...apiKey('a', { createdAt: 1 }), keyHash: hashOf('a'), sealedKey: null },
    ];
    expect(await at.store.listApiKeys(place, 9)).toEqual(listed);
    const replacement = { key: ['acc_1', 'b'], from: hashOf('sealed'), to: hashOf('again') };
    expect(await at.store.replaceSealed('api_keys', [replacement, replacement])).toBe(1);
    expect((await at.store.listApiKeys(place, 9))[0]?.sealedKey).toEqual(hashOf('again'));
    expect(await at.store.findApiKey(hashOf('b'))).toEqual(publishable);
  });

  test('a project has at most the maximum number of keys; deleting one makes room', async () => {
    await ensureProject(at.store, place);
    await ensureProject(at.store, { accountId: 'acc_1', slug: 'q' });
    for (const keyId of ['a', 'b'])
      expect(await at.store.createApiKey(byOperator, apiKey(keyId), hashOf(keyId), 2)).toBe('created');
    expect(await at.store.createApiKey(byOperator, apiKey('c'), hashOf('c'), 2)).toEqual({ kind: 'too_many', used: 2 });
    expect(await at.store.findApiKey(hashOf('c'))).toBeUndefined();
    expect(await at.store.createApiKey(byOperator, apiKey('d', { slug: 'q' }), hashOf('d'), 2)).toBe('created');
    expect(await at.store.createApiKey(byOperator, apiKey('c', { slug: 'none' }), hashOf('c'), 0)).toBe('no_project');
    await at.store.deleteApiKey(byOperator, place, 'a');
    expect(await at.store.createApiKey(byOperator, apiKey('c'), hashOf('c'), 2)).toBe('created');
    expect(await at.store.createApiKey(byOperator, apiKey('e'), hashOf('e'), 1)).toEqual({ kind: 'too_many', used: 2 });
  });

  test('of parallel creations of the last allowed key, on any process, exactly one succeeds', async () => {
    const beside = await at.openParallel();
    await ensureProject(at.store, place);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? at.store : beside).createApiKey(byOperator, apiKey(`k${i}`), hashOf(`k${i}`), 3),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(3);
    expect(await at.store.listApiKeys(place, 10)).toHaveLength(3);
  });

  test('a list has the requested number of the newest keys', async () => {
    await ensureProject(at.store, place);
    for (let i = 0; i < 5; i++)
      await at.store.createApiKey(byOperator, apiKey(`k${i}`, { createdAt: i }), hashOf(`k${i}`), 10);
    expect((await at.store.listApiKeys(place, 2)).map(({ keyId }) => keyId)).toEqual(['k4', 'k3']);
  });

  test('a key can be deleted only through its own project', async () => {
    await ensureProject(at.store, place);
    await ensureProject(at.store, { accountId: 'acc_2', slug: 'p' });
    await at.store.createApiKey(byOperator, apiKey('k'), hashOf('k'), 1_000);
    expect(await at.store.deleteApiKey(byOperator, { accountId: 'acc_2', slug: 'p' }, 'k')).toBe('absent');
    expect(await at.store.deleteApiKey(byOperator, place, 'K')).toBe('absent');
    expect(await at.store.findApiKey(hashOf('k'))).toBeDefined();
    expect(await at.store.deleteApiKey(byOperator, place, 'k')).toBe('deleted');
    expect(await at.store.findApiKey(hashOf('k'))).toBeUndefined();
    expect(await at.store.deleteApiKey(byOperator, place, 'k')).toBe('absent');
  });

  test('the time of last use only increases, and unknown keys are ignored', async () => {
    await ensureProject(at.store, place);
    for (const keyId of ['a', 'b']) await at.store.createApiKey(byOperator, apiKey(keyId), hashOf(keyId), 1_000);
    const lastUsed = async () =>
      [await at.store.findApiKey(hashOf('a')), await at.store.findApiKey(hashOf('b'))].map((key) => key?.lastUsedAt);
    await at.store.recordApiKeyUse([
      { accountId: 'acc_1', keyId: 'a', usedAt: 50 },
      { accountId: 'acc_1', keyId: 'gone', usedAt: 60 },
      { accountId: 'acc_1', keyId: 'b', usedAt: 70 },
    ]);
    expect(await lastUsed()).toEqual([50, 70]);
    await at.store.recordApiKeyUse([
      { accountId: 'acc_1', keyId: 'a', usedAt: 49 },
      { accountId: 'acc_1', keyId: 'b', usedAt: 71 },
    ]);
    expect(await lastUsed()).toEqual([50, 71]);
    await at.store.recordApiKeyUse([{ accountId: 'acc_other', keyId: 'a', usedAt: 99 }]);
    await at.store.recordApiKeyUse([]);
    expect(await lastUsed()).toEqual([50, 71]);
  });

  test('a key’s limit per minute is set only by its own account, is read with the key, and can be removed', async () => {
    await ensureProject(at.store, place);
    for (const keyId of ['a', 'b']) await at.store.createApiKey(byOperator, apiKey(keyId), hashOf(keyId), 1_000);
    expect(await at.store.limitApiKey(byOperator, 'acc_1', 'b', 30)).toBe('written');
    expect(await at.store.limitApiKey(byOperator, 'acc_other', 'b', 40)).toBe('absent');
    expect(await at.store.limitApiKey(byOperator, 'acc_1', 'none', 40)).toBe('absent');
    await at.reopen();
    const limits = async () =>
      [await at.store.findApiKey(hashOf('a')), await at.store.findApiKey(hashOf('b'))].map((key) => key?.requestsPerMinute);
    expect(await limits()).toEqual([null, 30]);
    expect((await at.store.listLimitedApiKeys('acc_1')).map(({ keyId }) => keyId)).toEqual(['b']);
    await at.store.limitApiKey(byOperator, 'acc_1', 'b', null);
    expect([await limits(), await at.store.listLimitedApiKeys('acc_1')]).toEqual([[null, null], []]);
  });

  each('the name %j comes back unchanged', weirdTexts, async (name) => {
    await ensureProject(at.store, place);
    await at.store.createApiKey(byOperator, apiKey('k', { name }), hashOf('k'), 1_000);
    expect((await at.store.findApiKey(hashOf('k')))?.name).toBe(name);
  });

  test('a second key with the same hash is refused, and parallel writes succeed', async () => {
    await ensureProject(at.store, place);
    await at.store.createApiKey(byOperator, apiKey('k'), hashOf('k'), 1_000);
    const [other, again, another] = await Promise.allSettled([
      at.store.createApiKey(byOperator, apiKey('a'), hashOf('a'), 1_000),
      at.store.createApiKey(byOperator, apiKey('again'), hashOf('k'), 1_000),
      at.store.createApiKey(byOperator, apiKey('b'), hashOf('b'), 1_000),
    ]);
    expect(again).toMatchObject({ status: 'rejected', reason: { name: 'StoreFault' } });
    expect([other, another]).toMatchObject([{ value: 'created' }, { value: 'created' }]);
    expect((await at.store.findApiKey(hashOf('k')))?.keyId).toBe('k');
  });
}
