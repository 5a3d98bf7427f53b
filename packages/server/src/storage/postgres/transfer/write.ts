/**
 * Writes the records of a copy into a database that nobody else uses and whose tables are otherwise empty. A batch is one statement for
 * each table, since each is a way over the network.
 */
import { randomUUID } from 'node:crypto';
import { integerAt, optionalTextAt } from '../../columns.ts';
import { storedGuestId } from '../../guest-ids.ts';
import { commentBytes } from '../../rows.ts';
import { columnsIn } from '../../sql/declaration.ts';
import { type SharedTableName, sharedTable, sharedTableNames } from '../../sql/tables.ts';
import type { EngineKind, TransferKind, TransferRecord } from '../../transfer.ts';
import type { Query, Value } from '../connection/query.ts';
import { usageParts } from '../usage/usage-sums.ts';

type Fields = Readonly<Record<string, Value>>;

/** The rows of a table that are made of the records of a kind. */
interface Writing {
  readonly table: string;
  /** Whether rows have the id of the project that records name by its slug. */
  readonly isOfProject?: true;
  /** The same, with what leads to the user state of the player that records name. */
  readonly isOfUserState?: true;
  /** Columns of a row that are not fields of its record. `ordinal` counts the records of a copy from 1. */
  readonly added?: (record: TransferRecord, ordinal: number) => Fields;
  /** Whether a record has a row here. */
  readonly has?: (record: TransferRecord) => boolean;
}

/** By default there is a row for each record, in the table that is named like the kind. */
const writings: Partial<Readonly<Record<TransferKind, readonly Writing[]>>> = {
  installation: [{ table: 'installation', added: () => ({ id: 1 }) }],
  environments: [{ table: 'environments', isOfProject: true, added: () => ({ kept_bytes: 0 }) }],
  public_state_versions: [
    {
      table: 'public_state_versions',
      isOfProject: true,
      added: (record) => ({ comment_bytes: commentBytes(optionalTextAt(record, 'comment')) || null }),
    },
  ],
  user_states: [
    {
      table: 'user_states',
      isOfProject: true,
      // Pages go by the time of creation: that of whoever comes later is later.
      added: (record, ordinal) => ({
        record_id: randomUUID(),
        created_micros: ordinal,
        grown_bytes: integerAt(record, 'state_bytes'),
      }),
    },
  ],
  user_state_versions: [{ table: 'user_state_versions', isOfUserState: true }],
  sign_ins: [
    {
      table: 'authorization_codes',
      isOfProject: true,
      added: (record) => ({ expires_at: integerAt(record, 'code_expires_at') }),
    },
    {
      table: 'refresh_families',
      isOfProject: true,
      has: ({ created_at: createdAt }) => createdAt !== null,
      added: (record) => ({
        sweep_at:
          record.secret_hash === null
            ? integerAt(record, 'code_expires_at')
            : Math.min(integerAt(record, 'idle_expires_at'), integerAt(record, 'absolute_expires_at')),
      }),
    },
  ],
} satisfies Partial<Record<EngineKind, readonly Writing[]>>;

/** The tables of a kind. */
export const tablesOf = (kind: TransferKind): readonly Writing[] => writings[kind] ?? [writingOf(kind)];

/** The table that is named like a kind. The ids that a database makes mean nothing in another one: rows get new ones. */
function writingOf(table: TransferKind): Writing {
  const made = isSharedTable(table) ? columnsIn(sharedTable(table)).filter(({ type }) => type === 'generated') : [];
  if (made.length === 0) return { table };
  return { table, added: () => Object.fromEntries(made.map(({ name }) => [name, randomUUID()])) };
}

const isSharedTable = (name: string): name is SharedTableName => sharedTableNames.some((table) => table === name);

/**
 * Writes the records of a batch with the statements of the caller's transaction. `last` is the ordinal of the last one. Of the kinds `kept`,
 * what is there already stays.
 */
export async function writeRecords(
  query: Query,
  kind: TransferKind,
  records: readonly TransferRecord[],
  last: number,
  kept: readonly TransferKind[] = [],
): Promise<void> {
  const begin = last - records.length + 1;
  for (const { table, isOfProject, isOfUserState, has = () => true, added = () => ({}) } of tablesOf(kind)) {
    const rows = records.map((record, index) => ({ ...record, ...added(record, begin + index) })).filter(has);
    // A row for each. Where there is no project of its name, a row has no project id, which a table that needs one refuses.
    const statement = isOfUserState ? insertInUserStates(table) : isOfProject ? insertInProjects(table) : insert(table);
    await query(kept.includes(kind) ? `${statement} ON CONFLICT DO NOTHING` : statement, [toJson(rows)]);
  }
}

