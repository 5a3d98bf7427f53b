import { createHash, randomBytes } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { unmarked } from '../contract/installation.ts';
import { publicScope, userScope } from '../contract/repeats.ts';
import { unobserved } from '../contract/store-observer.ts';
import { unlimited } from '../contract/usage.ts';
import { absent, ensureProject, newState, stateKey, version } from '../store-suite/harness.ts';
import { codeOf, familyOf, newUserState, nextOf, tokenOf, userKey } from '../store-suite/sign-in/sign-in-records.ts';
import { databaseAddress } from './connection/address.ts';
import { type Database, openDatabase } from './connection/database.ts';
import type { Row, Value } from './connection/query.ts';
import type { Dependencies } from './dependencies.ts';
import { createDatabase, newName, runSql } from './fixtures/databases.fixture.ts';
import { coordinatorUrl, createDistributedDatabase } from './fixtures/machines.fixture.ts';
import { watchAccess } from './management/access-changes.ts';
import { createSharedVerbs } from './shared-verbs.ts';
import { createRefreshFamilies } from './sign-in/refresh-families.ts';
import { RevokedTokenFeed } from './sign-in/revoked-tokens.ts';
import { createGuardedWrites } from './state/guarded-writes.ts';
import { distributedLayout, wholeLayout } from './state/layouts.ts';
import { createPublicStates } from './state/public/public-states.ts';
import { createRecordQueues } from './state/record-queues.ts';
import { createUserStates } from './state/user/user-states.ts';
import { judge } from './statements/judge.fixture.ts';
import { openPostgresStore } from './store.ts';

let url: string;
/** A database without the objects that a cluster adds. */
let schemaUrl: string | undefined;
let sql: Sql;
let database: Database;
let parts: Dependencies;
/** Whether the statements are those for a distributed database. They are asked of a cluster if the tests have one. */
let layout = wholeLayout;
/** The statements sent since the last look, with their values. */
let sent: (readonly [text: string, values?: readonly Value[] | undefined])[] = [];

