import { expect, test } from 'vitest';
import { StoreUnavailable } from '../store.ts';
import {
  absent,
  account,
  type CreateStoreHarness,
  ensureProject,
  newState,
  stateKey,
  withStore,
  writeNext,
} from './harness.ts';
import { byOperator } from './records.fixture.ts';

export function lifetime(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  const key = stateKey();

  test('an open store is ready', async () => {
    await expect(at.store.checkReady()).resolves.toBeUndefined();
  });

  test('everything acknowledged is still stored after a restart', async () => {
    await ensureProject(at.store, key);
    for (let n = 1; n <= 10; n++) await writeNext(at.store, key, `{"n":${n}}`);
    await at.reopen();
    expect(await at.store.findAccount('acc_1')).toEqual(account());
    expect(await at.store.readPublicState(key)).toMatchObject({ record: { version: 10, stateText: '{"n":10}' } });
    expect(await writeNext(at.store, key)).toEqual({ kind: 'written', version: 11 });
  });

  test('closing completes calls that have begun', async () => {
    await ensureProject(at.store, key);
    const write = at.store.writePublicState(key, absent, newState());
    await at.store.close();
    expect(await write).toEqual({ kind: 'written', version: 1 });
    await at.reopen();
    expect(await at.store.readPublicState(key)).toMatchObject({ record: { version: 1 } });
  });

  test('a closed store rejects every call and can be closed again', async () => {
    await ensureProject(at.store, key);
    await writeNext(at.store, key);
    await at.store.readPublicState(key);
    await at.store.findAccount('acc_1');
    await at.store.findProject(key);
    const { store } = at;
    await store.close();
    const calls: readonly (() => unknown)[] = [
      () => store.checkReady(),
      () => store.isEmpty(),
      () => store.findAccount('acc_1'),
      () => store.findProject(key),
      () => store.listProjects('acc_1', { after: null, itemsMax: 1 }),
      () => store.findApiKey(new Uint8Array(32)),
      () => store.listSigningKeys('access_token'),
      () => store.readPublicState(key),
      () => store.readPublicStateVersion(key, 1),
      () => store.listPublicStateVersions(key, { before: null, charactersMax: 1 }),
      () => store.listPublicStateHistory(key, { before: null, itemsMax: 1 }),
      () => store.currentPublicVersions([key]),
      () => store.createAccount(account('acc_2')),
      () => store.deleteProject(byOperator, key),
      () => store.writePublicState(key, absent, newState()),
    ];
    for (const call of calls) await expect((async () => call())(), String(call)).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store.close()).resolves.toBeUndefined();
  });
}
