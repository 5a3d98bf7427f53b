/** Writes the records of a copy into an embedded database, whose tables hold nothing else. */
import type { DatabaseSync, SQLInputValue, StatementResultingChanges } from 'node:sqlite';
import { type ColdTableName, coldTable, forColdTables } from '../../cold/tables.ts';
import { commentBytes } from '../../rows.ts';
import type { TransferKind, TransferRecord } from '../../transfer.ts';
import { UsageTotals } from '../usage/usage-totals.ts';

/** No row: no such project. */
const fromProject = 'FROM accounts JOIN projects USING (account_id) WHERE account_id = :account_id AND slug = :slug';

/** Prepares a statement. A record may have more fields than the statement has parameters. */
function prepare(database: DatabaseSync, sql: string) {
  const prepared = database.prepare(sql);
  prepared.setAllowUnknownNamedParameters(true);
  const run = (record: TransferRecord): StatementResultingChanges => prepared.run(record as Record<string, SQLInputValue>);
  return {
    find: (record: TransferRecord) => prepared.get(record as Record<string, SQLInputValue>),
    run,
    /** Throws an `Error` when nothing was written. */
    runOne(record: TransferRecord): StatementResultingChanges {
      const result = run(record);
      if (result.changes !== 1) throw new Error('a record belongs to nothing that was copied before');
      return result;
    },
  };
}

type Write = (record: TransferRecord) => void;

export interface TransferWriter {
  /** Writes records inside the caller's transaction. Throws an `Error` when what a record belongs to does not exist. */
  write(kind: TransferKind, records: readonly TransferRecord[]): void;
}

/** Returns the writer of records of every kind. */
export function createTransferWriter(database: DatabaseSync): TransferWriter {
  const totals = new UsageTotals(database);
  const writes: Readonly<Record<TransferKind, Write>> = {
    ...coldWrites(database),
    ...rowWrites(database),
    ...placeWrites(database),
    public_state_versions: versionWrite(database, totals),
    user_states: userStateWrite(database, totals),
    sign_ins: signInWrite(database),
  };
  return {
    write(kind, records) {
      const write = writes[kind];
      for (const record of records) write(record);
      totals.flush();
    },
  };
}

/** This is null, so no row is written, when the account does not exist. */
const account = '(SELECT account_number FROM accounts WHERE account_id = :account_id)';
/** Kinds whose records are one row each, by their columns, with the value of the first column if it is not a field. */
const rows = {
  accounts: [
    'account_id, name, idp_tenant_id, created_at, api_requests_max, projects_max, end_users_max, storage_bytes_max',
  ],
  api_requests: ['account_number, month_starts_at, requests', account],
  write_repeats: ['account_number, scope, slot, repeat_key, request, version, written_at', account],
} as const satisfies Partial<Record<TransferKind, readonly [columns: string, first?: string]>>;

/** Rows of cold tables are written as they are. */
function coldWrites(database: DatabaseSync): Record<ColdTableName, Write> {
  return forColdTables((table) => {
    const columns = Object.keys(coldTable(table).columns);
    const values = columns.map((column) => `:${column}`);
    return prepare(database, `INSERT INTO ${table} (${columns}) VALUES (${values})`).runOne;
  });
}

function rowWrites(database: DatabaseSync): Record<keyof typeof rows, Write> {
  const writes = Object.entries(rows).map(([table, [columns, first]]) => {
    const values = columns.split(/,\s+/).map((column, index) => (index === 0 && first ? first : `:${column}`));
    const insert = prepare(database, `INSERT INTO ${table} (${columns}) VALUES (${values.join(', ')})`);
    return [table, insert.runOne] as const;
  });
  return Object.fromEntries(writes) as unknown as Record<keyof typeof rows, Write>;
}

type Places = 'installation' | 'projects' | 'environments';

function placeWrites(database: DatabaseSync): Record<Places, Write> {
  const putSecret = prepare(database, 'UPDATE bucket_key SET secret = :bucket_secret');
  const putProject = prepare(
    database,
    `INSERT INTO projects (account_id, slug, name, created_at) VALUES (:account_id, :slug, :name, :created_at)`,
  );
  const countProject = prepare(database, 'UPDATE accounts SET projects = projects + 1 WHERE account_id = :account_id');
  // The versions themselves are copied later.
  const putHead = prepare(
    database,
    `INSERT INTO public_state_heads (head_key, version, newest_id)
     SELECT project_id * 4 + :environment, :version, NULL ${fromProject}`,
  );
  const putBounds = prepare(
    database,
    `INSERT INTO user_versions (head_key, version_floor, version_ceiling)
     SELECT project_id * 4 + :environment, :user_version_floor, :user_version_ceiling ${fromProject}`,
  );
  return {
    installation: putSecret.runOne,
    projects(record) {
      putProject.runOne(record);
      countProject.runOne(record);
    },
    environments(record) {
      if (record.version !== 0) putHead.runOne(record);
      if (record.user_version_ceiling !== 0) putBounds.runOne(record);
    },
  };
}

