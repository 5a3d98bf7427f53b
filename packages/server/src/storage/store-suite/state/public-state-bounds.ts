/** The oldest versions of public state, and nothing else, are dropped in projects that keep only some. */
import { expect } from 'vitest';
import type { Store } from '../../store.ts';
import {
  absent,
  type CreateStoreHarness,
  casesOf,
  ensureProject,
  newState,
  stateKey,
  version,
  type Weight,
  withStore,
} from '../harness.ts';
import { byOperator } from '../records.fixture.ts';

const monthStartsAt = Date.UTC(2026, 10, 1);

export function publicStateBounds(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { heavy, test } = casesOf(weight);
  const at = withStore(createHarness);
  const key = stateKey();

  /** Versions with similar texts, so that they are stored in runs. Version `n` is written at the time `n`. */
  async function write(store: Store, from: number, to: number): Promise<void> {
    for (let written = from; written < to; written++) {
      const current = await store.readPublicState(key);
      const before = current.kind === 'present' ? current.record : undefined;
      const text = JSON.stringify({ filler: 'x'.repeat(400), n: written + 1 });
      const next = newState(text, 'why', { writtenAt: written + 1, before });
      const expected = written === 0 ? absent : version(written);
      expect(await store.writePublicState(key, expected, next)).toEqual({ kind: 'written', version: written + 1 });
    }
  }
  async function dropAll(versionsMax: number, keptAfter = 0): Promise<number> {
    let all = 0;
    for (let dropped = 1; dropped > 0; all += dropped) {
      dropped = await at.store.dropPublicStateVersions(key, { versionsMax, keptAfter });
    }
    return all;
  }
  async function listed(): Promise<number[]> {
    const history = await at.store.listPublicStateHistory(key, { before: null, itemsMax: 1_000 });
    return history.kind === 'history' ? history.items.map((item) => item.version) : [];
  }
  const bytes = async () => (await at.store.readUsage('acc_1', monthStartsAt))?.used.storageBytes ?? 0;

  heavy('old runs are deleted whole, in slices, and the rest can be read and extended', async () => {
    await ensureProject(at.store, key);
    expect(await at.store.dropPublicStateVersions(key, { versionsMax: 0, keptAfter: 0 })).toBe(0);
    await write(at.store, 0, 200);
    const before = await bytes();
    expect(await dropAll(1_000)).toBe(0);
    const dropped = await dropAll(20);
    expect(dropped).toBeGreaterThan(140);
    expect(dropped).toBeLessThanOrEqual(179);
    expect((await listed()).length).toBe(200 - dropped);
    expect(await bytes()).toBeLessThan(before * 0.3);
    for (const gone of [1, 64, dropped]) expect((await at.store.readPublicStateVersion(key, gone)).kind).toBe('absent');
    for (const kept of [dropped + 1, 180, 199, 200]) {
      const read = await at.store.readPublicStateVersion(key, kept);
      expect(read).toMatchObject({ kind: 'present', record: { version: kept, comment: 'why' } });
    }
    await at.reopen();
    await write(at.store, 200, 270);
    const rest = await dropAll(0);
    expect(await listed()).toContain(270);
    expect(dropped + rest).toBeGreaterThan(235);
    expect((await at.store.readPublicState(key)).kind).toBe('present');
    expect(await dropAll(0)).toBe(0);
  });

  test('versions replaced before a given time are deleted, in one document only', async () => {
    await ensureProject(at.store, key);
    await at.store.writePublicState({ ...key, environment: 'staging' }, absent, newState('{}'));
    await write(at.store, 0, 100);
    const dropped = await dropAll(1_000, 90);
    expect(dropped).toBeGreaterThan(50);
    expect(dropped).toBeLessThanOrEqual(90);
    expect((await at.store.readPublicState({ ...key, environment: 'staging' })).kind).toBe('present');
  });

  test('a project created again continues above the deleted versions', async () => {
    await ensureProject(at.store, key);
    await write(at.store, 0, 80);
    await dropAll(0);
    await at.store.deleteProject(byOperator, key);
    await ensureProject(at.store, key);
    expect(await at.store.writePublicState(key, absent, newState('{}'))).toEqual({ kind: 'written', version: 81 });
    expect(await listed()).toEqual([81]);
  });

  test('lists only projects with a limited history', async () => {
    await ensureProject(at.store, key);
    await ensureProject(at.store, stateKey({ slug: 'q' }));
    const retention = { versions: 5, days: 30 };
    expect(await at.store.updateProject(byOperator, key, { publicStateHistory: retention })).toMatchObject({
      publicStateHistory: retention,
    });
    await at.store.updateProject(byOperator, key, { name: 'New' });
    const found = await at.store.listBoundedHistories(null);
    expect(found.projects).toEqual([{ accountId: 'acc_1', slug: 'p', retention }]);
    expect(await at.store.listBoundedHistories(found.next)).toEqual({ projects: [], next: null });
    await at.store.updateProject(byOperator, key, { publicStateHistory: null });
    expect((await at.store.listBoundedHistories(null)).projects).toEqual([]);
  });
}
