/**
 * The tables of rarely used data, declared once: the schema of both engines, copies from one to the other and the clearing of deleted
 * accounts follow from this list. Each engine has its own tables for data used by every request or refresh.
 *
 * Texts chosen by people are JSON strings (stored-texts.ts). Times are milliseconds since the epoch. A directory of users is named by its account
 * id, the developers' directory by the empty string.
 *
 * Each table names its migration (`since`), and so does each column and index added later. What has landed never changes: databases were
 * made with it (CONTRIBUTING.md, "Adding a field to a record").
 */
import { namedProjectFields } from '../../contract/projects.ts';
import { projectColumn } from '../../rows/project-rows.ts';
import { serviceAccountTables } from '../accounts/service-account-tables.ts';
import { auditRecords } from '../audit/audit-table.ts';
import { playerLinkTables, playerTables } from '../players/player-tables.ts';
import { proposalTables } from '../proposals/proposal-tables.ts';
import { revokedTokenTables } from '../sign-in/revoked-tokens.ts';
import { schemaTables } from '../states/schema-tables.ts';
import { clockMark } from '../upkeep/clock-trust.ts';
import { keptKeys } from '../upkeep/kept-keys.ts';
import { rollbackTables } from '../upkeep/rollback-table.ts';
import { usageTables } from '../usage/usage-tables.ts';
import { identityTables } from '../users/identity-tables.ts';
import { webhookTables } from '../webhooks/webhook-tables.ts';
import { columnsIn, type SharedTable } from './declaration.ts';

/** The columns of fields that were added to projects. */
const addedProjectColumns: SharedTable['columns'] = Object.fromEntries(
  namedProjectFields.flatMap(([name, { column, since, isNullable, default: byDefault }]) => {
    if (since === undefined) return [];
    const stored = { since, type: 'text', default: String(projectColumn(name, byDefault)) } as const;
    return [[column, isNullable ? { since, type: 'text?' as const } : stored] as const];
  }),
);

