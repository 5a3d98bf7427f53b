/** Writes that fail half-way through a fault of the program: nothing of them is stored, and the other writes of their group are. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { StoreFault } from '../../store.ts';
import { absent, ensureProject, newState, stateKey, version } from '../../store-suite/harness.ts';
import { newUserState, userKey } from '../../store-suite/sign-in/sign-in-records.ts';
import { databasePath } from '../directory/database.ts';
import { temporary } from '../temporary.fixture.ts';

const at = temporary();
const key = stateKey();
const other = stateKey({ environment: 'staging' });

async function openPlace() {
  const dataDir = at.directory();
  const store = await at.open({ dataDir });
  await ensureProject(store, key);
  const rows = (table: string): number => {
    const database = new DatabaseSync(databasePath(dataDir), { readOnly: true });
    const found = database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows as number;
    database.close();
    return found;
  };
  return { store, rows };
}

// Stored as a whole number, then added to one of another type, which throws: a fault between the two statements.
const faultyState = { ...newState(), stateBytes: 2n as unknown as number };

test('a write of public state that fails between its statements leaves nothing, and the others of its group are stored', async () => {
  const { store, rows } = await openPlace();
  const [before, faulty, after] = await Promise.allSettled([
    store.writePublicState(other, absent, newState('{"n":1}')),
    store.writePublicState(key, absent, faultyState),
    store.writePublicState(other, version(1), newState('{"n":2}')),
  ]);
  expect(faulty).toMatchObject({ status: 'rejected', reason: { name: 'StoreFault' } });
  expect([before, after]).toMatchObject([{ value: { version: 1 } }, { value: { version: 2 } }]);
  expect(rows('public_state_versions')).toBe(2);
  expect(await store.writePublicState(key, absent, newState())).toEqual({ kind: 'written', version: 1 });
  expect(rows('public_state_versions')).toBe(3);
  const usage = await store.readUsage(key.accountId, 0);
  expect(usage?.used.storageBytes).toBe(2 * newState('{"n":1}').stateBytes + newState().stateBytes);
});

test('a write of user state that fails between its statements leaves nothing', async () => {
  const { store, rows } = await openPlace();
  const faulty = { ...newUserState(), writtenAt: {} as number };
  const [refused, written] = await Promise.allSettled([
    store.writeUserState(userKey('u1', key), absent, faulty),
    store.writePublicState(key, absent, newState()),
  ]);
  expect(refused).toMatchObject({ status: 'rejected', reason: expect.any(StoreFault) });
  expect(written).toMatchObject({ value: { version: 1 } });
  expect(rows('user_versions')).toBe(0);
  expect(await store.writeUserState(userKey('u1', key), absent, newUserState())).toEqual({ kind: 'written', version: 1 });
  expect((await store.readUsage(key.accountId, 0))?.used.endUsers).toBe(1);
});

test('a fault of one write clears no cache', async () => {
  const { store } = await openPlace();
  let told = 0;
  store.onAccessChange(() => told++);
  for (let i = 0; i < 3; i++) {
    await expect(store.writePublicState(key, absent, faultyState)).rejects.toBeInstanceOf(StoreFault);
  }
  await new Promise((resolve) => setTimeout(resolve, 600)); // two checks for changes by other processes
  expect(told).toBe(0);
});
