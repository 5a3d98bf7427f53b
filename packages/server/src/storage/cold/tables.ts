/**
 * The tables of what is used rarely, declared once: the schema of both engines, copies from one to the other and the clearing away of
 * deleted accounts follow from this list. Tables that every request or refresh meets are each engine's own.
 *
 * Texts that people chose are JSON strings (rows.ts). Times are milliseconds since the epoch. A directory of users is named by the id
 * of its account, that of the developers by the empty text.
 *
 * Each table says with which migration it came (`since`), and so does each column and index that came later. What has landed never
 * changes: databases were made with it (CONTRIBUTING.md, "Adding a field to a record").
 */
import { type ColdTable, columnsIn } from './declaration.ts';

export const coldTables = {
  /**
   * A limit is null where that of the installation holds, and 0 is unlimited. `projects` counts those of the account.
   * `require_second_factor` is 0 or 1.
   */
  accounts: {
    title: 'accounts',
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
      require_second_factor: { since: 8, type: 'integer', default: 0 },
    },
    key: ['account_id'],
    indexes: { accounts_by_creation: '(created_at, account_id)' },
  },
  /**
   * What lies in a project carries its id, which is never used twice. So deleting the few rows that lead to a project puts everything in it
   * out of reach at once, whatever its size. `protected_environments` is a JSON list of names.
   */
  projects: {
    title: 'projects',
    since: 1,
    columns: {
      project_id: 'made',
      account_id: 'text',
      slug: 'text',
      name: 'text',
      created_at: 'integer',
      protected_environments: { since: 2, type: 'text', default: '[]' },
    },
    key: ['account_id', 'slug'],
    indexes: { projects_by_creation: '(account_id, created_at, slug)' },
    owner: 'account_id',
  },
  /** In one month, or on one day (usage-rows.ts). */
  api_requests: {
    title: 'counts of API requests',
    since: 1,
    columns: { account_id: 'text', month_starts_at: 'integer', requests: 'integer' },
    key: ['account_id', 'month_starts_at'],
    owner: 'account_id',
    isUpdatedOften: true,
  },
  /** What deleted projects leave: where the versions of the next one of this name go on. */
  version_floors: {
    title: 'versions of deleted projects',
    since: 1,
    columns: { account_id: 'text', slug: 'text', environment: 'integer', version: 'integer', user_version: 'integer' },
    key: ['account_id', 'slug', 'environment'],
    owner: 'account_id',
  },
  /** At most 1,000 of a project. `position` orders those that were created at the same time. */
  api_keys: {
    title: 'API keys',
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
    },
    key: ['key_hash'],
    indexes: { api_keys_by_project: '(account_id, slug)', api_keys_by_id: '(key_id)' },
    owner: 'account_id',
    isOfProject: true,
  },
  /** The sign-in settings of projects. */
  end_user_auth: {
    title: 'sign-in settings',
    since: 1,
    columns: { account_id: 'text', slug: 'text', settings: 'text' },
    key: ['account_id', 'slug'],
    owner: 'account_id',
    isOfProject: true,
  },
  /** Who has which account. They are deleted with it, at once. When somebody was last seen is right to an hour. */
  developers: {
    title: 'developers',
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
  /** Links that make whoever opens them a member of an account. `inviter` is null for those of the operator. */
  invitations: {
    title: 'invitations',
    since: 3,
    columns: {
      invitation_hash: 'bytes',
      invitation_id: 'text',
      account_id: 'text',
      role: 'text',
      inviter: 'text?',
      created_at: 'integer',
      expires_at: 'integer',
    },
    key: ['invitation_hash'],
    indexes: {
      invitations_by_account: '(account_id, created_at, invitation_id)',
      invitations_by_expiry: '(expires_at)',
    },
    owner: 'account_id',
  },
  signing_keys: {
    title: 'signing keys',
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
  /** Tickets are good for one use, and remembered until they expire. */
  spent_tickets: {
    title: 'spent tickets',
    since: 1,
    columns: { ticket_hash: 'bytes', expires_at: 'integer' },
    key: ['ticket_hash'],
    indexes: { spent_tickets_by_expiry: '(expires_at)' },
  },
  identity_providers: {
    title: 'identity providers',
    since: 1,
    columns: {
      directory_id: 'text',
      provider_id: 'text',
      created_at: 'integer',
      updated_at: 'integer',
      settings: 'text',
      sealed_secret: 'bytes?',
    },
    key: ['directory_id', 'provider_id'],
    owner: 'directory_id',
  },
  /** `position` counts the sign-ups of an address from 1, so that the newest is known among those of one millisecond. */
  pending_sign_ups: {
    title: 'pending sign-ups',
    since: 1,
    columns: {
      sign_up_hash: 'bytes',
      directory_id: 'text',
      position: 'integer',
      created_at: 'integer',
      expires_at: 'integer',
      attempts_left: 'integer',
      code_hash: 'bytes',
      email: 'text',
      email_key: 'text',
      name: 'text?',
      password_hash: 'text',
    },
    key: ['sign_up_hash'],
    indexes: {
      pending_sign_ups_by_email: '(directory_id, email_key)',
      pending_sign_ups_by_expiry: '(expires_at)',
    },
    owner: 'directory_id',
  },
  password_resets: {
    title: 'password resets',
    since: 1,
    columns: {
      token_hash: 'bytes',
      directory_id: 'text',
      user_id: 'text',
      expires_at: 'integer',
      return_query: 'text',
    },
    key: ['token_hash'],
    indexes: { password_resets_by_user: '(directory_id, user_id)', password_resets_by_expiry: '(expires_at)' },
    owner: 'directory_id',
  },
  /** `position` counts the passkeys of a user from 1. */
  passkeys: {
    title: 'passkeys',
    since: 1,
    columns: {
      directory_id: 'text',
      credential_id: 'text',
      user_id: 'text',
      position: 'integer',
      counter: 'integer',
      created_at: 'integer',
      last_used_at: 'integer?',
      transports: 'text',
      public_key: 'bytes',
    },
    key: ['directory_id', 'credential_id'],
    indexes: { passkeys_by_user: '(directory_id, user_id)' },
    owner: 'directory_id',
  },
  /** The sealed secret of an authenticator app. `last_step` is the newest time step of which a code was used. */
  second_factors: {
    title: 'second factors',
    since: 8,
    columns: {
      directory_id: 'text',
      user_id: 'text',
      created_at: 'integer',
      last_step: 'integer',
      sealed_secret: 'bytes',
    },
    key: ['directory_id', 'user_id'],
    owner: 'directory_id',
  },
  /** Keyed hashes of codes that stand in for the app, each once. */
  recovery_codes: {
    title: 'recovery codes',
    since: 8,
    columns: { directory_id: 'text', user_id: 'text', code_hash: 'bytes' },
    key: ['directory_id', 'user_id', 'code_hash'],
    owner: 'directory_id',
  },
  federated_identities: {
    title: 'links to identity providers',
    since: 1,
    columns: { directory_id: 'text', provider_id: 'text', issuer: 'text', subject: 'text', user_id: 'text' },
    key: ['directory_id', 'provider_id', 'issuer', 'subject'],
    indexes: { federated_identities_by_user: '(directory_id, user_id)' },
    owner: 'directory_id',
  },
  /**
   * Users of the built-in identity provider and of others. `email_key` is null but for users with a password, who alone are found by their
   * address. They come after all that refers to them: rows of a deleted account are cleared away in the order of this list.
   */
  users: {
    title: 'users',
    since: 1,
    columns: {
      directory_id: 'text',
      user_id: 'text',
      created_at: 'integer',
      email: 'text?',
      email_key: 'text?',
      name: 'text?',
      password_hash: 'text?',
      reset_at: 'integer?',
    },
    key: ['directory_id', 'user_id'],
    indexes: {
      users_by_email: 'UNIQUE (directory_id, email_key) WHERE email_key IS NOT NULL',
      users_by_creation: '(directory_id, created_at, user_id)',
    },
    owner: 'directory_id',
  },
} as const satisfies Readonly<Record<string, ColdTable>>;

export type ColdTableName = keyof typeof coldTables;
export const coldTableNames = Object.keys(coldTables) as ColdTableName[];

/** Returns a table by its name, without what is special to its declaration. */
export const coldTable = (name: ColdTableName): ColdTable => coldTables[name];

/** SQL: each deletes the rows of one table that belong to the project with the account id `$1` and the slug `$2`. */
export const projectDeletions: readonly string[] = coldTableNames
  .filter((name) => coldTable(name).isOfProject)
  .map((name) => `DELETE FROM ${name} WHERE account_id = $1 AND slug = $2`);

/** The columns of a table that mean the same in every database. */
export const columnsOf = (name: ColdTableName): string[] =>
  columnsIn(coldTable(name)).flatMap((column) => (column.type === 'made' ? [] : [column.name]));

/** Returns something for each table. */
export function forColdTables<Made>(make: (name: ColdTableName) => Made): Readonly<Record<ColdTableName, Made>> {
  return Object.fromEntries(coldTableNames.map((name) => [name, make(name)])) as Readonly<Record<ColdTableName, Made>>;
}

/**
 * SQL: whether the account of a row of `table` still exists; true for the directory of the developers and for rows that belong to the
 * installation. `row` is the name of the table in the statement.
 */
export function ownerExists(table: ColdTableName, row: string = table): string {
  const { owner } = coldTable(table);
  if (owner === undefined) return 'true';
  const exists = `EXISTS (SELECT 1 FROM accounts WHERE accounts.account_id = ${row}.${owner})`;
  return owner === 'directory_id' ? `(${row}.directory_id = '' OR ${exists})` : exists;
}