function versionWrite(database: DatabaseSync, totals: UsageTotals): Write {
  // No row: no such project, or no version was ever to be in this environment.
  const findHead = prepare(
    database,
    `SELECT account_number, head_key, project_id, version, newest_id FROM (
       SELECT account_number, project_id, project_id * 4 + :environment AS head_key ${fromProject})
     JOIN public_state_heads USING (head_key)`,
  );
  const putVersion = prepare(
    database,
    `INSERT INTO public_state_versions
       (previous_id, project_id, environment, version, written_at, state_bytes, depth, checksum, author, comment, state)
     VALUES (:newest_id, :project_id, :environment, :version, :written_at, :state_bytes, :depth, :checksum, :author,
       :comment, :state)`,
  );
  const putHead = prepare(
    database,
    `UPDATE public_state_heads SET version = :version, newest_id = :id, kept_bytes = kept_bytes + :bytes
     WHERE head_key = :head_key`,
  );
  return (record) => {
    const head = findHead.find(record);
    if (head === undefined) throw new Error('a version belongs to no environment that was copied');
    const { account_number: accountNumber, head_key: headKey, project_id: projectId, newest_id: newestId } = head;
    if (newestId !== null && record.version !== (head.version as number) + 1) {
      throw new Error(`version ${record.version} of ${record.account_id}/${record.slug} follows ${head.version}`);
    }
    const place = { newest_id: newestId as number | null, project_id: projectId as number, head_key: headKey as number };
    const { lastInsertRowid: id } = putVersion.runOne({ ...record, ...place });
    const bytes = (record.state_bytes as number) + commentBytes(record.comment as string | null);
    putHead.runOne({ ...record, ...place, id: Number(id), bytes });
    totals.addBytes(accountNumber as number, bytes);
  };
}

function userStateWrite(database: DatabaseSync, totals: UsageTotals): Write {
  // No row: no such project.
  const findProject = prepare(
    database,
    `SELECT account_number, project_id, EXISTS (
       SELECT 1 FROM user_states WHERE user_states.project_id = projects.project_id AND end_user_id = :end_user_id) AS is_known
     ${fromProject}`,
  );
  const putState = prepare(
    database,
    `INSERT INTO user_states (project_id, environment, end_user_id, version, created_at, updated_at, state_bytes, state)
     VALUES (:project_id, :environment, :end_user_id, :version, :created_at, :updated_at, :state_bytes, :state)`,
  );
  return (record) => {
    const found = findProject.find(record);
    if (found === undefined) throw new Error('the state of an end user belongs to no project that was copied');
    const { account_number: accountNumber, project_id: projectId, is_known: isKnown } = found;
    putState.runOne({ ...record, project_id: projectId as number });
    const bytes = record.state_bytes as number;
    totals.addUserState(accountNumber as number, projectId as number, isKnown === 1 ? 0 : 1, bytes);
  };
}

function signInWrite(database: DatabaseSync): Write {
  const columns = `account_number, project_id, environment, client_id, subject, scope, code_hash, code_expires_at, redirect_uri,
    code_challenge, email, name, family_id, created_at, idle_expires_at, absolute_expires_at, secret_hash,
    previous_secret_hash, replaced_at, sweep_at`;
  const values = `:client_id, :subject, :scope, :code_hash, :code_expires_at, :redirect_uri, :code_challenge, :email, :name,
    :family_id, :created_at, :idle_expires_at, :absolute_expires_at, :secret_hash, :previous_secret_hash, :replaced_at,
    CASE WHEN :secret_hash IS NULL THEN :code_expires_at ELSE min(:idle_expires_at, :absolute_expires_at) END`;
  const put = prepare(
    database,
    `INSERT INTO sign_ins (${columns}) SELECT account_number, project_id, :environment, ${values} ${fromProject}`,
  );
  const putOfDeveloper = prepare(
    database,
    `INSERT INTO sign_ins (${columns})
     SELECT account_number, NULL, NULL, ${values} FROM accounts WHERE account_id = :account_id`,
  );
  return (record) => void (record.slug === null ? putOfDeveloper : put).runOne(record);
}
