import { expect } from 'vitest';
import { StoreFault } from '../../store.ts';
import { absent, ensureProject, newState, stateKey, version } from '../../store-suite/harness.ts';
import { faultsOf, runSql } from '../inspect/inspect.fixture.ts';
import type { temporary } from '../temporary.fixture.ts';

type Temporary = ReturnType<typeof temporary>;

export const key = stateKey();
export const name = `${key.accountId}/${key.slug}/${key.environment}`;
export const textOf = (n: number) => `{"n":${n},"rest":"${'.'.repeat(500)}"}`;
export const versions = 80;

/** A folder with a document of three runs: 1 to 32, 33 to 64, and the rest. */
export async function written(at: Temporary): Promise<string> {
  const dataDir = at.directory();
  const store = await at.open({ dataDir });
  await ensureProject(store, key);
  for (let n = 0; n < versions; n++) {
    await store.writePublicState(key, n === 0 ? absent : version(n), newState(textOf(n + 1)));
  }
  await store.close();
  return dataDir;
}

/** Kinds of damage by SQL, with the first and the last version that each costs. */
export const damages: readonly (readonly [kind: string, sql: string, first: number, last: number])[] = [
  ['its edits are cut off', 'UPDATE public_state_versions SET state = substr(state, 1, 4) WHERE version = 40', 40, 64],
  ['its edits are wrong', "UPDATE public_state_versions SET state = '5,2,2:99' WHERE version = 40", 40, 49],
  [
    'the full text has a wrong character',
    "UPDATE public_state_versions SET state = replace(state, '..\"', '.,\"') WHERE version = 33",
    33,
    64,
  ],
  ['its checksum is wrong', 'UPDATE public_state_versions SET checksum = checksum + 1 WHERE version = 40', 40, 40],
  ['it claims to be stored whole', 'UPDATE public_state_versions SET depth = 0 WHERE version = 64', 64, 64],
];

/** Damages a document by SQL: only these versions cannot be read, and everything else can. */
export async function expectDamage(at: Temporary, sql: string, first: number, last: number): Promise<void> {
  const dataDir = await written(at);
  runSql(dataDir, sql);
  const store = await at.open({ dataDir });
  for (let n = 1; n <= versions; n++) {
    const read = async () => store.readPublicStateVersion(key, n);
    if (n < first || n > last) {
      expect(await read()).toMatchObject({ record: { version: n, stateText: textOf(n) } });
      continue;
    }
    const error: unknown = await read().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreFault);
    expect((error as Error).message).toBe(`version ${n} of ${name} is damaged: what is stored is not what was written`);
  }
  const span = first === last ? `version ${first}` : `versions ${first} to ${last}`;
  expect(faultsOf(dataDir)).toEqual([`history: ${span} of ${name} cannot be read: what is stored is not what was written`]);
  // The history is read without the texts, and the document stays writable.
  expect(await store.listPublicStateHistory(key, { before: null, itemsMax: 100 })).toMatchObject({ hasMore: false });
  expect(await store.writePublicState(key, version(versions), newState(textOf(0)))).toEqual({
    kind: 'written',
    version: 81,
  });
}
