/** Writes of public state that are sent together: none is lost, none waits for another, and none creates what does not exist. */

import { crc32 } from 'node:zlib';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startUnhindered } from '../../../../../../../tooling/readings.ts';
import { unmarked } from '../../../contract/installation.ts';
import type { PublicState } from '../../../contract/public-states.ts';
import type { KeptVersion } from '../../../history/versions.ts';
import type { Store } from '../../../store.ts';
import { absent, newState, version } from '../../../store-suite/harness.ts';
import { anAccount, aProject, byOperator } from '../../../store-suite/records.fixture.ts';
import { databaseAddress } from '../../connection/address.ts';
import { type Database, openDatabase } from '../../connection/database.ts';
import { type LeasedDatabase, leaseDatabase } from '../../fixtures/leases.fixture.ts';
import { openPostgresStore } from '../../store.ts';
import { createGuardedWrites } from '../guarded-writes.ts';
import { wholeLayout } from '../layouts.ts';
import { createPublicStateWrites, type WritePublicState } from './public-state-writes.ts';

const accountId = 'acc_w';
const documents = 40;
const keyOf = (index: number, slug = `p-${index}`) => ({ accountId, slug, environment: 'staging' }) as const;
const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);

let leased: LeasedDatabase;
let store: Store;
let sql: Sql;
let opened: Database;
/** How many statements `write` has sent, including transactions. */
let statements: number;
let write: WritePublicState;
/** The versions that the next write of each document expects. */
let versions: number[];

beforeAll(async () => {
  leased = await leaseDatabase();
  store = await openPostgresStore({ url: leased.url });
  opened = openDatabase(databaseAddress(leased.url, 4));
  sql = postgres(leased.url, { max: 1, onnotice: () => {} });
  await store.createAccount(anAccount({ accountId, name: 'A', idpTenantId: accountId, createdAt: 0 }));
  for (const index of indexes(documents)) {
    await store.createProject(byOperator, aProject({ accountId, slug: keyOf(index).slug, name: 'P', createdAt: 0 }));
    await store.writePublicState(keyOf(index), absent, newState('0'));
  }
  versions = indexes(documents).map(() => 1);
});
afterAll(async () => {
  await sql.end();
  await opened.close();
  await store.close();
  await leased.release();
});
beforeEach(() => {
  statements = 0;
  write = openWrites();
});

function openWrites(): WritePublicState {
  const database: Database = {
    query: (text, values) => {
      statements += 1;
      return opened.query(text, values);
    },
    transaction: (isolation, work) => {
      statements += 1;
      return opened.transaction(isolation, work);
    },
    waiting: () => opened.waiting(),
    requireSupported: () => opened.requireSupported(),
    close: () => opened.close(),
  };
  const quotas = { apiRequests: 0, projects: 0, endUsers: 0, storageBytes: 0 };
  return createPublicStateWrites({
    database,
    quotas,
    writes: createGuardedWrites(database, quotas),
    marks: () => unmarked,
    layout: wholeLayout,
  });
}

/** Writes the next version of a document. */
async function writeNext(index: number, change: Partial<PublicState> = {}) {
  const outcome = await write(keyOf(index), version(versions[index] as number), { ...newState(`${index}`), ...change });
  if (outcome.kind === 'written') versions[index] = outcome.record.version;
  return outcome.kind;
}

/** Runs `work` while another session has run `statement` and not committed it yet. */
async function whileHeld(statement: string, work: () => Promise<void>, end: 'COMMIT' | 'ROLLBACK'): Promise<void> {
  await sql.unsafe(`BEGIN; ${statement}`);
  try {
    await work();
  } finally {
    await sql.unsafe(end);
  }
}

const rowOf = (index: number) => `account_id = '${accountId}' AND slug = '${keyOf(index).slug}' AND environment = 1`;

