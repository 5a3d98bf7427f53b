/** How SQLite finds players and the versions of their user states: along indexes, whatever their number. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { playerKeyKinds } from '../../contract/players.ts';
import { unlimited } from '../../contract/usage.ts';
import type { Row } from '../../rows/columns.ts';
import { runNow } from '../../sql/steps.ts';
import { stepsOf } from '../../sql/verb.ts';
import { type SharedVerbName, sharedVerb } from '../../sql/verbs.ts';
import { key, writeUpTo } from '../../store-suite/state/user-state-histories.fixture.ts';
import { databasePath } from '../directory/database.ts';
import { engineSql } from '../engine-sql.ts';
import { forSqlite } from '../steps.ts';
import { temporary } from '../temporary.fixture.ts';

const at = temporary();
const { accountId, slug } = key;
const retention = { versionsMax: 1_000, keptAfter: 0 };
const large =
  /\b(?:identities|player_words|project_players|user_states|user_state_versions|versions|whole|users|player_blocks|links)\b/;

/** The steps of the plans of all statements of a verb, as SQLite describes them. */
function plansOf(database: DatabaseSync, name: SharedVerbName, args: readonly unknown[]): string[] {
  const plans: string[] = [];
  runNow(stepsOf(sharedVerb(name), { quotas: unlimited, engine: engineSql }, args), ({ sql, values }): Row[] => {
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${forSqlite(sql)}`).all(...values);
    plans.push(...steps.map(({ detail }) => String(detail)));
    return database.prepare(forSqlite(sql)).all(...values);
  });
  return plans;
}

const searchFor = (prefix: string, isInProject = false) =>
  [{ accountId, slug }, { prefix, kinds: playerKeyKinds, isInProject, after: null, itemsMax: 50 }, 1] as const;

test.each<[string, SharedVerbName, readonly unknown[]]>([
  ['all players', 'listPlayers', searchFor('')],
  ['players by one character', 'listPlayers', searchFor('a')],
  ['players by three characters', 'listPlayers', searchFor('ada')],
  ['all players of the project', 'listPlayers', searchFor('', true)],
  ['players of the project by three characters', 'listPlayers', searchFor('ada', true)],
  ['one player', 'findPlayer', [{ accountId, slug }, key.playerId, 1]],
  ['a page of history', 'listUserStateHistory', [key, { before: null, itemsMax: 50, retention }]],
  ['a version of a user state', 'readUserStateVersion', [key, 20, retention]],
  ['versions of a user state', 'listUserStateVersions', [key, { before: null, charactersMax: 1_000, retention }]],
])('%s: no table is scanned, and nothing large is sorted', async (_, name, args) => {
  const dataDir = at.directory();
  const store = await at.open({ dataDir });
  await writeUpTo(store, 40);
  await store.close();
  const database = new DatabaseSync(databasePath(dataDir), { timeout: 30_000 });
  const plans = plansOf(database, name, args);
  database.close();
  expect(plans.some((step) => step.startsWith('SEARCH'))).toBe(true);
  expect(plans.filter((step) => step.startsWith('SCAN') && large.test(step))).toEqual([]);
});

/** Operations that compare a row of an index, or of a table that is one, with the end of a range. SQLite loads the whole row for it. */
const endChecks = ['IdxGE', 'IdxGT', 'IdxLE', 'IdxLT'];

test.each<[string, SharedVerbName, readonly unknown[]]>([
  ['a page of history', 'listUserStateHistory', [key, { before: 30, itemsMax: 50, retention }]],
  ['a slice of a deletion', 'shortenHistories', [{ accountId, slug, environment: null }, key.playerId]],
])('%s reads no user state to find the end of the history', async (_, name, args) => {
  const dataDir = at.directory();
  const store = await at.open({ dataDir });
  await writeUpTo(store, 40);
  await store.close();
  const database = new DatabaseSync(databasePath(dataDir), { timeout: 30_000 });
  const root = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'user_state_versions'").get()?.rootpage;
  const cursors: unknown[] = [];
  const found: unknown[] = [];
  runNow(stepsOf(sharedVerb(name), { quotas: unlimited, engine: engineSql }, args), ({ sql, values }): Row[] => {
    const program = database.prepare(`EXPLAIN ${forSqlite(sql)}`).all(...values);
    const opened = program.filter(({ opcode, p2 }) => opcode === 'OpenRead' && p2 === root).map(({ p1 }) => p1);
    cursors.push(...opened);
    found.push(...program.filter(({ opcode, p1 }) => endChecks.includes(String(opcode)) && opened.includes(p1)));
    return database.prepare(forSqlite(sql)).all(...values);
  });
  database.close();
  expect(cursors).not.toEqual([]);
  expect(found).toEqual([]);
});
