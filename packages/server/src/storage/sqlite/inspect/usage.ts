import type { DatabaseSync } from 'node:sqlite';
import { storedGuestId } from '../../contract/guests.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import { keepsUserStateVersions, miscountedUserStates } from '../../sql/states/user-state-inspection.ts';
import { inspectTotals } from '../../sql/upkeep/inspection.ts';
import { engineSql } from '../engine-sql.ts';
import { headKeySql, isHeadOf } from '../schema/head-keys.ts';
import { takeSteps } from '../steps.ts';

const environmentName = `CASE head_key % 4 WHEN ${environmentNumbers.development} THEN 'development'
  WHEN ${environmentNumbers.staging} THEN 'staging' WHEN ${environmentNumbers.production} THEN 'production' END`;

/** The parts of an account's totals, from the rows of its projects and their environments. */
const sums = {
  end_users: 'coalesce(end_users, 0)',
  storage_bytes: `coalesce(user_state_bytes, 0) + (SELECT coalesce(sum(kept_bytes), 0) FROM public_state_heads
      WHERE ${isHeadOf('project_id')})`,
  guests: 'coalesce(guests, 0)',
  guest_bytes: 'coalesce(guest_bytes, 0)',
} as const;

const ofAccounts = (column: keyof typeof sums) => `
  SELECT account_id AS owner, coalesce(account_usage.${column}, 0) AS counted, coalesce(total, 0) AS found
  FROM accounts LEFT JOIN account_usage USING (account_id) LEFT JOIN (
    SELECT account_id, sum(${sums[column]}) AS total
    FROM projects LEFT JOIN project_usage USING (project_id) GROUP BY account_id) USING (account_id)
  WHERE counted <> found`;

/** `totals` returns the `total` of each `project_id`. */
const ofUserStates = (column: 'end_users' | 'user_state_bytes' | 'guests' | 'guest_bytes', totals: string) => `
  SELECT account_id || '/' || slug AS owner, coalesce(project_usage.${column}, 0) AS counted, coalesce(total, 0) AS found
  FROM accounts JOIN projects USING (account_id) LEFT JOIN project_usage USING (project_id)
  LEFT JOIN (${totals}) USING (project_id)
  WHERE counted <> found`;

const ofVersions = `
  SELECT account_id || '/' || slug || '/' || ${environmentName} AS owner, kept_bytes AS counted, coalesce(total, 0) AS found
  FROM accounts JOIN projects USING (account_id) JOIN public_state_heads ON head_key / 4 = projects.project_id
  LEFT JOIN (SELECT ${headKeySql('project_id', 'environment')} AS key, sum(state_bytes + coalesce(octet_length(comment), 0)) AS total
    FROM public_state_versions GROUP BY key) ON key = head_key
  WHERE counted <> found`;

const players = 'SELECT project_id, count(DISTINCT end_user_id) AS total FROM user_states GROUP BY project_id';
/** Through an index, each row would be looked up separately: 300,000 rows take 750 ms that way, and 150 ms this way. */
const userStateBytes = (bytes: string) =>
  `SELECT project_id, sum(${bytes}) AS total FROM user_states NOT INDEXED GROUP BY project_id`;
const ofGuests = (sum: string, isGuest: string) =>
  `SELECT project_id, ${sum} AS total FROM user_states NOT INDEXED WHERE ${isGuest} GROUP BY project_id`;

/**
 * Compares each total with the records that it counts: projects and environments with their rows, accounts with their projects. A wrong
 * number is therefore reported once, where it is. Any number of rows: the owners of wrong numbers.
 */
const rules = (bytes: string): readonly Rule[] => [
  { what: 'bytes of public state', find: ofVersions },
  { what: 'end users', find: ofUserStates('end_users', players) },
  { what: 'bytes of user state', find: ofUserStates('user_state_bytes', userStateBytes(bytes)) },
  { what: 'end users', find: ofAccounts('end_users') },
  { what: 'bytes', find: ofAccounts('storage_bytes') },
];
const rulesOfGuests = (bytes: string, isGuest: string): readonly Rule[] => [
  { what: 'guests', find: ofUserStates('guests', ofGuests('count(DISTINCT end_user_id)', isGuest)) },
  { what: 'bytes of guests', find: ofUserStates('guest_bytes', ofGuests(`sum(${bytes})`, isGuest)) },
  { what: 'guests', find: ofAccounts('guests') },
  { what: 'bytes of guests', find: ofAccounts('guest_bytes') },
];

interface Rule {
  readonly what: string;
  readonly find: string;
}

const hasColumn = (database: DatabaseSync, table: string, column: string): boolean =>
  database.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined;

/**
 * Returns the rules for a database. A database that was not upgraded yet does not count guests: it has no guests, or none who signed up.
 */
function rulesFor(database: DatabaseSync, bytes: string): readonly Rule[] {
  if (!hasColumn(database, 'project_usage', 'guests')) return rules(bytes);
  const isGuest = `end_user_id GLOB '${storedGuestId.sqlite}'`;
  const unlinked = hasColumn(database, 'user_states', 'is_linked') ? ' AND is_linked = 0' : '';
  return [...rules(bytes), ...rulesOfGuests(bytes, `${isGuest}${unlinked}`)];
}

/** Yields the wrong totals of accounts, with the correct ones. */
export function* inspectUsage(database: DatabaseSync): Generator<string> {
  yield* takeSteps(database, inspectTotals());
  yield* takeSteps(database, miscountedUserStates(engineSql.userStates));
  const bytes = takeSteps(database, keepsUserStateVersions()) ? 'state_bytes + history_bytes' : 'state_bytes';
  for (const { what, find } of rulesFor(database, bytes)) {
    for (const { owner, counted, found } of database.prepare(find).iterate()) {
      yield `${owner} is counted with ${counted} ${what}, but has ${found}`;
    }
  }
}
