/** Finds faults in records of the shared tables, and facts that operators should know. Reads all records and changes nothing. */

import { builtInMethods, type IdentityProviderSettings } from '@holdfast/contract';
import { namedProjectFields } from '../../contract/projects.ts';
import { decodedTextAt, type Row, textAt } from '../../rows/columns.ts';
import { columnsIn } from '../schema/declaration.ts';
import { ownerExists, type SharedTableName, sharedTable, sharedTableNames } from '../schema/tables.ts';
import { all, first, one, type Steps, together, type Value } from '../steps.ts';
import { developersDirectory } from '../users/directories.ts';
import { encodedKeys } from '../users/email-keys.ts';

/** Counts the records that break a rule; in messages `fault` follows the number. */
interface Rule {
  readonly table: SharedTableName;
  readonly fault: string;
  /** SQL: the rows that break it, after FROM, named `theirs`. */
  readonly rows: string;
}

/** SQL: whether the account of a row was deleted, and waits for the sweep. */
const isLeft = (owner: string): string => `EXISTS (SELECT 1 FROM orphans WHERE orphans.account_id = theirs.${owner})`;

const ofAccount = (table: SharedTableName, title: string, owner: string): Rule => ({
  table,
  fault: `${title} belong to no account`,
  rows: `${table} AS theirs WHERE theirs.${owner} <> '' AND NOT ${isLeft(owner)}
    AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account_id = theirs.${owner})`,
});

const ofProject = (table: SharedTableName, title: string): Rule => ({
  table,
  fault: `${title} belong to no project`,
  rows: `${table} AS theirs WHERE NOT ${isLeft('account_id')} AND NOT EXISTS (
    SELECT 1 FROM projects WHERE projects.account_id = theirs.account_id AND projects.slug = theirs.slug)`,
});

const ofUser = (table: SharedTableName): Rule => ({
  table,
  fault: `${sharedTable(table).title} belong to no user`,
  rows: `${table} AS theirs WHERE ${ownerExists(table, 'theirs')} AND NOT EXISTS (
    SELECT 1 FROM users WHERE users.directory_id = theirs.directory_id AND users.user_id = theirs.user_id)`,
});

const rules: readonly Rule[] = [
  ...sharedTableNames.flatMap((name) => {
    const { owner, title, isOfProject } = sharedTable(name);
    if (owner === undefined) return [];
    return [isOfProject ? ofProject(name, title) : ofAccount(name, title, owner)];
  }),
  {
    table: 'service_account_secrets',
    fault: `${sharedTable('service_account_secrets').title} belong to no service account`,
    rows: `service_account_secrets AS theirs WHERE ${ownerExists('service_account_secrets', 'theirs')} AND NOT EXISTS (
      SELECT 1 FROM service_accounts AS others
      WHERE others.account_id = theirs.account_id AND others.service_account_id = theirs.service_account_id)`,
  },
  ...(['password_resets', 'passkeys', 'second_factors', 'recovery_codes', 'federated_identities'] as const).map(ofUser),
  {
    table: 'users',
    fault: 'users have no way to sign in: no password, no passkey and no link to an identity provider',
    rows: `users AS theirs WHERE password_hash IS NULL AND ${ownerExists('users', 'theirs')} AND NOT EXISTS (
      SELECT 1 FROM federated_identities AS links
      WHERE links.directory_id = theirs.directory_id AND links.user_id = theirs.user_id) AND NOT EXISTS (
      SELECT 1 FROM passkeys AS keys
      WHERE keys.directory_id = theirs.directory_id AND keys.user_id = theirs.user_id)`,
  },
];

/** Columns of JSON, with the message about invalid JSON. */
const jsonColumns = [
  ['passkeys', 'transports', 'passkeys have transports that are not JSON'],
  ['identity_providers', 'settings', 'identity providers have settings that are not JSON'],
  ['end_user_auth', 'settings', 'sign-in settings are not JSON'],
  ...namedProjectFields.flatMap(([, { column, form }]) =>
    form === 'json' ? [['projects', column, `projects have "${column}" that is not JSON`] as const] : [],
  ),
  ['proposals', 'ops', 'proposals have operations that are not JSON'],
  ['proposals', 'approvals', 'proposals have approvals that are not JSON'],
  ['proposals', 'failure', 'proposals have failures that are not JSON'],
  ['webhook_deliveries', 'last_try', 'deliveries have tries that are not JSON'],
  ['shapes', 'schema', 'schemas are not JSON'],
  ['members', 'environments', 'members have environments that are not JSON'],
  ['invitations', 'environments', 'invitations have environments that are not JSON'],
] as const;

/**
 * Returns a line for each broken rule about references between records, and about their texts. Tables that a database of an older program
 * lacks are skipped.
 */
