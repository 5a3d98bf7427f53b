/** Reads the embedded database's own tables for a copy. */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { TransferReader } from '../../transfer/copy.ts';
import type { EngineKind } from '../../transfer/kinds.ts';
import {
  accountsTables,
  createTransferReader,
  mayBeOfProject,
  ofAccount,
  type ReadAccounts,
  type Reading,
} from '../../transfer/reader.ts';
import { headKeySql } from '../schema/head-keys.ts';
import { forSqlite } from '../steps.ts';

/** Rows that refer to their project by number. */
const ofProject = (accounts: ReadAccounts) => ({
  fields: 'projects.account_id AS account_id, projects.slug AS slug',
  joins: `
    LEFT JOIN projects ON projects.project_id = page.project_id
    LEFT JOIN ${accountsTables[accounts]} ON accounts.account_id = projects.account_id`,
  isAlive: 'accounts.account_id IS NOT NULL',
});

/** The highest version of a deleted player of an environment, or the floor of the whole environment. */
const userVersionFloor = `max(coalesce(version_floor, 0), coalesce(
  (SELECT max(floors.version) FROM end_user_floors AS floors WHERE floors.head_key = page.head_key), 0))`;

const readingsOf = (accounts: ReadAccounts): Readonly<Record<EngineKind, Reading>> => ({
  installation: {
    table: 'bucket_key',
    keys: ['id'],
    fields: 'page.secret AS bucket_secret',
  },
  environments: {
    table: `(
      SELECT project_id, column1 AS environment, ${headKeySql('project_id', 'column1')} AS head_key
      FROM projects CROSS JOIN (VALUES (0), (1), (2)))`,
    keys: ['project_id', 'environment'],
    fields: `${ofProject(accounts).fields}, coalesce(heads.version, 0) AS version, newest_id IS NOT NULL AS is_present,
      ${userVersionFloor} AS user_version_floor, coalesce(version_ceiling, 0) AS user_version_ceiling`,
    joins: `${ofProject(accounts).joins}
      LEFT JOIN public_state_heads AS heads ON heads.head_key = page.head_key
      LEFT JOIN user_versions ON user_versions.head_key = page.head_key`,
    isAlive: ofProject(accounts).isAlive,
    estimate: 'SELECT 3 * count(*) AS records FROM projects',
  },
  public_state_versions: {
    table: 'public_state_versions',
    keys: ['id'],
    ...ofProject(accounts),
    estimate: 'SELECT coalesce(sum(version), 0) AS records FROM public_state_heads WHERE newest_id IS NOT NULL',
  },
  user_states: {
    table: 'user_states INDEXED BY user_states_by_creation',
    keys: ['project_id', 'environment', 'sequence'],
    ...ofProject(accounts),
  },
  user_state_versions: {
    table: 'user_state_versions',
    keys: ['record_id', 'version'],
    fields: `projects.account_id AS account_id, projects.slug AS slug, user_states.environment, user_states.end_user_id`,
    joins: `
      LEFT JOIN user_states ON user_states.sequence = page.record_id
      LEFT JOIN projects ON projects.project_id = user_states.project_id
      LEFT JOIN ${accountsTables[accounts]} ON accounts.account_id = projects.account_id`,
    isAlive: ofProject(accounts).isAlive,
  },
  sign_ins: {
    table: 'sign_ins',
    keys: ['sign_in_number'],
    fields: 'projects.slug AS slug',
    joins: `${ofAccount(accounts).joins} LEFT JOIN projects ON projects.project_id = page.project_id`,
    isAlive: mayBeOfProject,
  },
  write_repeats: { table: 'write_repeats', keys: ['repeat_number'], ...ofAccount(accounts) },
});

/** Returns the reader of a database. */
export function openTransferReader(database: DatabaseSync, accounts: ReadAccounts = 'visible'): TransferReader {
  const known = new Map<string, StatementSync>();
  return createTransferReader(readingsOf(accounts), accounts, (sql, values) => {
    const statement = known.get(sql) ?? database.prepare(forSqlite(sql));
    known.set(sql, statement);
    return statement.iterate(...values);
  });
}
