/** How damage in the database file affects the versions of a document. */
import { expect, test } from 'vitest';
import { StoreFault } from '../../store.ts';
import { absent, createPlace, newState, stateKey, version } from '../../store-contract/harness.ts';
import { faultsOf, runSql } from '../inspect/inspect.fixture.ts';
import { temporary } from '../temporary.fixture.ts';

const at = temporary();
const key = stateKey();
const name = `${key.accountId}/${key.slug}/${key.environment}`;
const textOf = (n: number) => `{"n":${n},"rest":"${'.'.repeat(500)}"}`;
const versions = 80;

/** A folder with a document of three runs: 1 to 32, 33 to 64, and the rest. */
async function written(): Promise<string> {
  const dataDir = at.directory();
  const store = await at.open({ dataDir });
  await createPlace(store, key);
  for (let n = 0; n < versions; n++) {
    await store.writePublicState(key, n === 0 ? absent : version(n), newState(textOf(n + 1)));
  }
  await store.close();
  return dataDir;
}

test.each([
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
])(
  'a version where %s costs at most the rest of its run, and every other version is readable',
  async (_, sql, first, last) => {
    const dataDir = await written();
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
    expect(faultsOf(dataDir)).toEqual([
      `history: ${span} of ${name} cannot be read: what is stored is not what was written`,
    ]);
    // The history is read without the texts, and the document stays writable.
    expect(await store.listPublicStateHistory(key, { before: null, itemsMax: 100 })).toMatchObject({ hasMore: false });
    expect(await store.writePublicState(key, version(versions), newState(textOf(0)))).toEqual({
      kind: 'written',
      version: 81,
    });
  },
);

test('a damaged current version is an error, and a PUT replaces it', async () => {
  const dataDir = await written();
  runSql(dataDir, `UPDATE public_state_versions SET state = '' WHERE version = ${versions}`);
  const store = await at.open({ dataDir });
  expect(() => store.readPublicState(key)).toThrow(`version ${versions} of ${name} is damaged`);
  await store.writePublicState(key, version(versions), newState(textOf(0)));
  expect(await store.readPublicState(key)).toMatchObject({ record: { version: versions + 1, stateText: textOf(0) } });
});