export function* inspectReferences(): Steps<readonly string[]> {
  // One row, always.
  const applied = Number((yield* first('SELECT max(number) AS number FROM migrations'))?.number);
  const found: string[] = [];
  const note = (count: number, fault: string) => {
    if (count > 0) found.push(`${count} ${fault}`);
  };
  for (const { table, fault, rows } of rules) {
    if (sharedTable(table).since > applied) continue;
    const row = yield* one(`SELECT count(*) AS broken FROM ${rows}`);
    note(Number(row.broken), fault);
  }
  for (const [table, column, fault] of jsonColumns) {
    if (!columnsIn(sharedTable(table)).some(({ name, since }) => name === column && since <= applied)) continue;
    let broken = 0;
    for (let rows = yield* page(table, column); rows.length > 0; rows = yield* page(table, column, rows.at(-1))) {
      broken += rows.filter((row) => parsed(row[column]) === undefined).length;
    }
    note(broken, fault);
  }
  return found;
}

/** Returns a line for each account with a wrong number of projects, or wrong bytes of audit records, schemas or proposals. */
export function* inspectTotals(): Steps<readonly string[]> {
  // A row for each of them.
  const rows = yield* all(
    `SELECT account_id, projects, (SELECT count(*) FROM projects WHERE projects.account_id = accounts.account_id) AS found
     FROM accounts
     WHERE projects <> (SELECT count(*) FROM projects WHERE projects.account_id = accounts.account_id) ORDER BY account_id`,
  );
  return [
    ...rows.map((row) => `${row.account_id} is counted with ${row.projects} projects, but has ${row.found}`),
    ...(yield* inspectBytes('audit_records', 'audit_bytes', 'audit records')),
    ...(yield* inspectBytes('shapes', 'schema_bytes', 'schemas')),
    ...(yield* inspectBytes('proposals', 'proposal_bytes', 'proposals')),
  ];
}

/** Returns a line for each account whose counted bytes differ from its rows in a table. */
function* inspectBytes(
  table: 'audit_records' | 'shapes' | 'proposals',
  counted: string,
  what: string,
): Steps<readonly string[]> {
  const applied = yield* one('SELECT count(*) AS found FROM migrations WHERE number = $1', [sharedTable(table).since]);
  if (Number(applied.found) === 0) return [];
  // A row for each of them.
  const rows = yield* all(
    `SELECT accounts.account_id AS account_id, ${counted} AS counted, coalesce(found, 0) AS found
     FROM accounts LEFT JOIN (SELECT account_id, sum(bytes) AS found FROM ${table} GROUP BY account_id) AS records
       ON records.account_id = accounts.account_id
     WHERE ${counted} <> coalesce(found, 0) ORDER BY accounts.account_id`,
  );
  return rows.map((row) => `${row.account_id} is counted with ${row.counted} bytes of ${what}, but has ${row.found}`);
}

/** The tables whose records are counted for operators. */
const countedTables = {
  accounts: 'accounts',
  projects: 'projects',
  publicStateVersions: 'public_state_versions',
  userStates: 'user_states',
} as const;

/** The number of records in a store. */
export type RecordCounts = Readonly<Record<keyof typeof countedTables, number>>;

/** Counts records. The count is 0 for a table that returns no row. */
export function* countRecords(): Steps<RecordCounts> {
  // One row each, always.
  const counted = yield* together(
    Object.values(countedTables).map((table) => ({ sql: `SELECT count(*) AS count FROM ${table}`, values: [] })),
  );
  const counts = Object.keys(countedTables).map((name, index) => [name, Number(counted[index]?.[0]?.count ?? 0)]);
  return Object.fromEntries(counts) as RecordCounts;
}

/** The maximum number of projects reported. */
const unconfiguredMax = 20;

/** A project that allows providers which its account has not configured. */
export interface UnconfiguredProviders {
  readonly accountId: string;
  readonly slug: string;
  readonly providerIds: readonly string[];
}

/** At most 20 projects whose sign-in settings allow methods that cannot be used, except those with damaged settings. */
export function* findUnconfigured(): Steps<readonly UnconfiguredProviders[]> {
  const found: UnconfiguredProviders[] = [];
  const table = 'end_user_auth';
  for (let rows = yield* page(table, 'settings'); rows.length > 0; rows = yield* page(table, 'settings', rows.at(-1))) {
    for (const row of rows) {
      const [accountId, slug] = [textAt(row, 'account_id'), textAt(row, 'slug')];
      const allowed = allowedProviders(row.settings);
      if (allowed.length === 0) continue;
      // A row for each provider of the account.
      const known = yield* all('SELECT provider_id FROM identity_providers WHERE directory_id = $1', [accountId]);
      const providerIds = allowed.filter((id) => !known.some((one) => one.provider_id === id));
      if (providerIds.length > 0) found.push({ accountId, slug, providerIds });
      if (found.length === unconfiguredMax) return found;
    }
  }
  return found;
}