beforeAll(async () => {
  url = await (coordinatorUrl === undefined
    ? createDatabase(inject('postgresUrl'))
    : createDistributedDatabase(coordinatorUrl, newName()));
  const store = await openPostgresStore({ url });
  for (const slug of ['whole', 'distributed']) await ensureProject(store, { ...stateKey(), slug });
  await store.close();
  if (coordinatorUrl !== undefined) {
    schemaUrl = await createDatabase(inject('postgresUrl'));
    await (await openPostgresStore({ url: schemaUrl })).close();
  }
  sql = postgres(url, { max: 1, onnotice: () => {} });
  const opened = openDatabase(databaseAddress(url, 2));
  database = {
    query: (text, values) => {
      sent.push([text, values]);
      return opened.query(text, values);
    },
    transaction: (isolation, work) => {
      sent.push(['BEGIN']);
      return opened.transaction(isolation, (query) =>
        work((text, values) => {
          sent.push([text, values]);
          return query(text, values);
        }),
      );
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
    layout: wholeLayout,
  };
});
afterAll(async () => {
  await parts.access.close();
  await database.close();
  await sql.end();
});

/** One statement for documents of any accounts, which asks only their machines. */
const ofSeveral = new Set(['current versions of public state', 'current versions of user state']);
/** What adds rows beside other changes: one statement of one machine, or several of a distributed database. */
const adding = new Set([
  'a first write of public state',
  'a write of public state',
  'a refused write of public state',
  'a write of public state that can be repeated',
  'a first write of user state',
  'a write of user state that keeps the one before',
  'a write of user state that can be repeated',
  'a first write of user state that can be repeated',
]);

/** The store calls of every hot route, for one project, in an order in which each finds what it needs. */
const hotVerbs: readonly (readonly [string, (slug: string) => Promise<unknown>])[] = [
  ['a first write of public state', (slug) => states().writePublicState(stateIn(slug), absent, newState('{"n":1}'))],
  ['a write of public state', (slug) => states().writePublicState(stateIn(slug), version(1), newState('{"n":2}'))],
  ['a refused write of public state', (slug) => states().writePublicState(stateIn(slug), version(1), newState('{"n":3}'))],
  [
    'a write of public state that can be repeated',
    (slug) =>
      states().writePublicState(
        stateIn(slug),
        version(2),
        newState('{}', null, { repeat: repeatOf(publicScope(stateIn(slug), 1)) }),
      ),
  ],
  ['a look for a repeated write', async (slug) => states().findRepeat('acc_1', repeatOf(publicScope(stateIn(slug), 1)))],
  ['a read of public state', async (slug) => states().readPublicState(stateIn(slug))],
  [
    'a page of versions',
    async (slug) => states().listPublicStateVersions(stateIn(slug), { before: null, charactersMax: 100 }),
  ],
  ['a page of history', async (slug) => states().listPublicStateHistory(stateIn(slug), { before: null, itemsMax: 50 })],
  ['current versions of public state', async (slug) => states().currentPublicVersions([stateIn(slug)])],
  ['a first write of user state', (slug) => userStates().writeUserState(userIn(slug), absent, newUserState('{"n":1}'))],
  ['a write of user state', (slug) => userStates().writeUserState(userIn(slug), version(1), newUserState('{"n":22}'))],
  [
    'a write of user state that keeps the one before',
    async (slug) => {
      const read = await userStates().readUserState(userIn(slug));
      sent = [];
      const before = read.kind === 'present' ? read.record : undefined;
      const retention = { versionsMax: 10, keptAfter: 0 };
      return userStates().writeUserState(userIn(slug), version(2), { ...newUserState('{"n":3}'), before, retention });
    },
  ],
  [
    'a write of user state that can be repeated',
    (slug) =>
      userStates().writeUserState(userIn(slug), version(3), {
        ...newUserState('{}'),
        repeat: repeatOf(userScope(userIn(slug), 1)),
      }),
  ],
  [
    'a first write of user state that can be repeated',
    (slug) => {
      const key = { ...userIn(slug), playerId: 'another' };
      return userStates().writeUserState(key, absent, { ...newUserState('{}'), repeat: repeatOf(userScope(key, 1)) });
    },
  ],
  ['a read of user state', async (slug) => userStates().readUserState(userIn(slug))],
  ['current versions of user state', async (slug) => userStates().currentUserVersions([userIn(slug)])],
  ['a page of user states', async (slug) => userStates().listUserStates(stateIn(slug), { after: null, itemsMax: 2 })],
  ['an authorization code', (slug) => signIns().addAuthorizationCode(hash(`c ${slug}`), codeOf('u', { slug }))],
  [
    'its redemption',
    (slug) =>
      signIns().redeemAuthorizationCode(
        hash(`c ${slug}`),
        familyOf(`f ${slug}`, codeOf('u', { slug })),
        hash(`s0 ${slug}`),
        1_000,
      ),
  ],
  [
    'a refresh',
    (slug) => {
      const token = { ...tokenOf(`f ${slug}`, ''), secretHash: hash(`s0 ${slug}`) };
      return signIns().consumeRefreshToken(token, nextOf(`s1 ${slug}`), 1_000, 0);
    },
  ],
];
const stateIn = (slug: string) => ({ ...stateKey(), slug });
const userIn = (slug: string) => ({ ...userKey(), slug });
const dependencies = () => ({ ...parts, layout });
const states = () => ({
  ...createPublicStates({ ...dependencies(), cacheCharactersMax: 1_000_000 }),
  ...createSharedVerbs(parts),
});
const repeatOf = (scope: string) => ({ scope, key: hash(`key ${scope}`), request: hash('request') });
const userStates = () => createUserStates(dependencies());
const signIns = () => {
  const shared = createSharedVerbs(parts);
  return { ...shared, ...createRefreshFamilies(parts, shared.revokeRefreshFamily) };
};
const hash = (name: string) => Uint8Array.from(createHash('sha256').update(name).digest());

describe.each([
  ['whole', false],
  ['distributed', true],
])('with %s statements', (slug, ofMany) => {
  beforeAll(() => {
    layout = ofMany ? distributedLayout : wholeLayout;
  });

  describe.each(hotVerbs)('%s', (name, verb) => {
    test('asks one machine, in as few statements as possible, and finds all its rows by an index', async () => {
      sent = [];
      const outcome = await verb(slug);
      expect(outcome).not.toMatchObject({ kind: 'no_project' });
      // A sign-in ends with one redemption, which checks in a transaction whether the player is blocked.
      const isTransaction = name === 'its redemption' || (ofMany && adding.has(name));
      if (isTransaction) expect(sent.shift()?.[0]).toBe('BEGIN');
      else expect(sent).toHaveLength(1);
      for (const [text, values] of sent) await judged(name, text, values);
    });
  });

  async function judged(name: string, statement: string, values: readonly Value[] = []): Promise<void> {
    const { reach, delays } = judge(statement);
    expect(['account', 'coordinator', ...(ofSeveral.has(name) ? ['all'] : [])]).toContain(reach);
    const isWhole = !ofMany && adding.has(name);
    if (!isWhole && !ofSeveral.has(name)) expect(delays).toEqual([]);
    if (coordinatorUrl === undefined) {
      const plan = await planOf(statement);
      expect(plan.join('\n')).toMatch(/Index|Insert/);
      expect(plan.filter((line) => /Seq Scan/.test(line))).toEqual([]);
    } else if (ofMany && reach === 'account') {
      const plan = await tasksOf(statement, values);
      expect(plan.filter((line) => /Task Count/.test(line))).toEqual([expect.stringMatching(/Task Count: 1$/)]);
      expect(plan.filter((line) => /Distributed Subplan|INSERT \.\.\. SELECT/.test(line))).toEqual([]);
    }
  }
});

const lines = (plan: readonly Row[]): string[] => plan.map((row) => String(row['QUERY PLAN']));

/** With tables this small every plan would be a scan. With scans forbidden, only a statement without a usable index still scans. */
async function planOf(statement: string): Promise<string[]> {
  return sql.begin(async (transaction) => {
    await transaction`SET LOCAL enable_seqscan = off`;
    return lines(await transaction.unsafe(`EXPLAIN (GENERIC_PLAN) ${statement}`));
  });
}

/** The plan of a cluster with its tasks. */
const tasksOf = async (statement: string, values: readonly Value[]): Promise<string[]> =>
  lines(await sql.unsafe(`EXPLAIN (COSTS OFF) ${statement}`, values as never[]));

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
    const [counts] = await runSql(schemaUrl ?? url, [
      `
      SELECT (SELECT count(*)::int FROM pg_sequences) AS sequences,
        (SELECT count(*)::int FROM pg_trigger) AS triggers,
        (SELECT count(*)::int FROM pg_constraint WHERE contype = 'f') AS foreign_keys,
        (SELECT count(*)::int FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace WHERE nspname = 'public') AS functions`,
    ]);
    expect(counts).toEqual({ sequences: 0, triggers: 0, foreign_keys: 0, functions: 0 });
  });
});