export const sharedTables = {
  /**
   * A null limit means the installation's, and 0 is unlimited. `projects` counts the account's projects. `require_second_factor` is 0 or 1.
   * `audit_position` is the position of the newest audit record, and `audit_bytes` the size of all audit records; `schema_bytes` is the
   * size of all versions of all schemas, `proposal_bytes` that of all proposals. From `suspended_at` on, the account is not served; access
   * tokens from before `signed_out_at` are rejected. `webhook_networks` is a JSON list of private networks that its webhooks may reach.
   */
  accounts: {
    title: 'accounts',
    placement: 'reference',
    since: 1,
    columns: {
      account_id: 'text',
      name: 'text',
      idp_tenant_id: 'text',
      created_at: 'integer',
      projects: 'integer',
      api_requests_max: 'integer?',
      projects_max: 'integer?',
      end_users_max: 'integer?',
      storage_bytes_max: 'integer?',
      audit_position: { since: 7, type: 'integer', default: 0 },
      audit_bytes: { since: 7, type: 'integer', default: 0 },
      require_second_factor: { since: 8, type: 'integer', default: 0 },
      schema_bytes: { since: 10, type: 'integer', default: 0 },
      suspended_at: { since: 15, type: 'integer?' },
      signed_out_at: { since: 15, type: 'integer?' },
      requests_per_minute_max: { since: 17, type: 'integer?' },
      webhook_networks: { since: 23, type: 'text?' },
      proposal_bytes: { since: 24, type: 'integer', default: 0 },
    },
    key: ['account_id'],
    indexes: { accounts_by_creation: '(created_at, account_id)' },
  },
  /**
   * Records of a project carry its id, which is never used twice. Deleting the few rows that lead to a project therefore makes all of it
   * unreachable, regardless of its size. contract/projects.ts lists the columns of
   * its fields.
   */
  projects: {
    title: 'projects',
    placement: 'reference',
    since: 1,
    columns: {
      project_id: 'generated',
      account_id: 'text',
      slug: 'text',
      name: 'text',
      created_at: 'integer',
      ...addedProjectColumns,
    },
    key: ['account_id', 'slug'],
    indexes: { projects_by_creation: '(account_id, created_at, slug)' },
    owner: 'account_id',
  },
  ...usageTables,
  /** Left by deleted projects: where the versions of the next project with this name continue. */
  version_floors: {
    title: 'versions of deleted projects',
    placement: 'managed',
    since: 1,
    columns: {
      account_id: 'text',
      slug: 'text',
      environment: 'integer',
      version: 'integer',
      user_version: 'integer',
      schema_version: { since: 10, type: 'integer', default: 0 },
    },
    key: ['account_id', 'slug', 'environment'],
    owner: 'account_id',
  },
  /** Documents of public state whose oldest versions were dropped: `version` is the oldest stored one. */
  history_starts: {
    title: 'starts of histories',
    placement: 'managed',
    since: 15,
    columns: { account_id: 'text', slug: 'text', environment: 'integer', version: 'integer' },
    key: ['account_id', 'slug', 'environment'],
    owner: 'account_id',
    isOfProject: true,
  },
  /** At most 1,000 of a project. `position` orders keys created at the same time. `sealed_key` is null for secret keys. */
  api_keys: {
    title: 'API keys',
    placement: 'managed',
    since: 1,
    columns: {
      key_hash: 'bytes',
      key_id: 'text',
      account_id: 'text',
      slug: 'text',
      position: 'integer',
      name: 'text',
      start: 'text',
      kind: 'text',
      access: 'text',
      environments: 'text',
      created_at: 'integer',
      last_used_at: 'integer?',
      expires_at: 'integer?',
      requests_per_minute_max: { since: 17, type: 'integer?' },
      sealed_key: { since: 22, type: 'bytes?' },
    },
    key: ['key_hash'],
    indexes: { api_keys_by_project: '(account_id, slug)', api_keys_by_id: '(key_id)' },
    owner: 'account_id',
    isOfProject: true,
  },
  /** The sign-in settings of projects. */
  end_user_auth: {
    title: 'sign-in settings',
    placement: 'managed',
    since: 1,
    columns: { account_id: 'text', slug: 'text', settings: 'text' },
    key: ['account_id', 'slug'],
    owner: 'account_id',
    isOfProject: true,
  },
  /**
   * The owner of each account, at most one account per developer, as nodes of 0.1.0 see it. Rows are deleted with the account, in the same
   * step. An owner without a member record is listed only here (members.ts). The time when a developer was last seen is accurate to an
   * hour.
   */
  developers: {
    title: 'developers',
    placement: 'managed',
    since: 1,
    columns: {
      developer_hash: 'bytes',
      issuer: 'text',
      subject: 'text',
      account_id: 'text',
      last_seen_at: { since: 2, type: 'integer?' },
    },
    key: ['developer_hash'],
    indexes: { developers_by_account: '(account_id)' },
    owner: 'account_id',
  },
  /**
   * The members of accounts. `environments` is a JSON list of names; null means all environments. `name` and `email` are from the last
   * sign-in. A developer of an account without a row here is an owner who has not been seen since before this table, and gets one
   * (members.ts).
   */
  members: {
    title: 'members',
    placement: 'managed',
    since: 5,
    columns: {
      account_id: 'text',
      developer_hash: 'bytes',
      member_id: 'text',
      issuer: 'text',
      subject: 'text',
      role: 'text',
      environments: 'text?',
      name: 'text?',
      email: 'text?',
      joined_at: 'integer',
      last_seen_at: 'integer?',
    },
    key: ['account_id', 'developer_hash'],
    indexes: { members_by_id: '(account_id, member_id)', members_by_developer: '(developer_hash)' },
    owner: 'account_id',
  },
  /**
   * Links that make the person who opens them a member of an account. `inviter` and `maker_id`, a member's id, are null for the operator's
   * invitations. If `email` is set, only a person with that address can use the link.
   */
  invitations: {
    title: 'invitations',
    placement: 'managed',
    since: 3,
    columns: {
      invitation_hash: 'bytes',
      invitation_id: 'text',
      account_id: 'text',
      role: 'text',
      inviter: 'text?',
      created_at: 'integer',
      expires_at: 'integer',
      environments: { since: 5, type: 'text?' },
      email: { since: 5, type: 'text?' },
      maker_id: { since: 5, type: 'text?' },
    },
    key: ['invitation_hash'],
    indexes: {
      invitations_by_account: '(account_id, created_at, invitation_id)',
      invitations_by_expiry: '(expires_at)',
    },
    owner: 'account_id',
  },
  audit_records: auditRecords,
  ...serviceAccountTables,
  ...rollbackTables,
  ...schemaTables,
  ...webhookTables,
  ...proposalTables,
  ...playerLinkTables,
  signing_keys: {
    title: 'signing keys',
    placement: 'local',
    since: 1,
    columns: {
      key_id: 'text',
      purpose: 'text',
      public_jwk: 'text',
      sealed_private_jwk: 'bytes',
      created_at: 'integer',
    },
    key: ['key_id'],
  },
  kept_keys: keptKeys,
  clock_mark: clockMark,
  /** Tickets are valid for one use, and remembered until they expire. */
  spent_tickets: {
    title: 'spent tickets',
    placement: 'local',
    since: 1,
    columns: { ticket_hash: 'bytes', expires_at: 'integer' },
    key: ['ticket_hash'],
    indexes: { spent_tickets_by_expiry: '(expires_at)' },
  },
  ...playerTables,
  ...revokedTokenTables,
  ...identityTables,
} as const satisfies Readonly<Record<string, SharedTable>>;

export type SharedTableName = keyof typeof sharedTables;
export const sharedTableNames = Object.keys(sharedTables) as SharedTableName[];

/** Returns a table by name, without the specifics of its declaration. */
export const sharedTable = (name: SharedTableName): SharedTable => sharedTables[name];

/** SQL: each deletes the rows of one table that belong to the project with the account id `$1` and the slug `$2`. */
export const projectDeletions: readonly string[] = sharedTableNames
  .filter((name) => sharedTable(name).isOfProject || name === 'request_figures')
  .map((name) => `DELETE FROM ${name} WHERE account_id = $1 AND ${sharedTable(name).ofProject ?? 'slug = $2'}`);

/** The columns of a table with the same meaning in every database. */
export const columnsOf = (name: SharedTableName): string[] =>
  columnsIn(sharedTable(name)).flatMap((column) => (column.type === 'generated' ? [] : [column.name]));

/** Maps each table to a result. */
export function forSharedTables<Result>(
  make: (name: SharedTableName) => Result,
): Readonly<Record<SharedTableName, Result>> {
  return Object.fromEntries(sharedTableNames.map((name) => [name, make(name)])) as Readonly<
    Record<SharedTableName, Result>
  >;
}

/**
 * SQL: whether the account of a row of `table` still exists; true for the developers' directory and for rows of the installation. `row` is
 * the name of the table in the statement, `accounts` a table of this name.
 */
export function ownerExists(table: SharedTableName, row: string = table, accounts = 'accounts'): string {
  const { owner } = sharedTable(table);
  if (owner === undefined) return 'true';
  const exists = `EXISTS (SELECT 1 FROM ${accounts} WHERE accounts.account_id = ${row}.${owner})`;
  return owner === 'directory_id' ? `(${row}.directory_id = '' OR ${exists})` : exists;
}
