import { expect, test } from 'vitest';
import { migrations } from '../schema/migrations.ts';
import { placements } from '../schema/placements.ts';
import { judge } from './judge.fixture.ts';
import { recordedStatements } from './list.fixture.ts';

test('every table says where it is in a database of several machines, after the table that it is placed with', () => {
  const sql = migrations.map((migration) => migration.sql).join('\n');
  const tables = [...sql.matchAll(/CREATE (?:UNLOGGED )?TABLE (\w+) \(/g)].map(([, name = '']) => name);
  expect(Object.keys(placements).sort()).toEqual([...tables, 'migrations'].sort());
  const names = Object.keys(placements);
  const apart = names.filter((name, index) => {
    const placement = placements[name];
    return typeof placement === 'object' && placement.with !== null && names.indexOf(placement.with) >= index;
  });
  expect(apart).toEqual([]);
});

test('a database of several machines can run every statement of the service', () => {
  const statements = recordedStatements();
  expect(statements.length).toBeGreaterThan(400);
  const refused = statements.map((sql) => ({ sql, ...judge(sql) })).filter(({ refusals }) => refusals.length > 0);
  expect(refused).toEqual([]);
});

/** Statements as they once were, and others that Citus 13.2 refuses or runs on every machine. */
const judged: readonly (readonly [string, string, string | RegExp])[] = [
  [
    'a sum over the rows of accounts',
    'UPDATE accounts SET schema_bytes = (SELECT sum(state_bytes) FROM user_states WHERE account_id = $1) WHERE account_id = $1',
    /has copies/,
  ],
  [
    'a join of the coordinator with accounts',
    'SELECT 1 FROM api_requests JOIN user_usage USING (account_id) WHERE account_id = $1',
    /combines/,
  ],
  [
    'a lateral lookup of many accounts',
    `SELECT 1 FROM json_to_recordset($1::json) AS wanted (account_id text) JOIN LATERAL (
       SELECT 1 FROM environments WHERE environments.account_id = wanted.account_id LIMIT 1) AS found ON true`,
    /LATERAL/,
  ],
  [
    'a subquery that depends on a page of rows',
    `SELECT (SELECT max(version) FROM end_user_floors WHERE end_user_floors.account_id = page.account_id)
     FROM (SELECT * FROM environments ORDER BY slug LIMIT 9) AS page`,
    /rows that the coordinator has/,
  ],
  [
    'a subquery that depends on accounts',
    'SELECT 1 FROM accounts WHERE EXISTS (SELECT 1 FROM environments WHERE environments.account_id = accounts.account_id)',
    /rows that the coordinator has/,
  ],
  [
    'states beside a page of versions',
    `SELECT 1 FROM (SELECT * FROM user_state_versions ORDER BY version LIMIT 9) AS page
     LEFT JOIN user_states ON user_states.account_id = page.account_id`,
    /all rows of user_states/,
  ],
  ['a lock on every machine', 'SELECT 1 FROM user_states WHERE version = $1 FOR UPDATE', /locks/],
  [
    'an INSERT that returns more',
    `INSERT INTO user_usage (account_id, bytes) VALUES ($1, 1) RETURNING (SELECT name FROM accounts WHERE account_id = $1)`,
    /RETURNING/,
  ],
  [
    'an INSERT of values with a subquery',
    'INSERT INTO service_accounts (name, maker_hash) VALUES ($1, (SELECT developer_hash FROM members WHERE account_id = $2))',
    /VALUES/,
  ],
  [
    'a change of a table that Citus does not know, beside copies',
    'DELETE FROM migrations WHERE number IN (SELECT projects FROM accounts)',
    /does not know/,
  ],
  [
    'a row of the coordinator',
    'SELECT 1 FROM api_keys JOIN accounts USING (account_id) WHERE key_hash = $1',
    'coordinator',
  ],
  ['rows of one account', 'SELECT 1 FROM user_states JOIN projects USING (account_id) WHERE account_id = $1', 'account'],
  ['a row for one account', 'INSERT INTO user_usage (part, account_id) SELECT 1, $2 FROM projects', 'account'],
  [
    'rows of two accounts',
    'SELECT 1 FROM user_states, end_users WHERE user_states.account_id = $1 AND end_users.account_id = $2',
    'all',
  ],
  [
    'a page of rows that depend on each other',
    `SELECT 1 FROM (SELECT *, (SELECT max(version) FROM end_user_floors AS floors WHERE floors.account_id = environments.account_id)
     FROM environments) AS rows ORDER BY slug LIMIT 9`,
    'all',
  ],
  [
    'totals of each account',
    `SELECT 1 FROM projects LEFT JOIN (SELECT account_id, sum(bytes) FROM user_usage GROUP BY account_id) AS counted USING (account_id)`,
    'all',
  ],
  ['rows of any account', 'DELETE FROM write_repeats WHERE written_at < $1', 'all'],
];

test.each(judged)('%s is judged', (_, sql, expected) => {
  const { reach, refusals } = judge(sql);
  if (typeof expected === 'string') expect({ reach, refusals }).toEqual({ reach: expected, refusals: [] });
  else expect(refusals.join()).toMatch(expected);
});

test.each([
  ['SELECT 1 FROM accounts WHERE account_id = $1 FOR UPDATE', ['it locks every copy of accounts']],
  ['UPDATE projects SET name = $2 WHERE account_id = $1', ['it changes every copy of projects']],
  [
    'WITH added AS (INSERT INTO user_usage (account_id, bytes) VALUES ($1, 1) RETURNING 1) SELECT 1 FROM user_states, added WHERE account_id = $1',
    ['it adds rows beside something else'],
  ],
  ['SELECT 1 FROM user_states WHERE version = $1', ['it asks every machine']],
  ['INSERT INTO user_usage (account_id, bytes) VALUES ($1, 1)', []],
  ['SELECT 1 FROM user_states JOIN accounts USING (account_id) WHERE account_id = $1', []],
])('the delays of %s are known', (sql, delays) => {
  expect(judge(sql).delays).toEqual(delays);
});
