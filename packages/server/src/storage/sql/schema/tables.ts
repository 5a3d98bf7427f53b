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
import { accountTable, developerTable, invitationTable, memberTable } from '../accounts/account-tables.ts';
import { serviceAccountTables } from '../accounts/service-account-tables.ts';
import { auditRecords } from '../audit/audit-table.ts';
import { playerLinkTables, playerTables } from '../players/player-tables.ts';
import { apiKeyTable, historyStarts, playerAuthTable, projectTable, versionFloors } from '../projects/project-tables.ts';
import { proposalTables } from '../proposals/proposal-tables.ts';
import { revokedTokenTables } from '../sign-in/revoked-tokens.ts';
import { signingKeyTable } from '../sign-in/signing-keys.ts';
import { schemaTables } from '../states/schema-tables.ts';
import { clockMark } from '../upkeep/clock-trust.ts';
import { keptKeys } from '../upkeep/kept-keys.ts';
import { rollbackTables } from '../upkeep/rollback-table.ts';
import { usageTables } from '../usage/usage-tables.ts';
import { identityTables, spentTickets } from '../users/identity-tables.ts';
import { webhookTables } from '../webhooks/webhook-tables.ts';
import { columnsIn, type SharedTable } from './declaration.ts';

export const sharedTables = {
  accounts: accountTable,
  projects: projectTable,
  ...usageTables,
  version_floors: versionFloors,
  history_starts: historyStarts,
  api_keys: apiKeyTable,
  end_user_auth: playerAuthTable,
  developers: developerTable,
  members: memberTable,
  invitations: invitationTable,
  audit_records: auditRecords,
  ...serviceAccountTables,
  ...rollbackTables,
  ...schemaTables,
  ...webhookTables,
  ...proposalTables,
  ...playerLinkTables,
  signing_keys: signingKeyTable,
  kept_keys: keptKeys,
  clock_mark: clockMark,
  spent_tickets: spentTickets,
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
  .filter((name) => sharedTable(name).isOfProject || sharedTable(name).mayNameProject)
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
