import { expect } from 'vitest';
import type { Expectation, NewPublicState, WriteOutcome } from '../../contract/public-states.ts';
import { publicScope, type Repeat, userScope } from '../../contract/repeats.ts';
import type { UserStateKey } from '../../contract/user-states.ts';
import type { Store } from '../../store.ts';
import {
  absent,
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
} from '../harness.ts';
import { byOperator } from '../records.fixture.ts';

/** What is kept of a write, and when it was written. */
interface Keyed {
  readonly repeat?: Repeat;
  readonly writtenAt?: number;
}

/** One kind of state, as the cases below write it. */
interface Kind {
  readonly name: string;
  readonly scope: string;
  write(store: Store, expected: Expectation, stateText: string, keyed?: Keyed): Promise<WriteOutcome>;
  version(store: Store): Promise<number | string>;
}

const key = stateKey();
const { createdAt } = project();
const userKey: UserStateKey = { ...key, playerId: 'ada' };
const bytesOf = (stateText: string, keyed: Keyed = {}) => ({
  stateText,
  stateBytes: Buffer.byteLength(stateText),
  writtenAt: 4_000,
  ...keyed,
});
const currentOf = async (reading: ReturnType<Store['readUserState']> | ReturnType<Store['readPublicState']>) => {
  const found = await reading;
  return found.kind === 'present' ? found.record.version : found.kind;
};

const kinds: readonly Kind[] = [
  {
    name: 'public state',
    scope: publicScope(key, createdAt),
    write: (store, expected, stateText, keyed) =>
      store.writePublicState(key, expected, newState(stateText, null, keyed as Partial<NewPublicState>)),
    version: (store) => currentOf(store.readPublicState(key)),
  },
  {
    name: 'user state',
    scope: userScope(userKey, createdAt),
    write: (store, expected, stateText, keyed) => store.writeUserState(userKey, expected, bytesOf(stateText, keyed)),
    version: (store) => currentOf(store.readUserState(userKey)),
  },
];

const repeated = (number: number, isSame = true) => ({ kind: 'repeated', version: number, isSame });
const written = (number: number) => ({ kind: 'written', version: number });

