/** Turns rows into accounts. */
import type { Account, ListedAccount } from '../contract/accounts.ts';
import { decodedTextAt, integerAt, optionalIntegerAt, type Row, textAt } from './columns.ts';

export const toAccount = (row: Row): Account => ({
  accountId: textAt(row, 'account_id'),
  name: decodedTextAt(row, 'name'),
  idpTenantId: textAt(row, 'idp_tenant_id'),
  createdAt: integerAt(row, 'created_at'),
  requireSecondFactor: integerAt(row, 'require_second_factor') === 1,
  suspendedAt: optionalIntegerAt(row, 'suspended_at'),
  signedOutAt: optionalIntegerAt(row, 'signed_out_at'),
});

export const toListedAccount = (row: Row): ListedAccount => ({
  ...toAccount(row),
  lastSeenAt: optionalIntegerAt(row, 'last_seen_at'),
});