test('writes of one turn share a statement for 32 of them, and each has the outcome it has alone', async () => {
  const late = write(keyOf(3), version(9), newState('"late"'));
  const first = write({ ...keyOf(4), environment: 'development' }, absent, newState('"first"'));
  const second = write(keyOf(5), absent, newState('"second"'));
  const lost = write(keyOf(0, 'no-such-project'), absent, newState('"lost"'));
  const others = indexes(documents)
    .slice(6)
    .map((index) => writeNext(index));
  expect(await late).toEqual({ kind: 'conflict', currentVersion: 1 });
  expect(await first).toMatchObject({ kind: 'written', record: { version: 1 } });
  expect(await second).toEqual({ kind: 'conflict', currentVersion: 1 });
  expect(await lost).toEqual({ kind: 'no_project' });
  expect(new Set(await Promise.all(others))).toEqual(new Set(['written']));
  expect(statements).toBe(2);
});

test('documents written together are read as given, in every version', async () => {
  const texts = ['{"a":"\\u0000 \\ud800 \\" \\\\"}', '"é 漢 🎲 \\n {}[],:"', '123456789012345678901234567890', '""'];
  const comments = [null, '', 'a "comment" \ud800 \\u0000', '🎲'];
  const begun = [...versions];
  const outcomes = await Promise.all(
    texts.map((stateText, index) =>
      writeNext(index, { ...newState(stateText), comment: comments[index] as string | null }),
    ),
  );
  expect(outcomes).toEqual(texts.map(() => 'written'));
  expect(statements).toBe(1);
  for (const [index, stateText] of texts.entries()) {
    const written = (begun[index] as number) + 1;
    const record = { ...newState(stateText), version: written, comment: comments[index], writtenAt: undefined };
    const { writtenAt: _, author: __, ...expected } = record;
    expect(await store.readPublicState(keyOf(index))).toEqual({ kind: 'present', record: expected });
    expect(await store.readPublicStateVersion(keyOf(index), written)).toEqual({ kind: 'present', record: expected });
    const before = await store.readPublicStateVersion(keyOf(index), written - 1);
    expect(before).toMatchObject({ kind: 'present', record: { stateText: '0' } });
  }
});

test('a document that another node is writing delays only its own write', async () => {
  let delayed: Promise<string> | undefined;
  await whileHeld(
    `UPDATE environments SET kept_bytes = kept_bytes WHERE ${rowOf(7)}`,
    async () => {
      delayed = writeNext(7);
      expect(await Promise.all([writeNext(6), writeNext(8)])).toEqual(['written', 'written']);
    },
    'ROLLBACK',
  );
  expect(await delayed).toBe('written');
  expect(statements).toBe(2);
});

test("a write that comes second to another node's is a conflict with it", async () => {
  let late: Promise<unknown> | undefined;
  await whileHeld(
    `UPDATE environments SET version = version + 1 WHERE ${rowOf(9)}`,
    async () => {
      late = write(keyOf(9), version(versions[9] as number), newState('"late"'));
      expect(await writeNext(10)).toBe('written');
    },
    'COMMIT',
  );
  expect(await late).toEqual({ kind: 'conflict', currentVersion: (versions[9] as number) + 1 });
});

test('a project deleted during the write stays deleted', async () => {
  let lost: Promise<unknown> | undefined;
  await whileHeld(
    `DELETE FROM environments WHERE ${rowOf(11)}`,
    async () => {
      lost = write(keyOf(11), version(versions[11] as number), newState('"lost"'));
      expect(await writeNext(12)).toBe('written');
    },
    'COMMIT',
  );
  expect(await lost).toEqual({ kind: 'no_project' });
  expect(await opened.query(`SELECT 1 FROM environments WHERE ${rowOf(11)}`)).toEqual([]);
});

