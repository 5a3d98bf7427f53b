/** Histories stored as differences: copied to another engine and back, backed up and restored. */
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Change, chains } from '../storage/history/chains.fixture.ts';
import type { Store } from '../storage/store.ts';
import { ensureProject, stateKey } from '../storage/store-suite/harness.ts';
import { expectAll, writeChange } from '../storage/store-suite/state/public-state-chains.ts';
import { createStage } from './migrate-store/stage.fixture.ts';

/** `HOLDFAST_HISTORY_STORE_RUNS=2000` copies two thousand histories. */
const count = Number(process.env.HOLDFAST_HISTORY_STORE_RUNS ?? 12);

it('every version of any history is copied and can be written on', { timeout: 180_000 + count * 1_000 }, async () => {
  const stage = await createStage();
  const { source, url, back } = stage;
  const all = fc.sample(chains(70, false), count).map((changes, n) => ({ key: stateKey({ slug: `p-${n}` }), changes }));
  const expectThem = async (store: Store) => {
    for (const { key, changes } of all) await expectAll(store, key, changes);
  };
  /** Adds two versions of each: the first without its predecessor in memory, the second with it. */
  const writeOn = async (store: Store) => {
    for (const { key, changes } of all) {
      for (const suffix of [' ', '  ']) {
        const change: Change = { stateText: `${changes.at(-1)?.stateText}${suffix}` };
        await writeChange(store, key, changes.length, change);
        changes.push(change);
      }
    }
    await expectThem(store);
  };
  try {
    await stage.use(source, async (store) => {
      for (const { key, changes } of all) {
        await ensureProject(store, key);
        for (const [written, change] of changes.entries()) await writeChange(store, key, written, change);
      }
    });
    expect(await stage.copy(source, url)).toMatchObject({ code: 0 });
    await stage.use(url, writeOn);
    expect(await stage.copy(url, back)).toMatchObject({ code: 0 });
    await stage.use(back, writeOn);
    const file = join(stage.sandbox.folder, 'histories.backup');
    const restored = join(stage.sandbox.folder, 'restored');
    expect(await stage.sandbox.run(['backup', file], { SVC_DATA_DIR: back })).toMatchObject({ code: 0 });
    expect(await stage.sandbox.run(['restore', file], { SVC_DATA_DIR: restored })).toMatchObject({ code: 0 });
    await stage.use(restored, expectThem);
    for (const place of [url, back, restored]) expect(await stage.faults(place)).toEqual([]);
  } finally {
    await stage.remove();
  }
});
