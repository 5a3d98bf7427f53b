/** After the store went back, no version is assigned twice, and versions are counted and read across the skipped numbers. */
import { expect, test } from 'vitest';
import type { RaisedFloor } from '../../contract/installation.ts';
import type { VersionRetention } from '../../contract/user-states.ts';
import { versionMax } from '../../history/version-floors.ts';
import type { Store } from '../../store.ts';
import {
  absent,
  account,
  type CreateStoreHarness,
  ensureProject,
  newState,
  project,
  stateKey,
  version,
  withStore,
} from '../harness.ts';
import { byOperator } from '../records.fixture.ts';
import { newUserState, userKey } from '../sign-in/sign-in-records.ts';

const key = stateKey();
const filler = 'x'.repeat(400);
const textOf = (n: number) => JSON.stringify({ filler, n });
const everything: VersionRetention = { versionsMax: 1_000, keptAfter: 0 };

/** Writes the next version of the document, as the service does, and returns its number. */
async function writeNext(store: Store, n: number): Promise<number> {
  const current = await store.readPublicState(key);
  const before = current.kind === 'present' ? current.record : undefined;
  const expected = before === undefined ? absent : version(before.version);
  const outcome = await store.writePublicState(key, expected, newState(textOf(n), null, { writtenAt: n, before }));
  if (outcome.kind !== 'written') throw new Error(outcome.kind);
  return outcome.version;
}

/** The same for a user state. */
async function writeNextUserState(store: Store, name: string, n: number, retention = everything): Promise<number> {
  const owner = userKey(name);
  const current = await store.readUserState(owner);
  const before = current.kind === 'present' ? current.record : undefined;
  const next = { ...newUserState(textOf(n), 1_000 * n), before, retention };
  const outcome = await store.writeUserState(owner, before === undefined ? absent : version(before.version), next);
  if (outcome.kind !== 'written') throw new Error(outcome.kind);
  return outcome.version;
}

const recover = (store: Store, back: { known?: number; ahead?: number } = {}): Promise<RaisedFloor> =>
  store.recover({ known: 0, ahead: 1_000, now: Date.now(), ...back });