test('two nodes that write the same documents in opposite orders get one winner per version, and nobody waits long', async () => {
  const nodes = [write, openWrites()];
  const places = indexes(20).map((index) => index + 13);
  const wins = places.map(() => 0);
  const begun = places.map((index) => versions[index] as number);
  const elapsed = startUnhindered('self');
  for (let round = 0; round < 20; round++) {
    const outcomes = nodes.map((node, which) => {
      const order = which === 0 ? places : places.toReversed();
      return Promise.all(
        order.map(async (index) => {
          const outcome = await node(keyOf(index), version(versions[index] as number), newState(`${which}`));
          return outcome.kind === 'written' ? index : undefined;
        }),
      );
    });
    for (const index of (await Promise.all(outcomes)).flat())
      if (index !== undefined) wins[index - 13] = (wins[index - 13] as number) + 1;
    for (const index of places) versions[index] = (versions[index] as number) + 1;
  }
  expect(wins).toEqual(places.map(() => 20));
  // A deadlock would take a second each time until the database noticed it.
  expect(elapsed()).toBeLessThan(10_000);
  for (const [place, index] of places.entries()) {
    const outcome = await store.readPublicState(keyOf(index));
    expect(outcome).toMatchObject({ kind: 'present', record: { version: (begun[place] as number) + 20 } });
  }
});

test('edits of a text that the database does not have are stored as the whole text, alone or together', async () => {
  const texts = (change: string) => `{"text":"${change}${'.'.repeat(200)}"}`;
  const [one, other] = [keyOf(38), keyOf(39)];
  for (const key of [one, other]) await writeNext(key === one ? 38 : 39, newState(texts('a')));
  const readHere = async (key: typeof one) => {
    const outcome = await store.readPublicState(key);
    return outcome.kind === 'present' ? (outcome.record as KeptVersion) : undefined;
  };
  // As after a failover: the version has the same number, and another text.
  const known = [await readHere(one), await readHere(other)];
  await store.close();
  const lost = texts('b');
  for (const index of [38, 39]) {
    await sql`UPDATE public_state_versions SET state = ${lost}, depth = 0, checksum = ${crc32(lost) | 0}
      FROM environments WHERE environments.slug = ${keyOf(index).slug} AND environments.environment = 1
        AND environments.account_id = public_state_versions.account_id
        AND environments.project_id = public_state_versions.project_id
        AND environments.version = public_state_versions.version`;
  }
  const writeOn = (index: number, n: number) =>
    write(keyOf(index), version(versions[index] as number), newState(texts(`a${n}`)), known[index - 38]);
  expect((await Promise.all([writeOn(38, 1), writeOn(39, 2)])).map(({ kind }) => kind)).toEqual(['written', 'written']);
  store = await openPostgresStore({ url: leased.url });
  expect(await readHere(one)).toMatchObject({ stateText: texts('a1') });
  expect(await readHere(other)).toMatchObject({ stateText: texts('a2') });
  const rows =
    await sql`SELECT depth FROM public_state_versions JOIN environments USING (account_id, project_id, environment, version)
    WHERE slug IN (${one.slug}, ${other.slug}) AND environment = 1`;
  expect(rows.map(({ depth }) => depth)).toEqual([0, 0]);
});

test('the writes of an account are sent together far from its limit, and alone near it', async () => {
  const far = 256 * 1024 * 1024;
  await opened.query(`UPDATE environments SET kept_bytes = 0 WHERE account_id = $1`, [accountId]);
  await opened.query('UPDATE accounts SET storage_bytes_max = $2 WHERE account_id = $1', [accountId, far + 10]);
  const three = () => Promise.all([13, 14, 15].map((index) => writeNext(index, { stateText: '12', stateBytes: 2 })));
  expect(await three()).toEqual(['written', 'written', 'written']);
  expect(statements).toBe(1);
  statements = 0;
  expect(await three()).toEqual(['written', 'written', 'written']);
  expect(statements).toBeGreaterThan(3);
  await opened.query('UPDATE accounts SET storage_bytes_max = $2 WHERE account_id = $1', [accountId, 16]);
  expect((await three()).toSorted()).toEqual(['quota', 'written', 'written']);
});
