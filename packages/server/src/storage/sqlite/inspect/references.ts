import type { DatabaseSync } from 'node:sqlite';
import { keepsUserStateVersions } from '../../sql/states/user-state-inspection.ts';
import { inspectReferences as inspectColdReferences } from '../../sql/upkeep/inspection.ts';
import { headKeySql } from '../schema/head-keys.ts';
import { takeSteps } from '../steps.ts';

/** Accounts that exist, or still wait for the sweep. */
const knownAccounts = "SELECT account_id FROM accounts UNION ALL SELECT account_id FROM orphans WHERE kind = 'account'";
/** Projects that exist, or whose players still wait for the sweep. */
const knownProjects = "SELECT project_id FROM projects UNION ALL SELECT target FROM orphans WHERE kind = 'end_users'";

/** For each rule: the message about the records that break it, after their number, and the SQL that finds them, after FROM. */
const rules = [
  ['writes that can be repeated belong to no account', `write_repeats WHERE account_id NOT IN (${knownAccounts})`],
  [
    'current versions belong to no project',
    'public_state_heads WHERE head_key / 4 NOT IN (SELECT project_id FROM projects)',
  ],
  ['states of end users belong to no project', `user_states WHERE project_id NOT IN (${knownProjects})`],
  [
    'sign-ins belong to no project or account',
    `sign_ins WHERE CASE WHEN project_id IS NULL
      THEN account_id NOT IN (${knownAccounts}) ELSE project_id NOT IN (${knownProjects}) END`,
  ],
  [
    'states of end users have a version out of the bounds of their environment',
    `user_states LEFT JOIN user_versions ON head_key = ${headKeySql('project_id', 'environment')}
     WHERE head_key IS NULL OR version > version_ceiling`,
  ],
  [
    'states of end users are not the JSON text that was written',
    'user_states WHERE octet_length(state) <> state_bytes OR NOT json_valid(state)',
  ],
  [
    'deleted end users had a version above the bounds of their environment',
    `end_user_floors LEFT JOIN user_versions USING (head_key) WHERE version_ceiling IS NULL OR version > version_ceiling`,
  ],
] as const;

const rulesOfUserStates = [
  [
    'versions of saves belong to no save',
    'user_state_versions LEFT JOIN user_states ON sequence = record_id WHERE sequence IS NULL',
  ],
  [
    'versions of saves are not below the current one',
    'user_state_versions AS versions JOIN user_states ON sequence = record_id WHERE versions.version >= user_states.version',
  ],
] as const;

/** Yields one line for each broken rule about references between records. */
export function* inspectReferences(database: DatabaseSync): Generator<string> {
  yield* takeSteps(database, inspectColdReferences());
  for (const [fault, rows] of [...rules, ...(takeSteps(database, keepsUserStateVersions()) ? rulesOfUserStates : [])]) {
    const broken = Number(database.prepare(`SELECT count(*) AS count FROM ${rows}`).get()?.count);
    if (broken > 0) yield `${broken} ${fault}`;
  }
}
