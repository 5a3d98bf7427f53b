/** What writes of state do about repeats. */
import type { DatabaseSync } from 'node:sqlite';
import { type Repeat, type Repeated, repeatsOfDocumentMax } from '../../repeat-store.ts';
import { findRepeat, toFoundRepeat } from '../../sql/repeats.ts';
import { scopeHash } from '../../sql/scope-hash.ts';
import { statement } from '../directory/database.ts';
import { forSqlite } from '../steps.ts';

/** What a write of state does about repeats, within its transaction on the writer thread. */
export interface RepeatWrites {
  /** What a write that was carried out with this key has written. */
  find(accountId: string, repeat: Repeat): Repeated | undefined;
  /** Keeps that this version was written with the key. */
  keep(accountId: string, repeat: Repeat, version: number, writtenAt: number): void;
}

/** Returns what writes of state do about repeats. */
export function repeatWrites(database: DatabaseSync): RepeatWrites {
  const find = statement(database, forSqlite(findRepeat));
  // One row, always. It takes the place of the one that many versions older, and goes to the end of the table.
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
