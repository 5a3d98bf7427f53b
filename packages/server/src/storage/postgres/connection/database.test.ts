import postgres, { type Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { faultLines, unfitDatabase } from '../../../cli/fault.ts';
import { StoreFault, StoreUnavailable } from '../../store.ts';
import { createDatabase } from '../fixtures/databases.fixture.ts';
import { databaseAddress } from './address.ts';
import { type Database, openDatabase } from './database.ts';

let url: string;
let sql: Sql;
let database: Database | undefined;

beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'));
  sql = postgres(url, { max: 2, onnotice: () => {} });
  await sql`CREATE TABLE counters (id int PRIMARY KEY, n bigint NOT NULL)`;
  await sql`INSERT INTO counters VALUES (1, 0), (2, 0)`;
});
afterEach(() => database?.close());
afterAll(() => sql.end());

const open = (connectionsMax = 4): Database => {
  database = openDatabase(databaseAddress(url, connectionsMax));
  return database;
};
/** Runs `work` while another transaction has locked the first counter. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  const holder = await sql.reserve();
  try {
    await holder`BEGIN`;
    await holder`UPDATE counters SET n = n WHERE id = 1`;
    await work();
  } finally {
    await holder`ROLLBACK`;
    holder.release();
  }
}
const fault = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: Error) => error);

test('values come back unchanged', async () => {
  const [row] = await open().query(
    "SELECT 9007199254740991::bigint AS n, '\\x00ff'::bytea AS b, true AS t, NULL AS nothing, $1::bytea AS p, $2::bigint AS q",
    [new Uint8Array([1, 2]), 9_007_199_254_740_991],
  );
  expect(row).toEqual({
    n: 9_007_199_254_740_991,
    b: Uint8Array.of(0, 255),
    t: true,
    nothing: null,
    p: Uint8Array.of(1, 2),
    q: 9_007_199_254_740_991,
  });
});

test('a statement that the database cannot run is a fault, for which it counts as unfit for a minute', async () => {
  const opened = open();
  expect(() => opened.requireSupported()).not.toThrow();
  const error = await fault(opened.query('SELECT n FROM counters GROUP BY n FOR UPDATE'));
  expect(error).toBeInstanceOf(StoreFault);
  expect(faultLines(error)).toEqual([expect.stringContaining('0A000'), unfitDatabase]);
  expect(() => opened.requireSupported()).toThrow(error);
  const other = await fault(opened.query('SELECT 1 / (n - n) FROM counters'));
  expect(other).toBeInstanceOf(StoreFault);
  expect(faultLines(other)).toHaveLength(1);
  expect(() => opened.requireSupported()).toThrow(error);
});

test('a statement that waits for a lock is abandoned within five seconds, and the connection continues', async () => {
  const { query } = open(1);
  await whileLocked(async () => {
    expect(await fault(query('UPDATE counters SET n = n + 1 WHERE id = 1'))).toBeInstanceOf(StoreUnavailable);
  });
  expect(await query('SELECT n FROM counters WHERE id = 1')).toEqual([{ n: 0 }]);
  expect(await query('SHOW statement_timeout')).toEqual([{ statement_timeout: '2s' }]);
  // So does a node that stopped in a transaction lose its locks, before others give up.
  const idle = await query('SHOW idle_in_transaction_session_timeout');
  expect(idle).toEqual([{ idle_in_transaction_session_timeout: '1s' }]);
});

test('transactions whose connections end are over, and the process lives', async () => {
  for (let round = 0; round < 5; round++) {
    const opened = open();
    const ended = Array.from({ length: 4 }, () =>
      opened.transaction('read committed', async (query) => {
        const [row] = await query('SELECT pg_backend_pid() AS pid');
        await sql`SELECT pg_terminate_backend(${Number(row?.pid)})`;
        for (;;) await query('SELECT 1 AS one');
      }),
    );
    for (const error of await Promise.all(ended.map(fault))) expect(error).toBeInstanceOf(StoreUnavailable);
    await opened.close();
  }
});

test('statements queued behind it are abandoned in time too, and never sent', async () => {
  const { query } = open(1);
  await whileLocked(async () => {
    const faults = await Promise.all(
      Array.from({ length: 50 }, () => fault(query('UPDATE counters SET n = n + 1 WHERE id = 1'))),
    );
    expect(faults.every((error) => error instanceof StoreUnavailable)).toBe(true);
  });
  await expect.poll(() => query('SELECT 1 AS one').catch(() => [])).toEqual([{ one: 1 }]);
  const [row] = await query('SELECT n FROM counters WHERE id = 1');
  expect(row?.n).toBeLessThanOrEqual(9); // those already sent may still be carried out
});

test('of transactions with the same turn one is sent at a time, and those that are given up leave their turn', async () => {
  const { transaction } = bound(open());
  await sql`UPDATE counters SET n = 0`;
  const add = () => transaction('read committed', (query) => query('UPDATE counters SET n = n + 1 WHERE id = 1'), 'a turn');
  await whileLocked(async () => {
    const adding = Array.from({ length: 3 }, () => fault(add()));
    // Other tests have databases of the same server.
    const waiting = async () => {
      const [row] = await sql`
        SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return row?.n;
    };
    await expect.poll(waiting).toBeGreaterThan(0);
    // Others have connections meanwhile.
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => transaction('read committed', (query) => query('SELECT 1'), `turn ${n}`)),
    );
    expect(await waiting()).toBeLessThanOrEqual(1);
    for (const error of await Promise.all(adding)) expect(error).toBeInstanceOf(StoreUnavailable);
  });
  await Promise.all([add(), add(), add()]);
  const [row] = await sql`SELECT n::int FROM counters WHERE id = 1`;
  // One that was sent may still be carried out.
  expect([3, 4]).toContain(row?.n);
});

test('a statement that the database rolls back for others is retried until it succeeds', async () => {
  const { transaction } = bound(open(8));
  await Promise.all(
    Array.from({ length: 16 }, () =>
      transaction('serializable', async (query) => {
        const [row] = await query('SELECT n FROM counters WHERE id = 2');
        await query('UPDATE counters SET n = $1 WHERE id = 2', [(row?.n as number) + 1]);
      }),
    ),
  );
  expect(await sql`SELECT n::int FROM counters WHERE id = 2`).toEqual([{ n: 16 }]);
});

test('two transactions that wait for each other both succeed', async () => {
  const { transaction } = bound(open());
  await sql`UPDATE counters SET n = 0`;
  const swap = (first: number, second: number) =>
    transaction('read committed', async (query) => {
      await query('UPDATE counters SET n = n + 1 WHERE id = $1', [first]);
      await query('SELECT pg_sleep(0.2)');
      await query('UPDATE counters SET n = n + 1 WHERE id = $1', [second]);
    });
  await Promise.all([swap(1, 2), swap(2, 1)]);
  expect(await sql`SELECT n::int FROM counters ORDER BY id`).toEqual([{ n: 2 }, { n: 2 }]);
});

test('a transaction that fails halfway leaves nothing', async () => {
  const { transaction } = bound(open());
  const before = await sql`SELECT n FROM counters ORDER BY id`;
  const error = await fault(
    transaction('serializable', async (query) => {
      await query('UPDATE counters SET n = n + 1');
      await query('INSERT INTO counters VALUES (1, 1)');
    }),
  );
  expect(error).toBeInstanceOf(StoreFault);
  expect(await sql`SELECT n FROM counters ORDER BY id`).toEqual(before);
});

test('a mistake in the program is not an outage', async () => {
  const { transaction } = bound(open());
  const error = await fault(transaction('serializable', async () => Promise.reject(new TypeError('a mistake'))));
  expect(error).toBeInstanceOf(TypeError);
});

test.each([
  ['a violated constraint', 'INSERT INTO counters VALUES (1, 1)', []],
  ['a value that does not fit', 'SELECT $1::text::bigint', ['x']],
  ['a statement that does not fit the schema', 'SELECT no_such_column FROM counters', []],
  ['a value that the driver rejects', 'SELECT $1::text', [undefined as unknown as string]],
] as const)('%s is not an outage, and the connection continues', async (_name, statement, values) => {
  const { query } = open(1);
  expect(await fault(query(statement, values))).toBeInstanceOf(StoreFault);
  expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('faults explain the cause to an operator, without any value of a statement', async () => {
  const { query } = open();
  for (const [statement, reason] of [
    ['INSERT INTO counters VALUES (1, 424242)', '23505'],
    ["SELECT $1::text::bigint, '424242'", '22P02'],
  ] as const) {
    const error = await fault(query(statement, statement.includes('$1') ? ['secret-424242'] : []));
    const { cause } = error as Error;
    expect(String(cause)).toContain(reason);
    expect(JSON.stringify([error, String(error), String(cause), cause])).not.toContain('424242');
  }
});

test('a closed database sends nothing', async () => {
  const closed = open();
  await closed.close();
  expect(await fault(closed.query('SELECT 1'))).toBeInstanceOf(StoreUnavailable);
});

test.each([
  ['postgres://a@h/d', ['postgres://a@h/d'], false],
  ['postgres://a@h/d?pgbouncer=true', ['postgres://a@h/d'], true],
  ['postgres://a@h/d?sslmode=require&pgbouncer=true', ['postgres://a@h/d?sslmode=require'], true],
  ['postgres://a@h/d?pgbouncer=false&sslmode=require', ['postgres://a@h/d?sslmode=require'], false],
  ['postgres://a:p%2C@h:1,i:2/d?x=1', ['postgres://a:p%2C@h:1/d?x=1', 'postgres://a:p%2C@i:2/d?x=1'], false],
  ['postgresql://h,i', ['postgresql://h', 'postgresql://i'], false],
  ['postgres://h,i/d?target_session_attrs=read-write', ['postgres://h/d', 'postgres://i/d'], false],
])('%s sets the connection to the database', (configured, urls, isPooled) => {
  expect(databaseAddress(configured, 3)).toEqual({ urls, connectionsMax: 3, isPooled, connectMilliseconds: 2_000 });
});

/** The bound methods of a database. */
const bound = (of: Database) => ({ transaction: of.transaction.bind(of) });
