/** Reads the records of an embedded database for a copy. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type ColdTableName, forColdTables, ownerExists } from '../../cold/tables.ts';
import {
  batchBytesMax,
  batchRecordsMax,
  RecordTaker,
  type TransferBatch,
  type TransferKind,
  type TransferReader,
  type TransferRecord,
  textBytes,
} from '../../transfer.ts';

/** How the rows of a kind are read: in the order of `keys`, above `start`. `?` stands for the keys of the last row. */
interface Reading {
  readonly keys: readonly string[];
  readonly start: readonly (string | number)[];
  readonly sql: string;
}

const ofProjects = (table: string): string =>
  `${table} CROSS JOIN projects USING (project_id) CROSS JOIN accounts USING (account_id)`;

/** The highest version of a deleted end user of an environment, or the floor of the whole environment. */
const userVersionFloor = `max(coalesce(version_floor, 0), coalesce(
  (SELECT max(floors.version) FROM end_user_floors AS floors WHERE floors.head_key = project_id * 4 + environment), 0))`;

/** Rows of a cold table, in the order in which they were written. */
const coldReading = (table: ColdTableName): Reading => ({
  keys: ['row_number'],
  start: [0],
  sql: `
    SELECT rowid AS row_number, * FROM ${table} WHERE ${ownerExists(table)} AND rowid > ? ORDER BY rowid`,
});

const readings: Readonly<Record<TransferKind, Reading>> = {
  ...forColdTables(coldReading),
  installation: {
    keys: ['id'],
    start: [0],
    sql: 'SELECT id, secret AS bucket_secret FROM bucket_key WHERE id > ? ORDER BY id',
  },
  accounts: {
    keys: ['account_number'],
    start: [0],
    sql: 'SELECT * FROM accounts WHERE account_number > ? ORDER BY account_number',
  },
  api_requests: {
    keys: ['account_number', 'month_starts_at'],
    start: [0, 0],
    sql: `
      SELECT account_number, account_id, month_starts_at, requests FROM api_requests CROSS JOIN accounts USING (account_number)
      WHERE (account_number, month_starts_at) > (?, ?) ORDER BY account_number, month_starts_at`,
  },
  projects: {
    keys: ['project_id'],
    start: [0],
    sql: `
      SELECT project_id, account_id, slug, projects.name, projects.created_at
      FROM projects CROSS JOIN accounts USING (account_id) WHERE project_id > ? ORDER BY project_id`,
  },
  environments: {
    keys: ['project_id', 'environment'],
    start: [0, 0],
    sql: `
      SELECT project_id, account_id, slug, environment, coalesce(heads.version, 0) AS version,
        newest_id IS NOT NULL AS is_present, ${userVersionFloor} AS user_version_floor,
        coalesce(version_ceiling, 0) AS user_version_ceiling
      FROM projects CROSS JOIN (SELECT column1 AS environment FROM (VALUES (0), (1), (2)))
      CROSS JOIN accounts USING (account_id)
      LEFT JOIN public_state_heads AS heads ON heads.head_key = project_id * 4 + environment
      LEFT JOIN user_versions ON user_versions.head_key = project_id * 4 + environment
      WHERE project_id >= ?1 AND (project_id > ?1 OR environment > ?2) ORDER BY project_id, environment`,
  },
  public_state_versions: {
    keys: ['id'],
    start: [0],
    sql: `
      SELECT versions.id, account_id, slug, environment, version, written_at, state_bytes, depth, checksum, author,
        comment, state
      FROM ${ofProjects('public_state_versions AS versions')} WHERE versions.id > ? ORDER BY versions.id`,
  },
  user_states: {
    keys: ['project_id', 'environment', 'sequence'],
    start: [0, 0, 0],
    sql: `
      SELECT project_id, sequence, account_id, slug, environment, end_user_id, states.created_at, updated_at, version,
        state_bytes, state
      FROM ${ofProjects('user_states AS states INDEXED BY user_states_by_creation')}
      WHERE (states.project_id, environment, sequence) > (?, ?, ?) ORDER BY states.project_id, environment, sequence`,
  },
  sign_ins: {
    keys: ['sign_in_number'],
    start: [0],
    sql: `
      SELECT sign_in_number, code_hash, accounts.account_id, slug, environment, client_id, subject, scope, code_expires_at,
        redirect_uri, code_challenge, email, sign_ins.name, family_id, sign_ins.created_at, idle_expires_at,
        absolute_expires_at, secret_hash, previous_secret_hash, replaced_at
      FROM sign_ins CROSS JOIN accounts USING (account_number) LEFT JOIN projects ON projects.project_id = sign_ins.project_id
      WHERE (sign_ins.project_id IS NULL OR projects.project_id IS NOT NULL) AND sign_in_number > ? ORDER BY sign_in_number`,
  },
  write_repeats: {
    keys: ['repeat_number'],
    start: [0],
    sql: `
      SELECT repeat_number, account_id, scope, slot, repeat_key, request, version, written_at
      FROM write_repeats CROSS JOIN accounts USING (account_number) WHERE repeat_number > ? ORDER BY repeat_number`,
  },
};

/** Tables that take long to count, with a faster estimate. */
const estimates: Readonly<Partial<Record<TransferKind, string>>> = {
  environments: 'SELECT 3 * count(*) AS records FROM projects',
  public_state_versions: 'SELECT coalesce(sum(version), 0) AS records FROM public_state_heads WHERE newest_id IS NOT NULL',
  installation: 'SELECT 1 AS records',
};

type Cursor = readonly [keys: SQLInputValue[], state: ReturnType<RecordTaker['state']>];

/** Returns the reader of a database. Each call of `read` sees the database as it is when the call begins. */
export function createTransferReader(database: DatabaseSync): TransferReader {
  return {
    async estimate(kind) {
      const sql = estimates[kind] ?? `SELECT count(*) AS records FROM ${kind}`;
      return Number(database.prepare(sql).get()?.records);
    },
    async *read(kind, cursor): AsyncGenerator<TransferBatch> {
      const { keys, start, sql } = readings[kind];
      const [after, state]: Cursor = cursor === null ? [[...start], null] : JSON.parse(cursor);
      const taker = new RecordTaker(kind, state);
      let records: TransferRecord[] = [];
      let bytes = 0;
      let last: Readonly<Record<string, unknown>> = {};
      const batch = (): TransferBatch => {
        const found = { records, cursor: JSON.stringify([keys.map((key) => last[key]), taker.state()]) };
        [records, bytes] = [[], 0];
        return found;
      };
      for (const row of database.prepare(sql).iterate(...after)) {
        const record = taker.take(row);
        last = row;
        records.push(record);
        bytes += textBytes(record);
        if (records.length >= batchRecordsMax || bytes >= batchBytesMax) yield batch();
      }
      if (records.length > 0) yield batch();
    },
  };
}