export function repeats(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { sized, test } = casesOf(weight);
  const at = withStore(createHarness);

  for (const kind of kinds) {
    const repeatOf = (name: string, request = 'request'): Repeat => ({
      scope: kind.scope,
      key: hashOf(name),
      request: hashOf(request),
    });
    const write = (expected: Expectation, repeat?: Repeat, more: Keyed = {}) =>
      kind.write(at.store, expected, '{}', repeat === undefined ? more : { ...more, repeat });

    test(`a write of ${kind.name} with a known key is not carried out again, whatever it expects`, async () => {
      await ensureProject(at.store, key);
      expect(await at.store.findRepeat(key.accountId, repeatOf('a'))).toBeUndefined();
      expect(await write(absent, repeatOf('a'))).toEqual(written(1));
      expect(await at.store.findRepeat(key.accountId, repeatOf('a'))).toEqual({ version: 1, isSame: true });
      for (const expected of [absent, version(1), version(7)]) {
        expect(await write(expected, repeatOf('a'))).toEqual(repeated(1));
        expect(await write(expected, repeatOf('a', 'another request'))).toEqual(repeated(1, false));
      }
      expect(await kind.version(at.store)).toBe(1);
      expect(await write(version(1), repeatOf('b'))).toEqual(written(2));
      expect(await write(version(2))).toEqual(written(3));
      await at.reopen();
      expect(await write(absent, repeatOf('a'))).toEqual(repeated(1));
      expect(await write(version(1), repeatOf('b'))).toEqual(repeated(2));
      expect(await kind.version(at.store)).toBe(3);
    });

    test(`a failed write of ${kind.name} does not use up its key`, async () => {
      expect(await write(absent, repeatOf('a'))).toEqual({ kind: 'no_project' });
      await ensureProject(at.store, key);
      expect(await write(version(1), repeatOf('a'))).toEqual({ kind: 'conflict', currentVersion: null });
      await write(absent);
      expect(await write(absent, repeatOf('a'))).toEqual({ kind: 'conflict', currentVersion: 1 });
      expect(await at.store.findRepeat(key.accountId, repeatOf('a'))).toBeUndefined();
      await at.store.writeOwnLimits(byOperator, key.accountId, { storageBytes: 3 });
      const large = await kind.write(at.store, version(1), '{"a":1}', { repeat: repeatOf('a') });
      expect(large).toMatchObject({ kind: 'quota' });
      expect(await at.store.findRepeat(key.accountId, repeatOf('a'))).toBeUndefined();
      await at.store.writeOwnLimits(byOperator, key.accountId, { storageBytes: 0 });
      expect(await write(version(1), repeatOf('a'))).toEqual(written(2));
    });

    const parallel = `of parallel writes of ${kind.name} with one key, one is carried out and all return its version`;
    sized(parallel, { quick: 20, heavy: 100 }, async (count) => {
      const beside = await at.openParallel();
      await ensureProject(at.store, key);
      for (const [expected, number] of [
        [absent, 1],
        [version(1), 2],
        [version(2), 3],
      ] as const) {
        const repeat = repeatOf(`round ${number}`);
        const outcomes = await Promise.all(
          Array.from({ length: count }, (_, i) => kind.write(i % 2 === 0 ? at.store : beside, expected, '{}', { repeat })),
        );
        expect(outcomes.filter((outcome) => outcome.kind === 'written')).toEqual([written(number)]);
        expect(outcomes.filter((outcome) => outcome.kind === 'repeated')).toEqual(Array(count - 1).fill(repeated(number)));
        expect(await kind.version(at.store)).toBe(number);
      }
    });

    sized(`old keys of ${kind.name} are deleted, a limited number at a time`, { quick: 24, heavy: 600 }, async (count) => {
      await ensureProject(at.store, key);
      const old = (count / 12) * 11;
      for (let n = 0; n < count; n++) {
        await write(n === 0 ? absent : version(n), repeatOf(`key ${n}`), { writtenAt: n < old ? 1_000 : 2_000 });
      }
      expect(await at.store.sweepRepeats(1_000)).toBe(0);
      const removed: number[] = [];
      while (removed.at(-1) !== 0) removed.push(await at.store.sweepRepeats(1_500));
      expect(removed.reduce((sum, each) => sum + each, 0)).toBe(old);
      expect(Math.max(...removed)).toBeLessThanOrEqual(500);
      expect(await at.store.findRepeat(key.accountId, repeatOf(`key ${old - 1}`))).toBeUndefined();
      expect(await at.store.findRepeat(key.accountId, repeatOf(`key ${old}`))).toEqual({ version: old + 1, isSame: true });
      expect(await write(version(count), repeatOf('key 0'))).toEqual(written(count + 1));
    });
  }

  test('each document and each account has its own keys', async () => {
    const elsewhere = stateKey({ accountId: 'acc_2' });
    const keys = [key, stateKey({ environment: 'staging' }), stateKey({ slug: 'q' }), elsewhere];
    for (const each of keys) await ensureProject(at.store, each);
    for (const each of keys) {
      const repeat = { scope: publicScope(each, createdAt), key: hashOf('a'), request: hashOf('r') };
      expect(await at.store.writePublicState(each, absent, newState('{}', null, { repeat }))).toEqual(written(1));
    }
    const ofUser = { scope: userScope(userKey, createdAt), key: hashOf('a'), request: hashOf('r') };
    expect(await at.store.writeUserState(userKey, absent, bytesOf('{}', { repeat: ofUser }))).toEqual(written(1));
  });

  test('all keys of a deleted player are deleted, and the next state starts without known keys', async () => {
    await ensureProject(at.store, key);
    const environments = ['development', 'staging', 'production'] as const;
    const of = (playerId: string, environment: (typeof environments)[number]) => {
      const each = { ...userKey, playerId, environment };
      const repeat = { scope: userScope(each, createdAt), key: hashOf('a'), request: hashOf('r') };
      return { each, repeat };
    };
    for (const environment of environments) {
      for (const playerId of ['ada', 'bob']) {
        const { each, repeat } = of(playerId, environment);
        await at.store.writeUserState(each, absent, bytesOf('{}', { repeat }));
      }
    }
    await at.store.deleteUserStates(byOperator, key, 'ada');
    for (const environment of environments) {
      const { each, repeat } = of('ada', environment);
      expect(await at.store.findRepeat(key.accountId, repeat)).toBeUndefined();
      expect(await at.store.findRepeat(key.accountId, of('bob', environment).repeat)).toEqual({ version: 1, isSame: true });
      expect(await at.store.writeUserState(each, absent, bytesOf('{}', { repeat }))).toEqual(written(2));
    }
  });
}
