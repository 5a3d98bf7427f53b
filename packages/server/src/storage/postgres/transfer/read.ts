/**
 * Reads this engine's own tables for a copy. A page holds all that is read of tables of accounts: a database of several machines has rows of
 * other machines no longer beside them.
 */

import type { TransferReader } from '../../transfer/copy.ts';
import type { EngineKind } from '../../transfer/kinds.ts';
import { createTransferReader, mayBeOfProject, ofAccount, type ReadAccounts, type Reading } from '../../transfer/reader.ts';
import type { Query } from '../connection/query.ts';
import { userStateSteps } from '../state/user/user-state-steps.ts';

const { userStates } = userStateSteps(new Uint8Array());

/** Rows that refer to their project by id. */
const ofProject = (accounts: ReadAccounts) => ({
  fields: 'projects.slug AS slug',
  joins: `${ofAccount(accounts).joins}
    LEFT JOIN projects ON projects.account_id = page.account_id AND projects.project_id = page.project_id`,
  isAlive: `${ofAccount(accounts).isAlive} AND projects.project_id IS NOT NULL`,
});

/** With the highest version of a deleted player of each environment. */
const environments = `(
  SELECT *, (SELECT max(floors.version) FROM end_user_floors AS floors
    WHERE floors.account_id = environments.account_id AND floors.project_id = environments.project_id
      AND floors.environment = environments.environment) AS bucket_floor
  FROM environments) AS environments`;

/** With the player of each. */
const userStateVersions = `(
  SELECT versions.*, (SELECT end_user_id FROM user_states WHERE ${userStates.stateOf('versions')}) AS end_user_id
  FROM user_state_versions AS versions) AS versions`;

const readingsOf = (accounts: ReadAccounts): Readonly<Record<EngineKind, Reading>> => ({
  installation: { table: 'installation', keys: ['id'] },
  environments: {
    table: environments,
    keys: ['account_id', 'slug', 'environment'],
    ...ofAccount(accounts),
    fields: `CASE WHEN page.is_present THEN 1 ELSE 0 END AS is_present,
      greatest(page.user_version_floor, page.bucket_floor) AS user_version_floor`,
    estimate: 'SELECT count(*) AS records FROM environments',
  },
  public_state_versions: {
    table: 'public_state_versions',
    keys: ['account_id', 'project_id', 'environment', 'version'],
    ...ofProject(accounts),
    boundedBy: 'state_bytes',
    estimate: 'SELECT coalesce(sum(version), 0)::bigint AS records FROM environments WHERE is_present',
  },
  user_states: {
    table: 'user_states',
    keys: ['account_id', 'project_id', 'environment', 'created_micros', 'record_id'],
    ...ofProject(accounts),
    boundedBy: 'state_bytes',
  },
  user_state_versions: {
    table: userStateVersions,
    keys: ['account_id', 'project_id', 'record_id', 'version'],
    ...ofProject(accounts),
    // User states deleted by a node of the previous release leave their versions to the sweep.
    isAlive: `${ofProject(accounts).isAlive} AND page.end_user_id IS NOT NULL`,
    boundedBy: 'octet_length(state)',
    estimate: 'SELECT count(*) AS records FROM user_state_versions',
  },
  sign_ins: {
    table: 'authorization_codes',
    keys: ['code_hash'],
    fields: `page.expires_at AS code_expires_at, families.created_at AS created_at, families.idle_expires_at,
      families.absolute_expires_at, families.secret_hash, families.previous_secret_hash, families.replaced_at,
      families.exchange_marks, families.place, coalesce(families.player_epoch, 0) AS player_epoch`,
    joins: `${ofProject(accounts).joins} LEFT JOIN refresh_families AS families ON families.family_id = page.family_id`,
    isAlive: mayBeOfProject,
  },
  write_repeats: { table: 'write_repeats', keys: ['account_id', 'scope', 'slot'], ...ofAccount(accounts) },
});

/** Returns the reader of a database. */
export const openTransferReader = (query: Query, accounts: ReadAccounts = 'visible'): TransferReader =>
  createTransferReader(readingsOf(accounts), accounts, query);
