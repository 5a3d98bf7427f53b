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
  writeNext,
} from '../harness.ts';

const unusualStates: readonly string[] = [
  '{}',
  `{"quote":"it's \\"quoted\\" \\\\ -- ; ?1 $1"}`,
  '{"nul":"\\u0000","":"","__proto__":1}',
  '{"emoji":"\u{1f600}","cjk":"\u65e5\u672c","combining":"e\u0301","bom":"\ufeff","separators":"\u2028\u2029"}',
  '{"lone":"\\ud800 \\udfff"}',
  '{"number":9007199254740993,"large":1e400}',
];

export function publicStateWrites(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { each, sized, test } = casesOf(weight);
  const at = withStore(createHarness);
  const key = stateKey();
  const current = async (store: Store = at.store) => {
    const found = await store.readPublicState(key);
    return found.kind === 'present' ? found.record : found.kind;
  };

  test('nothing is read or written without the project', async () => {
    expect(await at.store.readPublicState(key)).toEqual({ kind: 'no_project' });
    expect(await at.store.writePublicState(key, absent, newState())).toEqual({ kind: 'no_project' });
    expect(await at.store.writePublicState(key, version(1), newState())).toEqual({ kind: 'no_project' });
    await ensureProject(at.store, key);
    expect(await at.store.readPublicState(key)).toEqual({ kind: 'absent' });
  });

  test('versions begin at 1 and increase by 1', async () => {
    await ensureProject(at.store, key);
    expect(await at.store.writePublicState(key, absent, newState('{"n":1}', 'first'))).toEqual({
      kind: 'written',
      version: 1,
    });
    expect(await current()).toEqual({ version: 1, stateText: '{"n":1}', stateBytes: 7, comment: 'first' });
    expect(await at.store.writePublicState(key, version(1), newState('{"n":2}'))).toEqual({ kind: 'written', version: 2 });
    expect(await current()).toEqual({ version: 2, stateText: '{"n":2}', stateBytes: 7, comment: null });
  });

  test('what is recalled is a version, and after a write the current one', async () => {
    expect(at.store.recallPublicState(key)).toBeUndefined();
    await ensureProject(at.store, key);
    await at.store.writePublicState(key, absent, newState('{"n":1}', 'first'));
    await at.store.writePublicState(key, version(1), newState('{"n":2}'));
    const { version: number, stateText, comment } = at.store.recallPublicState(key) ?? {};
    expect({ number, stateText, comment }).toEqual({ number: 2, stateText: '{"n":2}', comment: null });
  });

  test('an unmet expectation is a conflict that names the current version, and nothing is written', async () => {
    await ensureProject(at.store, key);
    for (const number of [0, 1, 2]) {
      expect(await at.store.writePublicState(key, version(number), newState())).toEqual({
        kind: 'conflict',
        currentVersion: null,
      });
    }
    for (let i = 0; i < 3; i++) await writeNext(at.store, key, `{"n":${i}}`);
    for (const expected of [absent, version(0), version(2), version(4), version(Number.MAX_SAFE_INTEGER)]) {
      expect(await at.store.writePublicState(key, expected, newState())).toEqual({ kind: 'conflict', currentVersion: 3 });
    }
    expect(await current()).toMatchObject({ version: 3, stateText: '{"n":2}' });
  });

  test('environments, projects and accounts are separate', async () => {
    const keys = [
      key,
      stateKey({ environment: 'staging' }),
      stateKey({ environment: 'development' }),
      stateKey({ slug: 'q' }),
      stateKey({ accountId: 'acc_2' }),
    ];
    for (const each of keys) await ensureProject(at.store, each);
    for (const [i, each] of keys.entries()) {
      for (let n = 0; n <= i; n++) await writeNext(at.store, each, `{"of":${i}}`);
    }
    for (const [i, each] of keys.entries()) {
      expect(await at.store.readPublicState(each)).toMatchObject({ record: { version: i + 1, stateText: `{"of":${i}}` } });
    }
  });

  test('of 100 parallel writes of one version, exactly one succeeds', async () => {
    await ensureProject(at.store, key);
    for (const [expected, won] of [
      [absent, 1],
      [version(1), 2],
      [version(2), 3],
    ] as const) {
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, i) => at.store.writePublicState(key, expected, newState(`{"by":${i}}`))),
      );
      const winners = outcomes.flatMap((outcome, i) =>
        outcome.kind === 'written' ? [{ i, version: outcome.version }] : [],
      );
      expect(winners).toEqual([{ i: expect.any(Number), version: won }]);
      expect(outcomes.filter((outcome) => outcome.kind === 'conflict' && outcome.currentVersion === won)).toHaveLength(99);
      expect(await current()).toMatchObject({ version: won, stateText: `{"by":${winners[0]?.i}}` });
    }
  });

  const two = 'of parallel writes by two processes, exactly one succeeds for each version and none is lost';
  sized(two, { quick: 15, heavy: 60 }, async (count) => {
    const beside = await at.openParallel();
    await ensureProject(at.store, key);
    let written = 0;
    const climb = async (store: Store) => {
      while (written < count) {
        if ((await writeNext(store, key, `{"n":${written}}`)).kind === 'written') written++;
        // A conflict may come from a cached record that the other process has replaced meanwhile.
        else await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    await Promise.all([climb(at.store), climb(beside)]);
    await at.reopen();
    expect(await current()).toMatchObject({ version: written });
  });

  const many = { quick: 60, heavy: 300 };
  sized('a read sees every acknowledged write and never goes back to an older one', many, async (count) => {
    await ensureProject(at.store, key);
    let acknowledged = 0;
    let done = false;
    let reads = 0;
    const reading = (async () => {
      for (let seen = 0; !done; reads++) {
        const floor = Math.max(seen, acknowledged);
        const record = await current();
        const found = typeof record === 'string' ? 0 : record.version;
        expect(found).toBeGreaterThanOrEqual(floor);
        seen = found;
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    for (let n = 0; n < count; n += 3) {
      // Three, a turn apart, so that some are acknowledged while a later write of the key is still running.
      const writes: Promise<string>[] = [];
      for (const expected of [n === 0 ? absent : version(n), version(n + 1), version(n + 2)]) {
        writes.push(
          at.store.writePublicState(key, expected, newState()).then((outcome) => {
            if (outcome.kind === 'written') acknowledged = outcome.version;
            return outcome.kind;
          }),
        );
        await turn();
      }
      expect(await Promise.all(writes)).toEqual(['written', 'written', 'written']);
      expect(await current()).toMatchObject({ version: n + 3 });
      await turn();
    }
    done = true;
    await reading;
    expect(reads).toBeGreaterThan(10);
  });

  test('repeated reads return the same record until the next write', async () => {
    await ensureProject(at.store, key);
    await at.store.writePublicState(key, absent, newState());
    const [first, second] = [await current(), await current()];
    expect(second).toEqual(first);
    await writeNext(at.store, key);
    expect(await current()).not.toBe(first);
  });

  const states = { quick: [`{"all":[${unusualStates.join()}]}`], heavy: unusualStates };
  each('the state %s comes back character for character', states, async (text) => {
    await ensureProject(at.store, key);
    const comment = JSON.parse(`"${text.replaceAll('\\', '').replaceAll('"', '')}\\ud800\\u0000"`) as string;
    await at.store.writePublicState(key, absent, newState(text, comment));
    expect(await current()).toEqual({ version: 1, stateText: text, stateBytes: Buffer.byteLength(text), comment });
    await at.reopen();
    expect(await current()).toEqual({ version: 1, stateText: text, stateBytes: Buffer.byteLength(text), comment });
  });

  const characters = { quick: ['\u{1f600}'], heavy: ['a', '\u00e9', '\u65e5', '\u{1f600}'] };
  each('a state of 256,000 characters of %s comes back whole', characters, async (character) => {
    await ensureProject(at.store, key);
    const text = `{"s":"${character.repeat((256_000 - 8) / character.length)}"}`;
    expect(text).toHaveLength(256_000);
    await at.store.writePublicState(key, absent, newState(text));
    await at.reopen();
    const found = await current();
    expect(typeof found === 'object' && found.stateText === text).toBe(true);
  });

  sized('a thousand parallel writes all succeed', { quick: 10, heavy: 100 }, async (count) => {
    const keys = Array.from({ length: count }, (_, i) => stateKey({ slug: `p${i}` }));
    for (const each of keys) await ensureProject(at.store, each);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        keys.map((each) => at.store.writePublicState(each, n === 0 ? absent : version(n), newState(`{"n":${n}}`))),
      ).flat(),
    );
    expect(outcomes.filter(({ kind }) => kind === 'written')).toHaveLength(10 * count);
  });
}
