import postgres from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Repeat, repeatsOfDocumentMax, userScope } from '../../contract/repeats.ts';
import type { Store } from '../../store.ts';
import { absent, ensureProject, hashOf, stateKey, version } from '../../store-suite/harness.ts';
import { createDatabase } from '../fixtures/databases.fixture.ts';
import { openPostgresStore } from '../store.ts';

const key = { ...stateKey(), playerId: 'ada' };
const repeatOf = (n: number): Repeat => ({
  scope: userScope(key, 2_000),
  key: hashOf(`key ${n}`),
  request: hashOf('r'),
});
let url: string;
let store: Store;
beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'));
  store = await openPostgresStore({ url });
});
afterAll(() => store.close());

test(`a document has ${repeatsOfDocumentMax} keys at most, and the oldest is dropped`, async () => {
  await ensureProject(store, key);
  const write = (n: number) =>
    store.writeUserState(key, n === 0 ? absent : version(n), {
      stateText: '{}',
      stateBytes: 2,
      writtenAt: n,
      repeat: repeatOf(n),
    });
  const knows = async (n: number) => (await store.findRepeat(key.accountId, repeatOf(n))) !== undefined;
  await write(0);
  await write(1);
  // As if the writes in between had no keys.
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await sql`UPDATE environments SET user_version_ceiling = ${2 * repeatsOfDocumentMax}`;
  await sql`UPDATE user_states SET version = ${repeatsOfDocumentMax}`;
  await sql.end();
  expect(await write(repeatsOfDocumentMax)).toEqual({ kind: 'written', version: repeatsOfDocumentMax + 1 });
  expect([await knows(0), await knows(1), await knows(repeatsOfDocumentMax)]).toEqual([false, true, true]);
});
