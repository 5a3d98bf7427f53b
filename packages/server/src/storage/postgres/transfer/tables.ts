/** The tables that the records of a copy are written to. */
import { randomUUID } from 'node:crypto';
import { postgresDialect, typeOf } from '../../cold/schema.ts';
import { type ColdTableName, type Column, coldTable, forColdTables } from '../../cold/tables.ts';
import { commentBytes } from '../../rows.ts';
import type { TransferKind, TransferRecord } from '../../transfer.ts';
import type { Value } from '../connection/query.ts';

export type Fields = Readonly<Record<string, Value>>;

/** A row for each record of a kind. */
export interface TransferTable {
  readonly table: string;
  /** Names and types, in the syntax of a table definition. */
  readonly columns: string;
  /** Whether rows have the id of the project that records name by its slug. */
  readonly isOfProject?: true;
  /** Columns that are not fields of a record, or have another type there. */
  readonly added?: (record: TransferRecord) => Fields;
}

/** An id that sorts after those of all earlier positions. */
function recordIdOf(position: number): string {
  const digits = position.toString(16).padStart(16, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12)}-8000-000000000000`;
}

/** The columns that both tables of sign-ins begin with. */
const grantColumns = `
  account_id text, slug text, project_id uuid, environment smallint, client_id text, subject text, scope text`;

/** The type of a column of a cold table. */
export const columnType = (table: ColdTableName, column: string): string =>
  postgresDialect.types[typeOf(coldTable(table).columns[column] as Column)];

const coldTransferTable = (table: ColdTableName): TransferTable => ({
  table,
  columns: Object.keys(coldTable(table).columns)
    .map((column) => `${column} ${columnType(table, column)}`)
    .join(', '),
});

export const transferTables: Readonly<Record<Exclude<TransferKind, 'installation'>, TransferTable>> = {
  ...forColdTables(coldTransferTable),
  accounts: {
    table: 'accounts',
    columns: `account_id text, name text, idp_tenant_id text, created_at bigint, api_requests_max bigint, projects_max bigint,
      end_users_max bigint, storage_bytes_max bigint`,
  },
  api_requests: { table: 'api_requests', columns: 'account_id text, month_starts_at bigint, requests bigint' },
  projects: {
    table: 'projects',
    columns: 'account_id text, slug text, project_id uuid, name text, created_at bigint',
    added: () => ({ project_id: randomUUID() }),
  },
  environments: {
    table: 'environments',
    columns: `account_id text, slug text, environment smallint, project_id uuid, version bigint, is_present boolean,
      kept_bytes bigint, user_version_floor bigint, user_version_ceiling bigint`,
    isOfProject: true,
    added: (record) => ({ is_present: record.is_present === 1, kept_bytes: 0 }),
  },
  public_state_versions: {
    table: 'public_state_versions',
    columns: `account_id text, project_id uuid, environment smallint, version bigint, written_at bigint, state_bytes bigint,
      depth smallint, checksum integer, author text, comment text, comment_bytes integer, state text`,
    isOfProject: true,
    added: ({ comment }) => ({ comment_bytes: commentBytes(comment as string | null) || null }),
  },
  user_states: {
    table: 'user_states',
    columns: `account_id text, project_id uuid, environment smallint, end_user_id text, record_id uuid, created_micros bigint,
      updated_at bigint, version bigint, state_bytes bigint, grown_bytes bigint, state text`,
    isOfProject: true,
    added: (record) => ({
      record_id: recordIdOf(record.position as number),
      created_micros: (record.created_at as number) * 1000,
      grown_bytes: record.state_bytes as number,
    }),
  },
  sign_ins: {
    table: 'authorization_codes',
    columns: `code_hash bytea, ${grantColumns}, redirect_uri text, code_challenge text, expires_at bigint, email text,
      name text, family_id text`,
    isOfProject: true,
    added: (record) => ({ expires_at: record.code_expires_at as number }),
  },
  write_repeats: {
    table: 'write_repeats',
    columns:
      'account_id text, scope bytea, slot smallint, repeat_key bytea, request bytea, version bigint, written_at bigint',
  },
};

/** The families that codes of `sign_ins` were spent for. */
export const familiesTable: TransferTable = {
  table: 'refresh_families',
  columns: `family_id text, ${grantColumns}, created_at bigint, idle_expires_at bigint, absolute_expires_at bigint,
    secret_hash bytea, previous_secret_hash bytea, replaced_at bigint, code_hash bytea, code_expires_at bigint,
    sweep_at bigint`,
  isOfProject: true,
  added: (record) => ({
    sweep_at:
      record.secret_hash === null
        ? (record.code_expires_at as number)
        : Math.min(record.idle_expires_at as number, record.absolute_expires_at as number),
  }),
};

/** All other tables of accounts, and tables whose rows are derived from others. */
export const derivedTables = ['refresh_families', 'end_users', 'user_usage', 'end_user_floors', 'orphans'] as const;
