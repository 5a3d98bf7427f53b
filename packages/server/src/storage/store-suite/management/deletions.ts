import { expect } from 'vitest';
import {
  absent,
  account,
  apiKey,
  type CreateStoreHarness,
  casesOf,
  ensureProject,
  hashOf,
  newState,
  project,
  stateKey,
  version,
  type Weight,
  withStore,
  writeNext,
} from '../harness.ts';
import { byOperator } from '../records.fixture.ts';

export function deletions(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { sized, test } = casesOf(weight);
  const at = withStore(createHarness);
  const key = stateKey();
  const everything = { before: null, charactersMax: 1_000_000 };

  /** A project with a key and three versions, all read once, so that any cache of the store has them. */
  async function populate(): Promise<void> {
    await ensureProject(at.store, key);
    await at.store.createApiKey(byOperator, apiKey('k'), hashOf('k'), 1_000);
    for (let n = 0; n < 3; n++) await writeNext(at.store, key, '{"secret":true}');
    expect(await at.store.readPublicState(key)).toMatchObject({ record: { version: 3 } });
    expect(await at.store.findProject(key)).toBeDefined();
    expect(await at.store.findAccount('acc_1')).toBeDefined();
    expect(await at.store.findApiKey(hashOf('k'))).toBeDefined();
  }

  async function expectProjectGone(): Promise<void> {
    expect(await at.store.findProject(key)).toBeUndefined();
    expect(await at.store.readPublicState(key)).toEqual({ kind: 'no_project' });
    expect(await at.store.readPublicStateVersion(key, 3)).toEqual({ kind: 'no_project' });
    expect(await at.store.listPublicStateVersions(key, everything)).toEqual({ kind: 'no_project' });
    expect(await at.store.writePublicState(key, version(3), newState())).toEqual({ kind: 'no_project' });
    expect(await at.store.findApiKey(hashOf('k'))).toBeUndefined();
    expect(await at.store.listApiKeys(key, 1_000)).toEqual([]);
    expect(await at.store.deleteApiKey(byOperator, key, 'k')).toBe('absent');
    expect(await at.store.createApiKey(byOperator, apiKey('other'), hashOf('other'), 1_000)).toBe('no_project');
    expect(await at.store.updateProject(byOperator, key, { name: 'x' })).toBeUndefined();
    expect((await at.store.listProjects('acc_1', { after: null, itemsMax: 9 })).items).toEqual([]);
  }

  test('deleting something that does not exist returns absent', async () => {
    expect(await at.store.deleteAccount('acc_1')).toBe('absent');
    expect(await at.store.deleteProject(byOperator, key)).toBe('absent');
    await at.store.createAccount(account());
    expect(await at.store.deleteProject(byOperator, key)).toBe('absent');
  });

  test('the project as it is at its deletion decides whether the rights suffice', async () => {
    await populate();
    const remove = (withApprovals: boolean, withProtection: boolean) =>
      at.store.deleteProject(byOperator, key, { withApprovals, withProtection });
    await at.store.updateProject(byOperator, key, { requiredApprovals: { production: 1 } });
    expect(await remove(false, true)).toBe('needs_approvals');
    await at.store.updateProject(byOperator, key, {
      requiredApprovals: { production: 0 },
      protectedEnvironments: ['staging'],
    });
    expect(await remove(true, false)).toBe('is_protected');
    expect(await at.store.readPublicState(key)).toMatchObject({ record: { version: 3 } });
    expect(await at.store.findApiKey(hashOf('k'))).toBeDefined();
    expect(await remove(false, true)).toBe('deleted');
    await expectProjectGone();
  });

  test('nothing in a deleted project can be read', async () => {
    await populate();
    expect(await at.store.deleteProject(byOperator, key)).toBe('deleted');
    await expectProjectGone();
    expect(await at.store.deleteProject(byOperator, key)).toBe('absent');
    await at.reopen();
    await expectProjectGone();
  });

  test('nothing in a deleted account can be read', async () => {
    await populate();
    expect(await at.store.deleteAccount('acc_1')).toBe('deleted');
    expect(await at.store.findAccount('acc_1')).toBeUndefined();
    expect(await at.store.updateAccount(byOperator, 'acc_1', { name: 'x' })).toBeUndefined();
    expect(await at.store.listAccounts({ after: null, itemsMax: 9 })).toEqual({ items: [], next: null });
    expect(await at.store.isEmpty()).toBe(true);
    await expectProjectGone();
    expect(await at.store.createProject(byOperator, project())).toBe('no_account');
    expect(await at.store.deleteAccount('acc_1')).toBe('absent');
    await at.reopen();
    await expectProjectGone();
  });

  test('a deletion changes no other project or account', async () => {
    await populate();
    const others = [stateKey({ slug: 'q' }), stateKey({ accountId: 'acc_2' })];
    for (const other of others) {
      await ensureProject(at.store, other);
      await writeNext(at.store, other, '{"kept":true}');
    }
    await at.store.deleteProject(byOperator, key);
    for (const other of others) expect(await at.store.readPublicState(other)).toMatchObject({ record: { version: 1 } });
    await at.store.deleteAccount('acc_1');
    expect(await at.store.readPublicState(stateKey({ accountId: 'acc_2' }))).toMatchObject({ record: { version: 1 } });
  });

  test('a project created again starts empty and continues above its old versions', async () => {
    await populate();
    await writeNext(at.store, stateKey({ environment: 'staging' }));
    await at.store.deleteProject(byOperator, key);
    expect(await at.store.createProject(byOperator, project('p', { name: 'Again' }))).toBe('created');
    expect(await at.store.findProject(key)).toEqual(project('p', { name: 'Again' }));
    expect(await at.store.readPublicState(key)).toEqual({ kind: 'absent' });
    expect(await at.store.listPublicStateVersions(key, everything)).toEqual({ kind: 'versions', versions: [] });
    expect(await at.store.readPublicStateVersion(key, 3)).toEqual({ kind: 'absent' });
    expect(await at.store.writePublicState(key, version(3), newState())).toEqual({
      kind: 'conflict',
      currentVersion: null,
    });
    expect(await at.store.writePublicState(key, absent, newState('{"new":1}'))).toEqual({ kind: 'written', version: 4 });
    expect(await at.store.listPublicStateVersions(key, everything)).toMatchObject({ versions: [{ version: 4 }] });
    expect(await writeNext(at.store, stateKey({ environment: 'staging' }))).toEqual({ kind: 'written', version: 2 });
    expect(await writeNext(at.store, stateKey({ environment: 'development' }))).toEqual({ kind: 'written', version: 1 });
  });

  test('version floors survive several deletions, even if the project was never written to', async () => {
    await populate();
    for (let i = 0; i < 3; i++) {
      await at.store.deleteProject(byOperator, key);
      await at.store.createProject(byOperator, project());
    }
    await at.reopen();
    expect(await writeNext(at.store, key)).toEqual({ kind: 'written', version: 4 });
    await at.store.deleteProject(byOperator, key);
    await at.store.createProject(byOperator, project());
    expect(await writeNext(at.store, key)).toEqual({ kind: 'written', version: 5 });
  });

  sized('a write sent before a deletion cannot be read after it', { quick: 4, heavy: 20 }, async (rounds) => {
    for (let round = 0; round < rounds; round++) {
      await ensureProject(at.store, key);
      const write = at.store.writePublicState(key, absent, newState());
      const [written, deleted] = await Promise.all([write, at.store.deleteProject(byOperator, key)]);
      expect(written.kind).toBeOneOf(['written', 'no_project']);
      expect(deleted).toBe('deleted');
      expect(await at.store.readPublicState(key)).toEqual({ kind: 'no_project' });
    }
  });

  sized('a deleted project never reappears while writes to it are answered', { quick: 5, heavy: 30 }, async (rounds) => {
    await ensureProject(at.store, key);
    let changes = Promise.resolve<unknown>(undefined);
    for (let round = 0; round < rounds; round++) {
      const write = at.store.writePublicState(key, absent, newState());
      changes = Promise.all([changes, write, at.store.deleteProject(byOperator, key)]);
      let gone = false;
      for (let settled = false; !settled; ) {
        const found = await at.store.readPublicState(key);
        if (gone) expect(found.kind).toBe('no_project');
        gone ||= found.kind === 'no_project';
        settled = await Promise.race([
          changes.then(() => true),
          new Promise<false>((resolve) => setImmediate(resolve, false)),
        ]);
      }
      await at.store.createProject(byOperator, project());
    }
  });
}
