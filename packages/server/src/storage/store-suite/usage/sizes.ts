import { expect, test } from 'vitest';
import { absent, account, type CreateStoreHarness, ensureProject, newState, stateKey, withStore } from '../harness.ts';
import { newUserState } from '../sign-in/sign-in-records.ts';

export function sizes(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);

  test('an empty store has no records but takes some room', async () => {
    const none = { accounts: 0, projects: 0, users: 0, players: 0, publicDocuments: 0, userDocuments: 0 };
    expect(await at.store.countRecords()).toEqual(none);
    const { database, log } = await at.store.measureBytes();
    expect(database).toBeGreaterThan(100_000);
    if (log !== null) expect(log).toBeGreaterThanOrEqual(0);
  });

  test('a small store is counted exactly', async () => {
    await ensureProject(at.store, stateKey());
    await ensureProject(at.store, stateKey({ slug: 'q' }));
    await at.store.createAccount(account('acc_2'));
    for (const environment of ['staging', 'production'] as const) {
      await at.store.writePublicState(stateKey({ environment }), absent, newState());
      await at.store.writeUserState({ ...stateKey({ environment }), playerId: 'ada' }, absent, newUserState('{}'));
    }
    await at.store.writeUserState({ ...stateKey({ slug: 'q' }), playerId: 'ada' }, absent, newUserState('{}'));
    await at.store.writeUserState({ ...stateKey({ slug: 'q' }), playerId: 'bob' }, absent, newUserState('{}'));
    expect(await at.store.countRecords()).toEqual({
      accounts: 2,
      projects: 2,
      users: 0,
      players: 3,
      publicDocuments: 2,
      userDocuments: 4,
    });
  });
}
