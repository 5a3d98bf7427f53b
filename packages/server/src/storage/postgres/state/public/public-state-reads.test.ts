/** Reads of public state that are sent together, and what is cached between them. */
import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PublicStateKey } from '../../../contract/public-states.ts';
import { encodeVersion, KeptVersion } from '../../../history/versions.ts';
import type { Store } from '../../../store.ts';
import { absent, newState, version } from '../../../store-suite/harness.ts';
import { anAccount, aProject, byOperator } from '../../../store-suite/records.fixture.ts';
import { databaseAddress } from '../../connection/address.ts';
import { type Database, openDatabase } from '../../connection/database.ts';
import type { Row } from '../../connection/query.ts';
import { type LeasedDatabase, leaseDatabase } from '../../fixtures/leases.fixture.ts';
import { damagedTexts } from '../../inspect/history.ts';
import { openPostgresStore } from '../../store.ts';
import { createPublicStateReads, type PublicStateReads } from './public-state-reads.ts';

const documents = 40;
const slugOf = (index: number) => `p-${index}`;
const keyOf = (accountId: string, index: number): PublicStateKey => ({
  accountId,
  slug: slugOf(index),
  environment: 'production',
});

let leased: LeasedDatabase;
/** Another node, which writes. */
let store: Store;
let opened: Database;
let database: Pick<Database, 'query'>;
/** The answers to the statements of `reads`, in order of arrival. */
let answers: (readonly Row[])[];
let reads: PublicStateReads;

beforeAll(async () => {
  leased = await leaseDatabase();
  store = await openPostgresStore({ url: leased.url });
  opened = openDatabase(databaseAddress(leased.url, 4));
  database = {
    query: async (text, values) => {
      const rows = await opened.query(text, values);
      answers.push(rows);
      return rows;
    },
  };
  for (const accountId of ['acc_a', 'acc_b']) {
    await store.createAccount(anAccount({ accountId, name: 'A', idpTenantId: accountId, createdAt: 0 }));
    for (let i = 0; i < documents; i++) {
      await store.createProject(byOperator, aProject({ accountId, slug: slugOf(i), name: 'P', createdAt: 0 }));
      if (i > 0) await store.writePublicState(keyOf(accountId, i), absent, newState(`{"of":"${accountId}","n":${i}}`));
    }
  }
});
afterAll(async () => {
  await opened.close();
  await store.close();
  await leased.release();
});
beforeEach(() => {
  answers = [];
  reads = createPublicStateReads(database, 1_000_000);
});

const readAll = (keys: readonly PublicStateKey[]) => Promise.all(keys.map((key) => reads.read(key)));
const textsOf = (outcomes: Awaited<ReturnType<typeof readAll>>) =>
  outcomes.map((outcome) => (outcome.kind === 'present' ? outcome.record.stateText : outcome.kind));
/** Documents sent by the database. */
const fetched = () => answers.flat().filter(({ state }) => state !== null).length;

test('each of many reads in one turn gets its own document, with a statement for each account and 32 documents', async () => {
  const keys = ['acc_a', 'acc_b', 'acc_none'].flatMap((accountId) =>
    Array.from({ length: documents + 1 }, (_, index) => keyOf(accountId, index)),
  );
  const expected = ['acc_a', 'acc_b'].flatMap((accountId) => [
    'absent',
    ...Array.from({ length: documents - 1 }, (_, i) => `{"of":"${accountId}","n":${i + 1}}`),
    'no_project',
  ]);
  expect(textsOf(await readAll(keys))).toEqual([...expected, ...Array.from({ length: documents + 1 }, () => 'no_project')]);
  expect(answers).toHaveLength(6);
});

test('known documents are sent again only after a change', async () => {
  const keys = [1, 2, 3, 4].map((index) => keyOf('acc_a', index));
  const first = await readAll(keys);
  expect(fetched()).toBe(4);
  await store.writePublicState(keys[1] as PublicStateKey, version(1), newState('"changed"'));
  const second = await readAll(keys);
  expect(textsOf(second)).toEqual(textsOf(first).with(1, '"changed"'));
  expect(fetched()).toBe(5);
  expect(textsOf([await reads.read(keys[1] as PublicStateKey)])).toEqual(['"changed"']);
  expect(fetched()).toBe(5);
});

