import { expect } from 'vitest';
import type { UserStateKey } from '../../contract/user-states.ts';
import type { Store } from '../../store.ts';
import {
  absent,
  type CreateStoreHarness,
  casesOf,
  ensureProject,
  unusualTexts,
  version,
  type Weight,
  withStore,
} from '../harness.ts';
import { newUserState, userKey } from '../sign-in/sign-in-records.ts';

const unusualStates: readonly string[] = [
  `{"quote":"it's \\"quoted\\" \\\\ -- ; ?1 $1"}`,
  '{"nul":"\\u0000","":"","__proto__":1,"lone":"\\ud800 \\udfff"}',
  '{"emoji":"\u{1f600}","cjk":"\u65e5\u672c","combining":"e\u0301","separators":"\u2028\u2029"}',
  '{"number":9007199254740993,"large":1e400}',
];

export function userStates(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { each, sized, test } = casesOf(weight);
  const at = withStore(createHarness);
  const key = userKey();
  const current = async (of: UserStateKey = key, store: Store = at.store) => {
    const found = await store.readUserState(of);
    return found.kind === 'present' ? found.record : found.kind;
  };

  test('nothing is read or written without the project', async () => {
    expect(await at.store.readUserState(key)).toEqual({ kind: 'no_project' });
    expect(await at.store.writeUserState(key, absent, newUserState())).toEqual({ kind: 'no_project' });
    expect(await at.store.writeUserState(key, version(1), newUserState())).toEqual({ kind: 'no_project' });
    await ensureProject(at.store, key);
    expect(await at.store.readUserState(key)).toEqual({ kind: 'absent' });
  });

  test('versions begin at 1 and increase by 1, and a read returns the last one', async () => {
    await ensureProject(at.store, key);
    expect(await at.store.writeUserState(key, absent, newUserState('{"n":1}'))).toEqual({ kind: 'written', version: 1 });
    const first = { version: 1, stateText: '{"n":1}', stateBytes: 7, updatedAt: 4_000, author: null, comment: null };
    expect(await current()).toEqual({ ...first, continues: true });
    for (let n = 1; n < 20; n++) {
      const next = newUserState(`{"n":"${'x'.repeat(n * 100)}"}`);
      expect(await at.store.writeUserState(key, version(n), next)).toEqual({ kind: 'written', version: n + 1 });
      expect(await current()).toMatchObject({ version: n + 1, stateText: next.stateText, stateBytes: next.stateBytes });
    }
    await at.reopen();
    expect(await current()).toMatchObject({ version: 20, stateBytes: 1_908 });
  });

  test('an unmet expectation is a conflict that names the current version, and nothing is written', async () => {
    await ensureProject(at.store, key);
    const none = { kind: 'conflict', currentVersion: null };
    for (const number of [0, 1]) {
      expect(await at.store.writeUserState(key, version(number), newUserState())).toEqual(none);
    }
    expect(await current()).toBe('absent');
    await at.store.writeUserState(key, absent, newUserState('{"n":1}'));
    await at.store.writeUserState(key, version(1), newUserState('{"n":2}'));
    for (const expected of [absent, version(0), version(1), version(3), version(Number.MAX_SAFE_INTEGER)]) {
      const outcome = await at.store.writeUserState(key, expected, newUserState('{"n":3}'));
      expect(outcome).toEqual({ kind: 'conflict', currentVersion: 2 });
    }
    expect(await current()).toMatchObject({ version: 2, stateText: '{"n":2}' });
  });

  test('players, environments, projects and accounts are separate from each other and from public state', async () => {
    const keys = [
      key,
      userKey('user-2'),
      userKey('USER-1'),
      userKey('user-1', { environment: 'staging' }),
      userKey('user-1', { environment: 'development' }),
      userKey('user-1', { slug: 'q' }),
      userKey('user-1', { accountId: 'acc_2' }),
    ];
    for (const each of keys) await ensureProject(at.store, each);
    for (const [i, each] of keys.entries()) {
      for (let n = 0; n <= i; n++) {
        await at.store.writeUserState(each, n === 0 ? absent : version(n), newUserState(`{"of":${i}}`));
      }
    }
    for (const [i, each] of keys.entries()) {
      expect(await current(each)).toMatchObject({ version: i + 1, stateText: `{"of":${i}}` });
      expect(await at.store.readPublicState(each)).toEqual({ kind: 'absent' });
    }
  });

  test('of 100 parallel writes of one version, exactly one succeeds', async () => {
    await ensureProject(at.store, key);
    for (const [expected, won] of [
      [absent, 1],
      [version(1), 2],
    ] as const) {
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, i) => at.store.writeUserState(key, expected, newUserState(`{"by":${i}}`))),
      );
      const winner = outcomes.findIndex(({ kind }) => kind === 'written');
      expect(outcomes.filter(({ kind }) => kind === 'written')).toEqual([{ kind: 'written', version: won }]);
      expect(outcomes.filter((outcome) => outcome.kind === 'conflict' && outcome.currentVersion === won)).toHaveLength(99);
      expect(await current()).toMatchObject({ version: won, stateText: `{"by":${winner}}` });
    }
  });

  test('of parallel writes by two processes, exactly one succeeds for each version', async () => {
    const beside = await at.openParallel();
    await ensureProject(at.store, key);
    for (let n = 0; n < 20; n++) {
      const outcomes = await Promise.all(
        [at.store, beside].map((store) =>
          store.writeUserState(key, n === 0 ? absent : version(n), newUserState(`{"n":${n}}`)),
        ),
      );
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['conflict', 'written']);
    }
    for (const store of [at.store, beside]) {
      await expect.poll(() => current(key, store)).toMatchObject({ version: 20 });
    }
  });

  test('a read sees every acknowledged write and never goes back to an older one', async () => {
    await ensureProject(at.store, key);
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    let acknowledged = 0;
    let done = false;
    let reads = 0;
    const reading = (async () => {
      for (let seen = 0; !done; reads++) {
        const floor = Math.max(seen, acknowledged);
        const record = await current();
        seen = typeof record === 'string' ? 0 : record.version;
        expect(seen).toBeGreaterThanOrEqual(floor);
        await turn();
      }
    })();
    for (let n = 0; n < 200; n += 2) {
      const writes = [n === 0 ? absent : version(n), version(n + 1)].map(async (expected) => {
        const outcome = await at.store.writeUserState(key, expected, newUserState());
        if (outcome.kind === 'written') acknowledged = outcome.version;
        return outcome.kind;
      });
      expect(await Promise.all(writes)).toEqual(['written', 'written']);
      await turn();
    }
    done = true;
    await reading;
    expect(reads).toBeGreaterThan(10);
  });

  const states = { quick: [`{"all":[${unusualStates.join()}]}`], heavy: unusualStates };
  each('the state %s comes back character for character', states, async (text) => {
    await ensureProject(at.store, key);
    await at.store.writeUserState(key, absent, newUserState(text));
    await at.reopen();
    expect(await current()).toMatchObject({ version: 1, stateText: text, stateBytes: Buffer.byteLength(text) });
  });

  const characters = { quick: ['\u65e5'], heavy: ['a', '\u65e5'] };
  each('a state of 256,000 characters of %s comes back whole', characters, async (character) => {
    await ensureProject(at.store, key);
    const text = `{"s":"${character.repeat(256_000 - 8)}"}`;
    await at.store.writeUserState(key, absent, newUserState('{}'));
    await at.store.writeUserState(key, version(1), newUserState(text));
    await at.reopen();
    const found = await current();
    expect(typeof found === 'object' && found.stateText === text).toBe(true);
  });

  test('a player id can be any string and is compared by code units', async () => {
    await ensureProject(at.store, key);
    const ids = [...unusualTexts, 'a/b', 'a', 'A', 'x'.repeat(512), '\u65e5'.repeat(512), '\ud800', '\ufffd', '\u00e9'];
    for (const [i, id] of ids.entries()) {
      expect(await at.store.writeUserState(userKey(id), absent, newUserState(`{"of":${i}}`))).toMatchObject({ version: 1 });
    }
    await at.reopen();
    for (const [i, id] of ids.entries()) expect(await current(userKey(id))).toMatchObject({ stateText: `{"of":${i}}` });
    const listed = await at.store.listUserStates(key, { after: null, itemsMax: 50 });
    expect(listed.kind === 'page' && listed.page.items.map(({ playerId }) => playerId)).toEqual(ids.toReversed());
  });

  sized('a thousand parallel writes all succeed', { quick: 10, heavy: 100 }, async (count) => {
    await ensureProject(at.store, key);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        Array.from({ length: count }, (_, user) =>
          at.store.writeUserState(userKey(`u${user}`), n === 0 ? absent : version(n), newUserState()),
        ),
      ).flat(),
    );
    expect(outcomes.filter(({ kind }) => kind === 'written')).toHaveLength(10 * count);
  });
}
