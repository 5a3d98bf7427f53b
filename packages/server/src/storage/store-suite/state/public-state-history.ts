import { expect } from 'vitest';
import type { PublicState, PublicStateKey } from '../../contract/public-states.ts';
import type { Store } from '../../store.ts';
import {
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

/** A state whose text has this many characters, and names its version. */
const stateOf = (number: number, characters: number) => `{"n":"${String(number).padEnd(characters - 8, '.')}"}`;

export function publicStateHistory(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { sized, test } = casesOf(weight);
  const at = withStore(createHarness);
  const key = stateKey();

  test('history is unknown without the project and empty before the first write', async () => {
    const run = { before: null, charactersMax: 1_000 };
    expect(await at.store.listPublicStateVersions(key, run)).toEqual({ kind: 'no_project' });
    expect(await at.store.readPublicStateVersion(key, 1)).toEqual({ kind: 'no_project' });
    await ensureProject(at.store, key);
    expect(await at.store.listPublicStateVersions(key, run)).toEqual({ kind: 'versions', versions: [] });
    expect(await at.store.readPublicStateVersion(key, 1)).toEqual({ kind: 'absent' });
  });

  test('every version is kept and found by its number', async () => {
    await ensureProject(at.store, key);
    // More than twice any power-of-two step of an engine's index.
    const count = 200;
    for (let n = 1; n <= count; n++) await writeNext(at.store, key, stateOf(n, 20));
    for (const n of [1, 2, 63, 64, 65, 127, 128, 129, 150, 192, 199, 200]) {
      expect(await at.store.readPublicStateVersion(key, n)).toMatchObject({
        record: { version: n, stateText: stateOf(n, 20) },
      });
    }
    for (const n of [0, -1, 201, 256, 1e15]) {
      expect(await at.store.readPublicStateVersion(key, n)).toEqual({ kind: 'absent' });
    }
    expect(numbers(await history(at.store, key, 1_000_000))).toEqual(countdown(count));
    expect(numbers(await history(at.store, key, 100))).toEqual(countdown(count));
  });

  test('each version has its own comment and size', async () => {
    await ensureProject(at.store, key);
    await writeNext(at.store, key, '{}');
    await at.store.writePublicState(key, version(1), newState('{"a":"\u00e9"}', 'two'));
    expect(await history(at.store, key, 1_000)).toEqual([
      { version: 2, stateText: '{"a":"\u00e9"}', stateBytes: 10, comment: 'two' },
      { version: 1, stateText: '{}', stateBytes: 2, comment: null },
    ]);
  });

  test('a run holds as many versions as its characters allow, and at least one', async () => {
    await ensureProject(at.store, key);
    for (let n = 1; n <= 5; n++) await writeNext(at.store, key, stateOf(n, 100));
    const runOf = async (charactersMax: number, before: number | null = null) => {
      const found = await at.store.listPublicStateVersions(key, { before, charactersMax });
      return found.kind === 'versions' ? numbers(found.versions) : found.kind;
    };
    expect(await runOf(1)).toEqual([5]);
    expect(await runOf(199)).toEqual([5]);
    expect(await runOf(200)).toEqual([5, 4]);
    expect(await runOf(200, 4)).toEqual([3, 2]);
    expect(await runOf(10_000)).toEqual([5, 4, 3, 2, 1]);
    expect(await runOf(10_000, 2)).toEqual([1]);
    expect(await runOf(10_000, 1)).toEqual([]);
    expect(await runOf(10_000, 99)).toEqual([5, 4, 3, 2, 1]);
  });

  const added = { quick: 20, heavy: 80 };
  sized('pages of history neither skip nor repeat versions while others are added', added, async (count) => {
    await ensureProject(at.store, key);
    for (let n = 1; n <= count; n++) await writeNext(at.store, key, stateOf(n, 30));
    const seen = await history(at.store, key, 200, () => writeNext(at.store, key, stateOf(0, 30)));
    expect(numbers(seen)).toEqual(countdown(count));
  });

  sized('histories of two keys written alternately stay separate', { quick: 10, heavy: 70 }, async (count) => {
    const keys = [key, stateKey({ environment: 'staging' }), stateKey({ slug: 'q' })];
    for (const each of keys) await ensureProject(at.store, each);
    for (let n = 1; n <= count; n++) {
      for (const [i, each] of keys.entries()) await writeNext(at.store, each, stateOf(n * 10 + i, 30));
    }
    for (const [i, each] of keys.entries()) {
      const found = await history(at.store, each, 300);
      expect(found.map(({ stateText }) => stateText)).toEqual(countdown(count).map((n) => stateOf(n * 10 + i, 30)));
    }
  });
}

const numbers = (versions: readonly PublicState[]) => versions.map((each) => each.version);
const countdown = (from: number) => Array.from({ length: from }, (_, i) => from - i);

/** All versions, in runs; `between` runs after each run. */
async function history(
  store: Store,
  key: PublicStateKey,
  charactersMax: number,
  between?: () => Promise<unknown>,
): Promise<PublicState[]> {
  const all: PublicState[] = [];
  for (let before: number | null = null; ; before = (all.at(-1) as PublicState).version) {
    const run = await store.listPublicStateVersions(key, { before, charactersMax });
    if (run.kind !== 'versions') throw new Error(`history of ${key.slug}: ${run.kind}`);
    if (run.versions.length === 0) return all;
    all.push(...run.versions);
    await between?.();
  }
}