/** An identity provider of an account, as its settings name it. */
export interface NamedProvider {
  readonly accountId: string;
  readonly providerId: string;
  readonly settings: IdentityProviderSettings;
}

/** Further facts that identify the service of a database, and its providers. */
export interface ServiceIdentity {
  /** The ids of the keys that sign access tokens. */
  readonly keyIds: readonly string[];
  /** In key order, at most 10,000, without those with damaged settings. */
  readonly providers: readonly NamedProvider[];
}

const providersMax = 10_000;

/** Returns the signing keys and the providers of the service. */
export function* findServiceIdentity(): Steps<ServiceIdentity> {
  // A handful of rows.
  const keys = yield* all("SELECT key_id FROM signing_keys WHERE purpose = 'access_token' ORDER BY key_id");
  const providers: NamedProvider[] = [];
  const next = (last?: Row) => page('identity_providers', 'settings', last);
  for (let rows = yield* next(); rows.length > 0 && providers.length < providersMax; rows = yield* next(rows.at(-1))) {
    for (const row of rows) {
      const settings = parsed(row.settings);
      const [accountId, providerId] = [textAt(row, 'directory_id'), textAt(row, 'provider_id')];
      if (settings) providers.push({ accountId, providerId, settings: settings as IdentityProviderSettings });
    }
  }
  return { keyIds: keys.map((row) => textAt(row, 'key_id')), providers };
}

/** The providers that sign-in settings allow; none while sign-in is off. */
function allowedProviders(settings: unknown): string[] {
  const { enabled, allowedIdps } = Object(parsed(settings)) as Readonly<Record<string, unknown>>;
  const allowed: unknown[] = enabled === true && Array.isArray(allowedIdps) ? allowedIdps : [];
  return allowed.filter((id) => typeof id === 'string' && !builtInMethods.includes(id)) as string[];
}

/** Two users of one directory with the same address, in two forms of its domain. */
export interface DuplicateUsers {
  /** Null for the developers. */
  readonly accountId: string | null;
  readonly userIds: readonly [string, string];
}

/** The maximum number of pairs reported. */
const duplicatesMax = 20;

/** At most 20 pairs of users with the same address. Only earlier releases created them. */
export function* findDuplicateUsers(): Steps<readonly DuplicateUsers[]> {
  const found = new Map<string, DuplicateUsers>();
  let [directoryId, userId] = ['', ''];
  for (;;) {
    // A row for each user whose domain may have another form, a few at a time.
    const rows = yield* all(
      `SELECT directory_id, user_id, email_key FROM users
       WHERE (email_key LIKE '%xn--%' OR octet_length(email_key) > length(email_key))
         AND (directory_id, user_id) > ($1, $2) AND ${ownerExists('users')}
       ORDER BY directory_id, user_id LIMIT ${rowsAtOnce}`,
      [directoryId, userId],
    );
    for (const row of rows) {
      [directoryId, userId] = [textAt(row, 'directory_id'), textAt(row, 'user_id')];
      // No row: no user has the address in another form.
      const duplicates = yield* all(
        'SELECT user_id FROM users WHERE directory_id = $1 AND email_key IN ($2, $3, $4) AND user_id <> $5 ORDER BY user_id',
        [directoryId, ...encodedKeys(decodedTextAt(row, 'email_key')), userId],
      );
      const accountId = directoryId === developersDirectory ? null : directoryId;
      for (const duplicate of duplicates) {
        const userIds = [userId, textAt(duplicate, 'user_id')].sort() as [string, string];
        found.set(`${directoryId} ${userIds}`, { accountId, userIds });
        if (found.size === duplicatesMax) return [...found.values()];
      }
    }
    if (rows.length < rowsAtOnce) return [...found.values()];
  }
}

/** Returns the value of a JSON text; undefined if it is not JSON. */
function parsed(text: unknown): unknown {
  try {
    return JSON.parse(text as string);
  } catch {
    return undefined;
  }
}

/** Rows in memory at a time; settings have up to 90 KB each. */
const rowsAtOnce = 100;

/** The next rows after `last` whose accounts exist, each with its key and one more column. */
function* page(table: SharedTableName, column: string, last?: Row): Steps<readonly Row[]> {
  const { key } = sharedTable(table);
  const after = last === undefined ? '' : `AND (${key}) > (${key.map((_, index) => `$${index + 1}`)})`;
  return yield* all(
    `SELECT ${key}, ${column} FROM ${table} WHERE ${ownerExists(table)} ${after} ORDER BY ${key} LIMIT ${rowsAtOnce}`,
    last === undefined ? [] : key.map((name) => last[name] as Value),
  );
}