test('a project that was created again is another one, even if its version numbers match', async () => {
  const key = keyOf('acc_b', 5);
  const other = keyOf('acc_b', 6);
  await readAll([key, other]);
  await database.query('UPDATE environments SET project_id = $3 WHERE account_id = $1 AND slug = $2', [
    key.accountId,
    key.slug,
    randomUUID(),
  ]);
  await database.query(
    `INSERT INTO public_state_versions (account_id, project_id, environment, version, written_at, state_bytes, depth,
       checksum, state)
     SELECT account_id, project_id, environment, version, 0, 5, 0, $3::integer, '"new"' FROM environments
     WHERE account_id = $1 AND slug = $2 AND is_present`,
    [key.accountId, key.slug, crc32('"new"') | 0],
  );
  expect(textsOf(await readAll([key, other]))).toEqual(['"new"', '{"of":"acc_b","n":6}']);
  expect(textsOf([await reads.read(key)])).toEqual(['"new"']);
});

test('a version written by this node is known to it', async () => {
  const [known, other] = [keyOf('acc_a', 7), keyOf('acc_a', 8)];
  for (const key of [known, other]) {
    await store.writePublicState(key, version(1), newState('"written"'));
    const [row] = await database.query(
      'SELECT project_id FROM environments WHERE account_id = $1 AND slug = $2 AND is_present',
      [key.accountId, key.slug],
    );
    const state = newState('"written"');
    if (key === known)
      reads.keep(key, row?.project_id as string, new KeptVersion(2, state, encodeVersion(state, undefined, 0)));
  }
  answers = [];
  expect(textsOf(await readAll([known, other]))).toEqual(['"written"', '"written"']);
  expect(fetched()).toBe(1);
});

test('a changed document is sent as edits, and none of its cached text is trusted', async () => {
  const key = keyOf('acc_a', 9);
  const text = (mark: string) => `{"mark":"${mark}","rest":"${'.'.repeat(500)}"}`;
  await store.writePublicState(key, version(1), newState(text('a')));
  expect(textsOf([await reads.read(key)])).toEqual([text('a')]);
  answers = [];
  for (const [index, mark] of ['b', 'c', 'd'].entries()) {
    await store.writePublicState(key, version(2 + index), newState(text(mark)));
  }
  expect(textsOf([await reads.read(key)])).toEqual([text('d')]);
  expect(answers.flat().map(({ version: read, depth }) => [read, depth])).toEqual([
    [5, 3],
    [4, 2],
    [3, 1], // newest first, back to the cached one
  ]);
  // As after a failover: the cached version has the same number and another text.
  await store.writePublicState(key, version(5), newState(text('e')));
  const other = text('x');
  reads.keep(
    key,
    answers.at(-1)?.[0]?.project_id as string,
    new KeptVersion(5, newState(other), encodeVersion(newState(other), undefined, 0)),
  );
  expect(textsOf([await reads.read(key)])).toEqual([text('e')]);
});

test('a damaged version is an error that names it, and other runs are readable', async () => {
  const key = keyOf('acc_b', 9);
  for (let n = 1; n <= 40; n++) {
    await store.writePublicState(key, version(n), newState(`{"n":${n},"rest":"${'.'.repeat(500)}"}`));
  }
  await database.query(
    `UPDATE public_state_versions AS versions SET state = replace(state, ':', ';') FROM environments
     WHERE environments.account_id = 'acc_b' AND slug = $1 AND environments.project_id = versions.project_id
       AND environments.account_id = versions.account_id AND versions.version = 20`,
    [key.slug],
  );
  const reader = await openPostgresStore({ url: leased.url });
  try {
    for (const damaged of [20, 21, 33]) {
      await expect(reader.readPublicStateVersion(key, damaged)).rejects.toThrow(
        `version ${damaged} of acc_b/p-9/production is damaged: what is stored is not what was written`,
      );
    }
    for (const sound of [1, 2, 19, 34, 41]) {
      expect(await reader.readPublicStateVersion(key, sound)).toMatchObject({ record: { version: sound } });
    }
  } finally {
    await reader.close();
  }
  expect(await damagedTexts(database.query)).toEqual([
    'versions 20 to 33 of acc_b/p-9/production cannot be read: what is stored is not what was written',
  ]);
});
