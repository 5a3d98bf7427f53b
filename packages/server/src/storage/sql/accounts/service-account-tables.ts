/** The tables of service accounts (tables.ts). */
import type { SharedTable } from '../schema/declaration.ts';

export const serviceAccountTables = {
  /**
   * At most 100 per account. `maker_hash` is the key of the developer who created it, if known (directories.ts). `environments` is
   * null for all environments. The time of the last use is accurate to a minute.
   */
  service_accounts: {
    title: 'service accounts',
    placement: 'managed',
    since: 6,
    columns: {
      account_id: 'text',
      service_account_id: 'text',
      name: 'text',
      role: 'text',
      environments: 'text?',
      created_at: 'integer',
      last_used_at: 'integer?',
      expires_at: 'integer?',
      maker_hash: { since: 24, type: 'bytes?' },
    },
    key: ['account_id', 'service_account_id'],
    owner: 'account_id',
  },
  /** At most two per service account, so that one can replace the other. They are deleted with the service account. */
  service_account_secrets: {
    title: 'secrets of service accounts',
    placement: 'managed',
    since: 6,
    columns: {
      secret_hash: 'bytes',
      secret_id: 'text',
      account_id: 'text',
      service_account_id: 'text',
      created_at: 'integer',
      last_used_at: 'integer?',
      maker_hash: { since: 24, type: 'bytes?' },
    },
    key: ['secret_hash'],
    indexes: { service_account_secrets_by_account: '(account_id, service_account_id)' },
    owner: 'account_id',
  },
} as const satisfies Readonly<Record<string, SharedTable>>;