const insert = (table: string): string =>
  `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1::text::json)`;

const insertInProjects = (table: string): string => `
  INSERT INTO ${table}
  SELECT made.* FROM json_array_elements($1::text::json) AS given (record)
  LEFT JOIN projects ON projects.account_id = record ->> 'account_id' AND slug = record ->> 'slug'
  CROSS JOIN LATERAL jsonb_populate_record(
    NULL::${table}, record::jsonb || jsonb_build_object('project_id', projects.project_id)) AS made`;

const insertInUserStates = (table: string): string => `
  INSERT INTO ${table}
  SELECT made.* FROM json_array_elements($1::text::json) AS given (record)
  LEFT JOIN projects ON projects.account_id = record ->> 'account_id' AND slug = record ->> 'slug'
  LEFT JOIN user_states ON user_states.account_id = projects.account_id AND user_states.project_id = projects.project_id
    AND user_states.end_user_id = record ->> 'end_user_id' AND user_states.environment = (record ->> 'environment')::smallint
  CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, record::jsonb || jsonb_build_object('project_id', projects.project_id,
    'record_id', user_states.record_id, 'created_micros', user_states.created_micros)) AS made`;

/** Rows in the form that the statements take. */
const toJson = (rows: readonly Fields[]): string =>
  JSON.stringify(rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toField(value)]))));

const toField = (value: Value): Exclude<Value, Uint8Array> =>
  value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;

/** Tables whose rows follow from the records. */
export const derivedTables = ['end_users', 'user_usage', 'end_user_floors', 'orphans'] as const;

/**
 * Statements that compute what follows from the records of all accounts, or of the account `$1`, when all are there. Any of them may be
 * repeated. `records` need no row of the account, `accounts` are those that go with it. All players of a project are counted in the first
 * of its 16 parts, all guests in the first of theirs; the others are for those who come.
 */
export const totals = { all: totalsOf('account_id IS NOT NULL'), account: totalsOf('account_id = $1') };

function totalsOf(isMeant: 'account_id IS NOT NULL' | 'account_id = $1') {
  const records = [
    `UPDATE environments SET kept_bytes = theirs.bytes
     FROM (
       SELECT account_id, project_id, environment, sum(state_bytes + coalesce(comment_bytes, 0)) AS bytes
       FROM public_state_versions WHERE ${isMeant} GROUP BY account_id, project_id, environment) AS theirs
     WHERE theirs.account_id = environments.account_id AND theirs.project_id = environments.project_id
       AND theirs.environment = environments.environment`,
    `INSERT INTO end_users (account_id, project_id, end_user_id, environments)
     SELECT account_id, project_id, end_user_id, bit_or(1 << environment) FROM user_states
     WHERE ${isMeant} GROUP BY account_id, project_id, end_user_id
     ON CONFLICT (account_id, project_id, end_user_id) DO UPDATE SET environments = excluded.environments`,
    `INSERT INTO user_usage (account_id, project_id, part, end_users, bytes)
     SELECT account_id, project_id, part, CASE part WHEN first_part THEN end_users ELSE 0 END, CASE part WHEN first_part THEN bytes ELSE 0 END
     FROM (
       SELECT account_id, project_id, CASE WHEN end_user_id ~ '${storedGuestId.postgres}' AND is_linked = 0 THEN ${usageParts} ELSE 0 END AS first_part,
         count(DISTINCT end_user_id) AS end_users, sum(state_bytes + history_bytes) AS bytes
       FROM user_states WHERE ${isMeant} GROUP BY 1, 2, 3) AS theirs
     CROSS JOIN LATERAL generate_series(first_part, first_part + ${usageParts - 1}) AS part
     ON CONFLICT (account_id, project_id, part) DO UPDATE SET end_users = excluded.end_users, bytes = excluded.bytes`,
  ];
  const accounts = [
    `UPDATE accounts SET projects = theirs.projects
     FROM (SELECT account_id, count(*) AS projects FROM projects WHERE ${isMeant} GROUP BY account_id) AS theirs
     WHERE theirs.account_id = accounts.account_id`,
  ];
  return { records, accounts };
}
