/**
 * Writes the records of a copy into an otherwise empty embedded database. Each record has its own statements, since there is no network to
 * wait for. With PostgreSQL, a batch is one statement per table.
 */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { storedGuestId } from '../../contract/guests.ts';
import { type EngineKind, type TransferKind, type TransferRecord, transferKinds } from '../../transfer/kinds.ts';
import { headKeySql, isHeadOf } from '../schema/head-keys.ts';

/** No row: no such project. */
const fromProject = 'FROM projects WHERE account_id = :account_id AND slug = :slug';

/** Inserts the values given after the column names: by default the fields of a record, except the fields for its position. */
function insertion(
  kind: EngineKind,
  table: string,
  position: Readonly<Record<string, string>> = {},
  from = '',
  named: readonly string[] = ['account_id', 'slug'],
): string {
  const fields = transferKinds[kind].fields.filter((field) => from === '' || !named.includes(field));
  const columns = [...fields, ...Object.keys(position)];
  const values = [...fields.map((field) => `:${field}`), ...Object.values(position)];
  return `INSERT INTO ${table} (${columns}) SELECT ${values} ${from}`;
}

/** Statements for each record of a kind. Each in `one` writes one row, each in `some` at most one. */
const writes: Readonly<Record<EngineKind, { readonly one: readonly string[]; readonly some?: readonly string[] }>> = {
  installation: { one: ['UPDATE bucket_key SET secret = :bucket_secret'] },
  environments: {
    one: [],
    some: [
      // The versions themselves are copied later.
      `INSERT INTO public_state_heads (head_key, version)
       SELECT ${headKeySql('project_id', ':environment')}, :version ${fromProject} AND :version > 0`,
      `INSERT INTO user_versions (head_key, version_floor, version_ceiling)
       SELECT ${headKeySql('project_id', ':environment')}, :user_version_floor, :user_version_ceiling ${fromProject}
         AND :user_version_ceiling > 0`,
    ],
  },
  public_state_versions: {
    one: [
      insertion(
        'public_state_versions',
        'public_state_versions',
        { project_id: 'project_id', previous_id: 'newest_id' },
        `FROM projects JOIN public_state_heads ON head_key = ${headKeySql('project_id', ':environment')}
         WHERE account_id = :account_id AND slug = :slug`,
      ),
      `UPDATE public_state_heads
       SET newest_id = last_insert_rowid(), kept_bytes = kept_bytes + :state_bytes + coalesce(octet_length(:comment), 0)
       WHERE head_key = (SELECT ${headKeySql('project_id', ':environment')} ${fromProject})`,
    ],
  },
  user_states: { one: [insertion('user_states', 'user_states', { project_id: 'project_id' }, fromProject)] },
  user_state_versions: {
    one: [
      insertion(
        'user_state_versions',
        'user_state_versions',
        { record_id: 'sequence' },
        `FROM projects JOIN user_states ON user_states.project_id = projects.project_id
           AND end_user_id = :end_user_id AND environment = :environment
         WHERE account_id = :account_id AND slug = :slug`,
        ['account_id', 'slug', 'environment', 'end_user_id'],
      ),
    ],
  },
  sign_ins: {
    one: [
      insertion(
        'sign_ins',
        'sign_ins',
        {
          account_id: ':account_id',
          project_id: `(SELECT project_id ${fromProject})`,
          sweep_at:
            'CASE WHEN :secret_hash IS NULL THEN :code_expires_at ELSE min(:idle_expires_at, :absolute_expires_at) END',
        },
        `WHERE :slug IS NULL OR EXISTS (SELECT 1 ${fromProject})`,
      ),
    ],
  },
  write_repeats: { one: [insertion('write_repeats', 'write_repeats')] },
};

/** Rows of shared tables are written as they are. */
const sharedTableWrite = (kind: TransferKind, or = '') => {
  const { fields } = transferKinds[kind];
  return { one: [`INSERT ${or} INTO ${kind} (${fields}) VALUES (${fields.map((field) => `:${field}`)})`] };
};

/**
 * Returns a function that writes records inside the caller's transaction. Throws an `Error` if a record's owner does not exist or the
 * record already exists; for the kinds `kept`, the existing record stays.
 */
export function createTransferWriter(
  database: DatabaseSync,
  kept: readonly TransferKind[] = [],
): (kind: TransferKind, records: readonly TransferRecord[]) => void {
  const prepare = (sql: string) => {
    const prepared = database.prepare(sql);
    // A record may have more fields than the statement has parameters.
    prepared.setAllowUnknownNamedParameters(true);
    return (record: TransferRecord) => Number(prepared.run(record as Record<string, SQLInputValue>).changes);
  };
  return (kind, records) => {
    const isKept = kept.includes(kind);
    const { one, some = [] } = { ...sharedTableWrite(kind, isKept ? 'OR IGNORE' : ''), ...writes[kind as EngineKind] };
    const [always, sometimes] = [one.map(prepare), some.map(prepare)];
    for (const record of records) {
      for (const run of always) {
        if (run(record) !== 1 && !isKept) throw new Error('a record belongs to nothing that was copied before');
      }
      for (const run of sometimes) run(record);
    }
  };
}

/** SQL: whether a row of `user_states` is a guest's. */
const isStoredGuest = `end_user_id GLOB '${storedGuestId.sqlite}' AND is_linked = 0`;

const ofAccount = 'account_id = :account_id';

/**
 * Statements that compute the totals from the records of all accounts, or of the account `:account_id`, once all are written. Each may be
 * repeated. `records` do not need the account's row; `accounts` run together with its insertion.
 */
export const totals = {
  all: totalsOf('account_id IS NOT NULL', 'NOT INDEXED'),
  account: totalsOf(ofAccount, ''),
};

function totalsOf(isMeant: 'account_id IS NOT NULL' | typeof ofAccount, way: 'NOT INDEXED' | '') {
  const records = [
    `INSERT OR REPLACE INTO project_usage (project_id, end_users, user_state_bytes, guests, guest_bytes)
     SELECT project_id, count(DISTINCT end_user_id), sum(state_bytes + history_bytes),
       count(DISTINCT end_user_id) FILTER (WHERE ${isStoredGuest}), coalesce(sum(state_bytes + history_bytes) FILTER (WHERE ${isStoredGuest}), 0)
     FROM user_states ${way} WHERE project_id IN (SELECT project_id FROM projects WHERE ${isMeant}) GROUP BY project_id`,
  ];
  const accounts = [
    `INSERT OR REPLACE INTO account_usage (account_id, end_users, storage_bytes, guests, guest_bytes)
     SELECT account_id, sum(coalesce(end_users, 0)),
       sum(coalesce(user_state_bytes, 0) + (SELECT coalesce(sum(kept_bytes), 0) FROM public_state_heads
         WHERE ${isHeadOf('project_id')})),
       sum(coalesce(guests, 0)), sum(coalesce(guest_bytes, 0))
     FROM projects LEFT JOIN project_usage USING (project_id) WHERE ${isMeant} GROUP BY account_id`,
    `UPDATE accounts SET projects = (SELECT count(*) FROM projects WHERE projects.account_id = accounts.account_id)
     WHERE ${isMeant}`,
  ];
  return { records, accounts };
}
