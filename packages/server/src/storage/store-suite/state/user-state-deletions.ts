import { expect } from 'vitest';
import {
  absent,
  type CreateStoreHarness,
  casesOf,
  ensureProject,
  hashOf,
  project,
  stateKey,
  version,
  type Weight,
  withStore,
  writeNext,
} from '../harness.ts';
import { byOperator } from '../records.fixture.ts';
import { codeOf, developerCodeOf, newUserState, nextOf, signIn, tokenOf, userKey } from '../sign-in/sign-in-records.ts';

export function userStateDeletions(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { sized, test } = casesOf(weight);
  const at = withStore(createHarness);
  const place = userKey();
  const environments = ['development', 'staging', 'production'] as const;
  const kinds = async (id: string) =>
    Promise.all(environments.map(async (environment) => (await at.store.readUserState(userKey(id, { environment }))).kind));

  /** Writes this many versions, the first without a predecessor. Returns the last version. */
  async function climb(id: string, versions: number, change = {}): Promise<number> {
    let current = 0;
    for (let n = 0; n < versions; n++) {
      const expected = n === 0 ? absent : version(current);
      const outcome = await at.store.writeUserState(userKey(id, change), expected, newUserState());
      if (outcome.kind !== 'written') throw new Error(`version ${n + 1} of ${id}: ${outcome.kind}`);
      current = outcome.version;
    }
    return current;
  }

  test('deleting something that does not exist returns absent', async () => {
    expect(await at.store.deleteUserStates(byOperator, place, 'user-1')).toBe('no_project');
    await ensureProject(at.store, place);
    expect(await at.store.deleteUserStates(byOperator, place, 'user-1')).toBe('absent');
    await climb('user-2', 1);
    expect(await at.store.deleteUserStates(byOperator, place, 'user-1')).toBe('absent');
  });

  test('a token from before an erasure cannot create, change or delete a state', async () => {
    await ensureProject(at.store, place);
    const key = userKey('gone');
    const write = (epoch: number, expected = absent) =>
      at.store.writeUserState(key, expected, { ...newUserState(), epoch });
    expect(await write(0)).toEqual({ kind: 'written', version: 1 });
    expect(await at.store.deletePlayer(byOperator, { ...place, environment: null }, 'gone')).toBe('deleted');
    expect([await write(0), await write(0, version(1))]).toEqual([{ kind: 'token_ended' }, { kind: 'token_ended' }]);
    expect((await at.store.readUserState(key)).kind).toBe('absent');
    const { epoch } = await at.store.findPlayerAccess(key, Date.now());
    const first = await write(epoch);
    if (first.kind !== 'written') throw new Error(`a new token cannot write: ${first.kind}`);
    expect(await write(0, version(first.version))).toEqual({ kind: 'token_ended' });
    const token = { environment: key.environment, epoch: 0 };
    expect(await at.store.deletePlayer(byOperator, { ...place, environment: null, token }, 'gone')).toBe('token_ended');
    expect(await at.store.readUserState(key)).toMatchObject({ record: { version: first.version } });
    expect(await write(epoch, version(first.version))).toMatchObject({ kind: 'written' });
  });

  test('tokens of a player without stored state also end with an erasure and with the sessions', async () => {
    await ensureProject(at.store, place);
    const next = { ...newUserState(), epoch: 0 };
    for (const id of [`guest_${'a'.repeat(22)}`, 'erased-elsewhere']) {
      expect(await at.store.deletePlayer(byOperator, { ...place, environment: null }, id)).toBe('deleted');
      expect(await at.store.writeUserState(userKey(id), absent, next)).toEqual({ kind: 'token_ended' });
      expect(await at.store.endPlayerSessions(byOperator, place, `${id}-2`)).toBe('done');
      expect(await at.store.writeUserState(userKey(`${id}-2`), absent, next)).toEqual({ kind: 'token_ended' });
      expect(await at.store.findPlayer(place, `${id}-2`, Date.now())).toBeUndefined();
    }
  });

  test('a deletion removes the player’s state in every environment and no other player’s', async () => {
    for (const slug of ['p', 'q']) await ensureProject(at.store, { accountId: 'acc_1', slug });
    for (const environment of environments) {
      for (const id of ['gone', 'kept']) await climb(id, 2, { environment });
      await climb('gone', 1, { slug: 'q', environment });
    }
    await writeNext(at.store, stateKey());
    expect(await kinds('gone')).toEqual(['present', 'present', 'present']);
    expect(await at.store.deleteUserStates(byOperator, place, 'gone')).toBe('deleted');
    const gone = async () => {
      expect(await kinds('gone')).toEqual(['absent', 'absent', 'absent']);
      expect(await kinds('kept')).toEqual(['present', 'present', 'present']);
      expect((await at.store.readUserState(userKey('gone', { slug: 'q' }))).kind).toBe('present');
      expect(await at.store.readPublicState(stateKey())).toMatchObject({ record: { version: 1 } });
      expect(await at.store.listUserStates(place, { after: null, itemsMax: 50 })).toMatchObject({
        page: { items: [{ playerId: 'kept' }] },
      });
    };
    await gone();
    expect(await at.store.deleteUserStates(byOperator, place, 'gone')).toBe('absent');
    await at.reopen();
    await gone();
  });

  test('a deletion removes only that player’s codes and families, in that project', async () => {
    for (const slug of ['p', 'q']) await ensureProject(at.store, { accountId: 'acc_1', slug });
    await signIn(at.store, 'gone', codeOf('user-1'));
    await signIn(at.store, 'gone-too', codeOf('user-1', { environment: 'staging' }));
    await at.store.addAuthorizationCode(hashOf('unspent'), codeOf('user-1'));
    await signIn(at.store, 'other', codeOf('user-2'));
    await signIn(at.store, 'elsewhere', codeOf('user-1', { slug: 'q', clientId: 'acc_1.q' }));
    await signIn(at.store, 'developer', developerCodeOf('user-1'));
    expect(await at.store.deleteUserStates(byOperator, place, 'user-1')).toBe('deleted');
    for (const familyId of ['gone', 'gone-too']) {
      expect(await at.store.findRefreshFamily(familyId, 2_000)).toBeUndefined();
      const refresh = at.store.consumeRefreshToken(tokenOf(familyId, `${familyId}-0`), nextOf('x'), 2_000, 0);
      expect(await refresh).toEqual({ kind: 'unknown' });
    }
    expect(await at.store.findAuthorizationCode(hashOf('unspent'), 2_000)).toBeUndefined();
    expect(await at.store.findAuthorizationCode(hashOf('code-gone'), 2_000)).toBeUndefined();
    for (const familyId of ['other', 'elsewhere', 'developer']) {
      expect(await at.store.findRefreshFamily(familyId, 2_000)).toMatchObject({ familyId });
    }
    expect(await at.store.deleteUserStates(byOperator, place, 'user-1')).toBe('absent');
  });

  test('a returning player starts above every earlier version, however often deleted', async () => {
    await ensureProject(at.store, place);
    expect(await climb('user-1', 5)).toBe(5);
    expect(await climb('user-1', 2, { environment: 'staging' })).toBe(2);
    await at.store.deleteUserStates(byOperator, place, 'user-1');
    expect(await at.store.writeUserState(userKey(), version(5), newUserState())).toEqual({
      kind: 'conflict',
      currentVersion: null,
    });
    expect(await climb('user-1', 1)).toBe(6);
    await at.store.deleteUserStates(byOperator, place, 'user-1');
    await at.reopen();
    expect(await climb('user-1', 3)).toBe(9);
    expect(await climb('user-1', 1, { environment: 'staging' })).toBe(3);
    await at.store.deleteUserStates(byOperator, place, 'user-1');
    expect(await climb('user-1', 1)).toBe(10);
  });

  test('deleting other players leaves most new players at version 1', async () => {
    await ensureProject(at.store, place);
    for (const id of ['a', 'b', 'c']) {
      await climb(id, 7);
      await at.store.deleteUserStates(byOperator, place, id);
    }
    const first = await Promise.all(
      Array.from({ length: 100 }, (_, i) => at.store.writeUserState(userKey(`new-${i}`), absent, newUserState())),
    );
    expect(first.filter((outcome) => outcome.kind === 'written' && outcome.version === 1).length).toBeGreaterThan(90);
  });

  test('earlier writes cannot undo a deletion, and later ones are conflicts', async () => {
    await ensureProject(at.store, place);
    for (let round = 0, floor = 0; round < 20; round++) {
      const write = at.store.writeUserState(userKey(), absent, newUserState());
      const deletion = at.store.deleteUserStates(byOperator, place, 'user-1');
      const late = at.store.writeUserState(userKey(), version(floor + 1), newUserState());
      const [written, deleted, refused] = await Promise.all([write, deletion, late]);
      expect(written).toEqual({ kind: 'written', version: floor + 1 });
      expect(deleted).toBe('deleted');
      expect(refused).toEqual({ kind: 'conflict', currentVersion: null });
      expect(await at.store.readUserState(userKey())).toEqual({ kind: 'absent' });
      floor += 1;
    }
  });

  test('no user state in a deleted project or account can be read or written', async () => {
    for (const [what, remove] of [
      ['acc_1', () => at.store.deleteProject(byOperator, place)],
      ['acc_2', () => at.store.deleteAccount('acc_2')],
    ] as const) {
      const key = userKey('user-1', { accountId: what });
      await ensureProject(at.store, key);
      await at.store.writeUserState(key, absent, newUserState());
      expect((await at.store.readUserState(key)).kind).toBe('present');
      expect(await remove()).toBe('deleted');
      expect(await at.store.readUserState(key)).toEqual({ kind: 'no_project' });
      expect(await at.store.writeUserState(key, version(1), newUserState())).toEqual({ kind: 'no_project' });
      expect(await at.store.listUserStates(key, { after: null, itemsMax: 5 })).toEqual({ kind: 'no_project' });
      expect(await at.store.deleteUserStates(byOperator, key, 'user-1')).toBe('no_project');
    }
  });

  test('in a project created again every player starts above all earlier versions, including deleted ones', async () => {
    await ensureProject(at.store, place);
    await climb('user-1', 6);
    await climb('user-2', 9);
    await at.store.deleteUserStates(byOperator, place, 'user-2');
    await climb('user-1', 3, { environment: 'staging' });
    for (let round = 0; round < 3; round++) {
      await at.store.deleteProject(byOperator, place);
      expect(await at.store.createProject(byOperator, project())).toBe('created');
    }
    await at.reopen();
    expect(await at.store.readUserState(userKey())).toEqual({ kind: 'absent' });
    expect(await at.store.listUserStates(place, { after: null, itemsMax: 5 })).toMatchObject({ page: { items: [] } });
    const again = await climb('user-2', 1);
    expect(again).toBeGreaterThan(9);
    expect(again).toBeLessThan(30);
    expect(await climb('user-1', 1)).toBeGreaterThan(6);
    expect(await climb('user-1', 1, { environment: 'staging' })).toBeGreaterThan(3);
    expect(await climb('user-1', 1, { environment: 'development' })).toBe(1);
    await at.store.deleteProject(byOperator, place);
    await at.store.createProject(byOperator, project());
    expect(await climb('user-2', 1)).toBeGreaterThan(again);
  });

  const often = { quick: 10, heavy: 70 };
  sized('version numbers stay small however often a project is created again', often, async (rounds) => {
    let last = 0;
    for (let round = 0; round < rounds; round++) {
      await ensureProject(at.store, place);
      const next = await climb('user-1', 1);
      expect(next).toBeGreaterThan(last);
      last = next;
      await at.store.deleteProject(byOperator, place);
    }
    expect(last).toBeLessThan(3 * rounds);
  });
}
