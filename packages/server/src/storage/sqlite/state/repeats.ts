/** Repeats in writes of state. */
import type { DatabaseSync } from 'node:sqlite';
import { type Repeat, type Repeated, repeatsOfDocumentMax } from '../../contract/repeats.ts';
import { findRepeat, scopeHash, toFoundRepeat } from '../../sql/states/repeats.ts';
import { statement } from '../directory/database.ts';
import { forSqlite } from '../steps.ts';

/** Finds and stores repeats for a write of state, within its transaction on the writer thread. */
export interface RepeatWrites {
  /** Returns the result of an earlier write with this key. */
  find(accountId: string, repeat: Repeat): Repeated | undefined;
  /** Records that this version was written with the key. */
  keep(accountId: string, repeat: Repeat, version: number, writtenAt: number): void;
}

/** Returns the handling of repeats for writes of state. */
export function repeatWrites(database: DatabaseSync): RepeatWrites {
  const find = statement(database, forSqlite(findRepeat));
  // One row, always. It replaces the one that is so many versions older, and is appended to the table.
  const put = statement(
    database,
    `REPLACE INTO write_repeats (account_id, scope, slot, repeat_key, request, version, written_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    find(accountId, repeat) {
      const row = find.get(accountId, scopeHash(repeat.scope), repeat.key);
      return row && { kind: 'repeated', ...toFoundRepeat(row, repeat) };
    },
    keep(accountId, { scope, key, request }, version, writtenAt) {
      put.changes(accountId, scopeHash(scope), version % repeatsOfDocumentMax, key, request, version, writtenAt);
    },
  };
}
