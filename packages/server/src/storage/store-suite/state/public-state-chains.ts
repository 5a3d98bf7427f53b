/** Random histories, written into a store as clients write them, and read back in every possible way. */
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { PublicState, PublicStateKey } from '../../contract/public-states.ts';
import { type Change, chains } from '../../history/chains.fixture.ts';
import type { Store } from '../../store.ts';
import { type CreateStoreHarness, casesOf, ensureProject, newState, stateKey, type Weight, withStore } from '../harness.ts';

/** `HOLDFAST_HISTORY_STORE_RUNS=2000` writes two thousand histories. */
const numRuns = Number(process.env.HOLDFAST_HISTORY_STORE_RUNS ?? 15);
/** Generous, because a busy machine must not fail the test. */
const timeout = 120_000 + numRuns * 1_000;

export function publicStateChains(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { sized, test } = casesOf(weight);
  const at = withStore(createHarness);

  const runs = { quick: 3, heavy: numRuns };
  const anyHistory = async (numRuns: number) => {
    let documents = 0;
    const property = fc.asyncProperty(chains(70, false), fc.nat(9), async (changes, forgets) => {
      const key = stateKey({ slug: `p-${documents++}` });
      await ensureProject(at.store, key);
      // Another process wrote some of them: what this one has cached of the document is then outdated.
      const beside = forgets > 6 ? await at.openParallel() : at.store;
      for (const [index, change] of changes.entries()) {
        await writeChange(forgets > 6 && index % forgets === 0 ? beside : at.store, key, index, change);
      }
      // A store just opened has cached nothing, and sees what all have written.
      const reader = forgets > 6 ? await at.openParallel() : at.store;
      await expectAll(reader, key, changes);
      for (const opened of [beside, reader]) if (opened !== at.store) await opened.close();
    });
    await fc.assert(property, { numRuns });
  };
  sized('every version of any history comes back from every read', runs, anyHistory, timeout);

  test('every version comes back after the store is reopened', async () => {
    const all = fc.sample(chains(70, false), 3);
    const keys = all.map((_, index) => stateKey({ slug: `q-${index}` }));
    for (const [index, key] of keys.entries()) {
      await ensureProject(at.store, key);
      for (const [number, change] of (all[index] as Change[]).entries()) await writeChange(at.store, key, number, change);
    }
    await at.reopen();
    for (const [index, key] of keys.entries()) await expectAll(at.store, key, all[index] as Change[]);
  });
}

export async function writeChange(store: Store, key: PublicStateKey, written: number, change: Change): Promise<void> {
  const expected = written === 0 ? ({ kind: 'absent' } as const) : ({ kind: 'version', version: written } as const);
  const stateBytes = Buffer.byteLength(change.stateText);
  const outcome = await store.writePublicState(key, expected, { ...newState(change.stateText), ...change, stateBytes });
  expect(outcome).toEqual({ kind: 'written', version: written + 1 });
}

export async function expectAll(store: Store, key: PublicStateKey, changes: readonly Change[]): Promise<void> {
  const records = changes.map(({ stateText }, index) => ({
    version: index + 1,
    stateText,
    stateBytes: Buffer.byteLength(stateText),
    comment: null,
  }));
  expect(await store.readPublicState(key)).toEqual({ kind: 'present', record: records.at(-1) });
  for (const record of records) {
    expect(await store.readPublicStateVersion(key, record.version)).toEqual({ kind: 'present', record });
  }
  for (const charactersMax of [1, 700, 1_000_000]) {
    expect(await listed(store, key, charactersMax)).toEqual(records.toReversed());
  }
  const history = await store.listPublicStateHistory(key, { before: null, itemsMax: 100 });
  const sizes = history.kind === 'history' ? history.items.map(({ stateBytes }) => stateBytes) : [];
  expect(sizes).toEqual(records.map(({ stateBytes }) => stateBytes).reverse());
}

async function listed(store: Store, key: PublicStateKey, charactersMax: number): Promise<PublicState[]> {
  const all: PublicState[] = [];
  for (;;) {
    const run = await store.listPublicStateVersions(key, { before: all.at(-1)?.version ?? null, charactersMax });
    if (run.kind !== 'versions' || run.versions.length === 0) return all;
    all.push(...run.versions);
  }
}