export function versionFloors(createHarness: CreateStoreHarness): void {
  const at = withStore(createHarness);
  const numbers = async () => {
    const listed = await at.store.listPublicStateHistory(key, { before: null, itemsMax: 999 });
    return listed.kind === 'history' ? listed.items.map((item) => item.version) : [];
  };
  const userStatesOf = async (name: string, retention = everything) => {
    const listed = await at.store.listUserStateHistory(userKey(name), { before: null, itemsMax: 999, retention });
    return listed.kind === 'history' ? listed.items.map((item) => item.version) : [];
  };

  test('the floor is above all known versions and earlier floors, and every document continues from it', async () => {
    await ensureProject(at.store, key);
    for (let n = 1; n <= 3; n++) await writeNext(at.store, n);
    await writeNextUserState(at.store, 'ada', 1);
    expect(at.store.marks().versionFloor).toBe(0);
    const floor = (await recover(at.store)) as number;
    expect(floor).toBe(1_003);
    expect(at.store.marks()).toMatchObject({ versionFloor: floor, rolledBackAt: 0 });
    expect(await writeNext(at.store, 4)).toBe(floor);
    expect(await writeNext(at.store, 5)).toBe(floor + 1);
    expect(await writeNextUserState(at.store, 'ada', 2)).toBe(floor);
    expect(await writeNextUserState(at.store, 'bob', 1)).toBe(floor);
    await at.reopen();
    expect(await writeNext(at.store, 6)).toBe(floor + 2);
    expect(await recover(at.store, { known: 50_000 })).toBe(51_000);
    expect(await recover(at.store)).toBe(52_000);
    expect(await recover(at.store, { ahead: versionMax })).toBeUndefined();
    expect(at.store.marks().versionFloor).toBe(52_000);
  });

  test('versions on both sides of a gap can be read, listed and compared', async () => {
    await ensureProject(at.store, key);
    const texts = new Map<number, string>();
    const write = async (n: number) => texts.set(await writeNext(at.store, n), textOf(n));
    for (let n = 1; n <= 70; n++) await write(n);
    await recover(at.store);
    for (let n = 71; n <= 140; n++) await write(n);
    await recover(at.store, { ahead: 3 });
    for (let n = 141; n <= 145; n++) await write(n);
    const given = [...texts.keys()].reverse();
    expect(await numbers()).toEqual(given);
    for (const [each, stateText] of texts) {
      expect(await at.store.readPublicStateVersion(key, each)).toMatchObject({ kind: 'present', record: { stateText } });
    }
    for (const gap of [71, 500, 1_069]) expect((await at.store.readPublicStateVersion(key, gap)).kind).toBe('absent');
    const listed = await at.store.listPublicStateVersions(key, { before: null, charactersMax: 10_000_000 });
    expect(listed.kind === 'versions' && listed.versions.map((each) => each.version)).toEqual(given);
    await at.reopen();
    expect(await at.store.readPublicState(key)).toMatchObject({ record: { stateText: textOf(145) } });
    expect(await at.store.currentPublicVersions([key])).toMatchObject([{ record: { version: given[0] } }]);
  });

  test('a user state keeps its full number of versions across a gap', async () => {
    await ensureProject(at.store, key);
    const retention = { versionsMax: 5, keptAfter: 0 };
    for (let n = 1; n <= 10; n++) await writeNextUserState(at.store, 'ada', n, retention);
    const floor = (await recover(at.store)) as number;
    await writeNextUserState(at.store, 'ada', 11, retention);
    await writeNextUserState(at.store, 'ada', 12, retention);
    expect(await userStatesOf('ada', retention)).toEqual([floor + 1, floor, 10, 9, 8, 7]);
    for (const [n, number] of [
      [7, 7],
      [10, 10],
      [11, floor],
      [12, floor + 1],
    ] as const) {
      const read = await at.store.readUserStateVersion(userKey('ada'), number, retention);
      expect(read).toMatchObject({ kind: 'present', record: { stateText: textOf(n) } });
    }
    expect((await at.store.readUserStateVersion(userKey('ada'), 6, retention)).kind).toBe('absent');
    for (let n = 13; n <= 60; n++) await writeNextUserState(at.store, 'ada', n, retention);
    expect((await userStatesOf('ada')).length).toBeLessThan(25);
    const { userStates } = await at.store.listKeptUserStates(null);
    await at.store.dropUserStateVersions(userStates.map((userState) => ({ userState, retention })));
    expect(await userStatesOf('ada')).toHaveLength(6);
  });

  test('public state keeps its full number of versions across a gap', async () => {
    await ensureProject(at.store, key);
    for (let n = 1; n <= 100; n++) await writeNext(at.store, n);
    await recover(at.store);
    for (let n = 101; n <= 110; n++) await writeNext(at.store, n);
    const drop = async (versionsMax: number) => {
      while ((await at.store.dropPublicStateVersions(key, { versionsMax, keptAfter: 0 })) > 0);
      return (await numbers()).length;
    };
    expect(await drop(1_000)).toBe(110);
    const left = await drop(20);
    expect(left).toBeGreaterThanOrEqual(21);
    expect(left).toBeLessThan(21 + 32);
    expect(await drop(5)).toBe(10);
  });

  test('deleted user states and projects created again also continue from the floor', async () => {
    await ensureProject(at.store, key);
    await writeNext(at.store, 1);
    await writeNextUserState(at.store, 'ada', 1);
    await at.store.deleteUserStates(byOperator, key, 'ada');
    await at.store.deleteProject(byOperator, key);
    const floor = (await recover(at.store)) as number;
    await at.store.createProject(byOperator, project(key.slug));
    expect(await writeNext(at.store, 2)).toBe(floor);
    expect(await writeNextUserState(at.store, 'ada', 2)).toBe(floor);
    await at.store.deleteUserStates(byOperator, key, 'ada');
    expect(await writeNextUserState(at.store, 'ada', 3)).toBe(floor + 1);
    const schema = {
      mode: 'report',
      schemaText: '{"type":"object"}',
      instructions: 1,
      comment: null,
      author: null,
      writtenAt: 1,
    } as const;
    const schemaKey = { ...key, kind: 'public-state' } as const;
    expect(await at.store.writeSchema(byOperator, schemaKey, absent, schema)).toMatchObject({ version: floor });
  });

  test('a recovery deletes the signing keys and keeps the accounts', async () => {
    await at.store.createAccount(account('acc_1'));
    const signing = {
      purpose: 'access_token',
      keyId: 'k1',
      publicJwk: '{}',
      sealedPrivateJwk: new Uint8Array(1),
      createdAt: 1,
    } as const;
    await at.store.addSigningKey(signing, null);
    const before = at.store.marks().recoveredAt;
    await recover(at.store);
    expect(await at.store.listSigningKeys('access_token')).toEqual([]);
    expect(at.store.marks().recoveredAt).toBeGreaterThan(before);
    expect(await at.store.findAccount('acc_1')).toBeDefined();
  });

  test('a detected restore is recorded until an operator acknowledges it', async () => {
    await ensureProject(at.store, key);
    await writeNext(at.store, 1);
    const floor = await at.store.recordRollback({ known: 7, ahead: 10, now: 5 });
    expect(at.store.marks()).toEqual({ versionFloor: 17, rolledBackAt: 5, recoveredAt: 0 });
    expect(await writeNext(at.store, 2)).toBe(floor);
    await recover(at.store);
    expect(at.store.marks().rolledBackAt).toBe(0);
  });
}
