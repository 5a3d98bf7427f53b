/**
 * Ids that are unique across the accounts of a store. A service generates them at random; an import could contain ids of a different
 * account.
 */
import { type TransferKind, type TransferRecord, transferKinds } from './kinds.ts';

const fields: Partial<Readonly<Record<TransferKind, string>>> = {
  // The identity provider uses it to say which account a person belongs to.
  accounts: 'idp_tenant_id',
  api_keys: 'key_id',
  service_accounts: 'service_account_id',
  service_account_secrets: 'secret_id',
  members: 'member_id',
  invitations: 'invitation_id',
  sign_ins: 'family_id',
  webhooks: 'webhook_id',
};

/** The field of a kind whose id is unique across accounts; undefined if there is none. */
export const ownIdField = (kind: TransferKind): string | undefined => fields[kind];

/** A different account of the store has an id of the imported account. */
export class TakenId extends Error {
  constructor(kind: TransferKind) {
    super(`${transferKinds[kind].title}: another account of the store has one with the same "${fields[kind]}" already`);
  }
}

/**
 * Returns the statement that finds a row of an account other than `$2` with one of the ids in `$1`, a JSON list of these records' ids.
 * `found` is the SQL that turns the list into a column. Undefined if there are no ids to look for.
 */
export function takenIdQuery(
  kind: TransferKind,
  records: readonly TransferRecord[],
  { table, found }: { readonly table: string; readonly found: string },
): { readonly sql: string; readonly ids: string } | undefined {
  const field = fields[kind];
  if (field === undefined) return undefined;
  const ids = records.map((record) => record[field] ?? null).filter((id) => id !== null);
  if (ids.length === 0) return undefined;
  // No row: no other account has any of these ids.
  const sql = `SELECT 1 AS found FROM ${table} WHERE ${field} IN (${found}) AND account_id <> $2 LIMIT 1`;
  return { sql, ids: JSON.stringify(ids) };
}
