import { randomBytes } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { unmarked } from '../contract/installation.ts';
import { publicScope, userScope } from '../contract/repeats.ts';
import { unobserved } from '../contract/store-observer.ts';
import { unlimited } from '../contract/usage.ts';
import { absent, ensureProject, newState, stateKey, version } from '../store-contract/harness.ts';
import { codeOf, familyOf, newUserState, nextOf, tokenOf, userKey } from '../store-contract/sign-in/sign-in-records.ts';
import { databaseAddress } from './connection/address.ts';
import { type Database, openDatabase } from './connection/database.ts';
import type { Dependencies } from './dependencies.ts';
import { createDatabase } from './fixtures/databases.fixture.ts';
import { watchAccess } from './management/access-changes.ts';
import { RevokedTokenFeed } from './management/revoked-tokens.ts';
import { createSharedVerbs } from './shared-verbs.ts';
import { createRefreshFamilies } from './sign-in/refresh-families.ts';
import { createGuardedWrites } from './state/guarded-writes.ts';
import { createPublicStates } from './state/public-states.ts';
import { createRecordQueues } from './state/record-queues.ts';
import { createUserStates } from './state/user-states.ts';
import { judge } from './statements/judge.fixture.ts';
import { openPostgresStore } from './store.ts';

let url: string;
let sql: Sql;
let database: Database;
let parts: Dependencies;
/** The statements sent since the last look. */
let sent: string[] = [];

beforeAll(async () => {
  url = await createDatabase(inject('postgresUrl'));
  const store = await openPostgresStore({ url });
  await ensureProject(store, stateKey());
  await store.close();
  sql = postgres(url, { max: 1, onnotice: () => {} });
  const opened = openDatabase(databaseAddress(url, 2));
  database = {
    query: (text, values) => {
      sent.push(text);
      return opened.query(text, values);
    },
    transaction: (isolation, work) => {
      sent.push('BEGIN');
      return opened.transaction(isolation, work);
    },
    waiting: () => opened.waiting(),
    requireSupported: () => opened.requireSupported(),
    close: () => opened.close(),
  };
  const ended = new RevokedTokenFeed(opened.query);
  parts = {
    database,
    access: await watchAccess(opened, unobserved, ended),
    ended,
    quotas: unlimited,
    queues: createRecordQueues(),
    writes: createGuardedWrites(database, unlimited),
    background: unobserved,
    bucketSecret: randomBytes(32),
    marks: () => unmarked,
  };
});
afterAll(async () => {
  await parts.access.close();
  await database.close();
  await sql.end();
});

/** One statement for documents of any accounts, which asks only their machines. */
const ofSeveral = new Set(['current versions of public state', 'current versions of user state']);

/** The store calls of every hot route, in an order in which each finds what it needs. */
const hotVerbs: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a first write of public state', () => states().writePublicState(stateKey(), absent, newState('{"n":1}'))],
  ['a write of public state', () => states().writePublicState(stateKey(), version(1), newState('{"n":2}'))],
  ['a refused write of public state', () => states().writePublicState(stateKey(), version(1), newState('{"n":3}'))],
  [
    'a write of public state that can be repeated',
    () =>
      states().writePublicState(
        stateKey(),
        version(2),
        newState('{}', null, { repeat: repeatOf(publicScope(stateKey(), 1)) }),
      ),
  ],
  ['a look for a repeated write', async () => states().findRepeat('acc_1', repeatOf(publicScope(stateKey(), 1)))],
  ['a read of public state', async () => states().readPublicState(stateKey())],
  ['a page of versions', async () => states().listPublicStateVersions(stateKey(), { before: null, charactersMax: 100 })],
  ['a page of history', async () => states().listPublicStateHistory(stateKey(), { before: null, itemsMax: 50 })],
  ['current versions of public state', async () => states().currentPublicVersions([stateKey()])],
  ['a first write of user state', () => userStates().writeUserState(userKey(), absent, newUserState('{"n":1}'))],
  ['a write of user state', () => userStates().writeUserState(userKey(), version(1), newUserState('{"n":22}'))],
  [
    'a write of user state that can be repeated',
    () =>
      userStates().writeUserState(userKey(), version(2), {
        ...newUserState('{}'),
        repeat: repeatOf(userScope(userKey(), 1)),
      }),
  ],
  [
    'a first write of user state that can be repeated',
    () => {
      const key = { ...userKey(), playerId: 'another' };
      return userStates().writeUserState(key, absent, { ...newUserState('{}'), repeat: repeatOf(userScope(key, 1)) });
    },
  ],
  ['a read of user state', async () => userStates().readUserState(userKey())],
  ['current versions of user state', async () => userStates().currentUserVersions([userKey()])],
  ['a page of user states', async () => userStates().listUserStates(stateKey(), { after: null, itemsMax: 2 })],
  ['an authorization code', () => signIns().addAuthorizationCode(hash('c'), codeOf('u'))],
  ['its redemption', () => signIns().redeemAuthorizationCode(hash('c'), familyOf('f', codeOf('u')), hash('s0'), 1_000)],
  [
    'a refresh',
    () => signIns().consumeRefreshToken({ ...tokenOf('f', 's0'), secretHash: hash('s0') }, nextOf('s1'), 1_000, 0),
  ],
];
const states = () => ({ ...createPublicStates({ ...parts, cacheCharactersMax: 1_000_000 }), ...createSharedVerbs(parts) });
const repeatOf = (scope: string) => ({ scope, key: hash('key'), request: hash('request') });
const userStates = () => createUserStates(parts);
const signIns = () => {
  const shared = createSharedVerbs(parts);
  return { ...shared, ...createRefreshFamilies(parts, shared.revokeRefreshFamily) };
};
const hash = (name: string) => Uint8Array.from(Buffer.from(name.padEnd(32, '.')));

