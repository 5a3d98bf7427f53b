import type { DatabaseSync } from 'node:sqlite';
import { coldTable, coldTableNames, ownerExists } from '../../cold/tables.ts';

const liveAccounts = 'SELECT account_number FROM accounts';
/** Accounts that exist, or that still wait for the sweep. */
const knownAccounts = `${liveAccounts} UNION ALL SELECT target FROM orphans WHERE kind = 'account'`;
/** Projects that exist, or whose end users still wait for the sweep. */
const knownProjects = "SELECT project_id FROM projects UNION ALL SELECT target FROM orphans WHERE kind = 'end_users'";

/** The same by their ids. */
const knownIds = `SELECT account_id FROM accounts UNION ALL SELECT account_id FROM orphans WHERE kind = 'account'`;

/** Counts the records that break the rule; in messages `fault` follows the number. */
interface Rule {
  readonly fault: string;
  readonly count: string;
}

const rules: readonly Rule[] = [
  {
    fault: 'projects belong to no account',
    count: `SELECT count(*) AS count FROM projects WHERE account_id NOT IN (${knownIds})`,
  },
  {
    fault: 'counts of API requests belong to no account',
    count: `SELECT count(*) AS count FROM api_requests WHERE account_number NOT IN (${liveAccounts})`,
  },
  {
    fault: 'writes that can be repeated belong to no account',
    count: `SELECT count(*) AS count FROM write_repeats WHERE account_number NOT IN (${knownAccounts})`,
  },
  {
    fault: 'current versions belong to no project',
    count: `SELECT count(*) AS count FROM public_state_heads WHERE head_key / 4 NOT IN (SELECT project_id FROM projects)`,
  },
  {
    fault: 'sign-in settings are not JSON',
    count: `SELECT count(*) AS count FROM end_user_auth WHERE NOT json_valid(settings)`,
  },
  {
    fault: 'states of end users belong to no project',
    count: `SELECT count(*) AS count FROM user_states WHERE project_id NOT IN (${knownProjects})`,
  },
  {
    fault: 'sign-ins belong to no project or account',
    count: `SELECT count(*) AS count FROM sign_ins WHERE CASE WHEN project_id IS NULL
      THEN account_number NOT IN (${knownAccounts}) ELSE project_id NOT IN (${knownProjects}) END`,
  },
  {
    fault: 'states of end users have a version out of the bounds of their environment',
    count: `SELECT count(*) AS count FROM user_states LEFT JOIN user_versions ON head_key = project_id * 4 + environment
      WHERE head_key IS NULL OR version > version_ceiling`,
  },
  {
    fault: 'states of end users are not the JSON text that was written',
    count: `SELECT count(*) AS count FROM user_states WHERE octet_length(state) <> state_bytes OR NOT json_valid(state)`,
  },
  {
    fault: 'deleted end users had a version above the bounds of their environment',
    count: `SELECT count(*) AS count FROM end_user_floors LEFT JOIN user_versions USING (head_key)
      WHERE version_ceiling IS NULL OR version > version_ceiling`,
  },
];

/** Rules of the built-in identity provider. The sweep deletes a user last, after everything that refers to the user. */
const identityRules: readonly Rule[] = [
  ...(
    [
      ['password_resets', 'password resets'],
      ['passkeys', 'passkeys'],
      ['federated_identities', 'links to identity providers'],
    ] as const
  ).map(([table, records]) => ({
    fault: `${records} belong to no user`,
    count: `SELECT count(*) AS count FROM ${table} AS theirs WHERE NOT EXISTS (SELECT 1 FROM users
      WHERE users.directory_id = theirs.directory_id AND users.user_id = theirs.user_id)`,
  })),
  ...(
    [
      ['passkeys', 'passkeys', 'transports'],
      ['identity_providers', 'identity providers', 'settings'],
    ] as const
  ).map(([table, records, column]) => ({
    fault: `${records} have ${column} that are not JSON`,
    count: `SELECT count(*) AS count FROM ${table} WHERE NOT json_valid(${column})`,
  })),
  {
    fault: 'users have neither a password nor a link to an identity provider',
    count: `SELECT count(*) AS count FROM users
      WHERE password_hash IS NULL AND ${ownerExists('users')}
        AND NOT EXISTS (SELECT 1 FROM federated_identities AS links
          WHERE links.directory_id = users.directory_id AND links.user_id = users.user_id)`,
  },
];

/** Rules of the tables that both engines have. What belongs to a deleted account waits for the sweep. */
const coldRules: readonly Rule[] = coldTableNames.flatMap((table) => {
  const { title, owner, isOfProject } = coldTable(table);
  if (owner === undefined) return [];
  const count = `SELECT count(*) AS count FROM ${table} WHERE`;
  if (!isOfProject) {
    const isUnknown = `${owner} <> '' AND ${owner} NOT IN (${knownIds})`;
    return [{ fault: `${title} belong to no account`, count: `${count} ${isUnknown}` }];
  }
  return [
    {
      fault: `${title} belong to no project`,
      count: `${count} (account_id, slug) NOT IN (SELECT account_id, slug FROM projects JOIN accounts USING (account_id))
        AND account_id NOT IN (SELECT account_id FROM orphans WHERE kind = 'account')`,
    },
  ];
});

/** Yields one line for each broken rule about references between records. */
export function* inspectReferences(database: DatabaseSync): Generator<string> {
  for (const { fault, count } of [...rules, ...coldRules, ...identityRules]) {
    const broken = Number(database.prepare(count).get()?.count);
    if (broken > 0) yield `${broken} ${fault}`;
  }
}