describe.each(hotVerbs)('%s', (name, verb) => {
  test('is one statement, asks one machine, and finds all its rows by an index', async () => {
    sent = [];
    const outcome = await verb();
    expect(outcome).not.toMatchObject({ kind: 'no_project' });
    // A sign-in ends with one redemption, which checks in a transaction whether the player is blocked.
    const isTransaction = name === 'its redemption';
    if (isTransaction) expect(sent.shift()).toBe('BEGIN');
    else expect(sent).toHaveLength(1);
    for (const statement of sent) {
      expect(['account', 'coordinator', ...(ofSeveral.has(name) ? ['all'] : [])]).toContain(judge(statement).reach);
      // With tables this small every plan would be a scan. With scans forbidden, only a statement without a usable index still scans.
      const plan = await sql.begin(async (transaction) => {
        await transaction`SET LOCAL enable_seqscan = off`;
        return transaction.unsafe(`EXPLAIN (GENERIC_PLAN) ${statement}`);
      });
      const lines = plan.map((row) => String(row['QUERY PLAN']));
      expect(lines.join('\n')).toMatch(/Index/);
      expect(lines.filter((line) => /Seq Scan/.test(line))).toEqual([]);
    }
  });
});

describe('the schema', () => {
  test('has primary keys that start with the account or are random', async () => {
    const keys = await sql`
      SELECT tables.relname AS table_name, attname AS column_name, atttypid::regtype::text AS type
      FROM pg_index JOIN pg_class AS tables ON tables.oid = indrelid
      JOIN pg_attribute ON pg_attribute.attrelid = indrelid AND attnum = indkey[0]
      JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE indisprimary AND nspname = 'public'`;
    expect(keys.length).toBeGreaterThan(25);
    // Thumbprints of keys, and random ids of families.
    const randomTexts = ['key_id', 'family_id'];
    // Tables of an installation with a handful of rows.
    const few = ['migrations', 'installation', 'incoming_copy', 'marks', 'clock_mark'];
    const others = keys.filter(
      ({ table_name, column_name, type }) =>
        !['account_id', 'directory_id', ...randomTexts].includes(column_name) &&
        !['bytea', 'uuid'].includes(type) &&
        !few.includes(table_name),
    );
    expect(others).toEqual([]);
  });

  test('has no sequences, triggers, foreign keys or functions', async () => {
    const [counts] = await sql`
      SELECT (SELECT count(*)::int FROM pg_sequences) AS sequences,
        (SELECT count(*)::int FROM pg_trigger) AS triggers,
        (SELECT count(*)::int FROM pg_constraint WHERE contype = 'f') AS foreign_keys,
        (SELECT count(*)::int FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace WHERE nspname = 'public') AS functions`;
    expect(counts).toEqual({ sequences: 0, triggers: 0, foreign_keys: 0, functions: 0 });
  });
});
