/** Which writes of state were carried out, for clients that send them again. */

import type { DatabaseSync } from 'node:sqlite';
import { scopeHash } from '../../cold/scope-hash.ts';
import { bytesAt, integerAt } from '../../columns.ts';
import { type Repeat, type Repeated, type RepeatStore, repeatsOfDocumentMax } from '../../repeat-store.ts';
import type { Dependencies } from '../dependencies.ts';
import { statement } from '../directory/database.ts';
import { smallCommandCharacters } from '../writer/changes.ts';
import type { Commands } from '../writer/commands.ts';

/** Rows that one sweep looks at. */
const sweepRowsMax = 500;

const isSameRequest = (row: Readonly<Record<string, unknown>>, { request }: Repeat): boolean =>
  Buffer.compare(bytesAt(row, 'request'), request) === 0;

/** Returns the methods of the store that keep repeated writes. */
export function createRepeats({ queue, reader }: Pick<Dependencies, 'queue' | 'reader'>): RepeatStore {
  return {
    findRepeat(accountId, repeat) {
      // No row: the key is not known.
      const row = reader.get(
        `SELECT version, request FROM accounts JOIN write_repeats USING (account_id)
         WHERE account_id = ? AND scope = ? AND repeat_key = ?`,
        accountId,
        scopeHash(repeat.scope),
        repeat.key,
      );
      return row && { version: integerAt(row, 'version'), isSame: isSameRequest(row, repeat) };
    },
    sweepRepeats: (writtenBefore) => queue.submit(smallCommandCharacters, 'sweepRepeats', writtenBefore),
  };
}

/** What a write of state does about repeats, within its transaction on the writer thread. */
export interface RepeatWrites {
  /** What a write that was carried out with this key has written. */
  find(accountId: string, repeat: Repeat): Repeated | undefined;
  /** Keeps that this version was written with the key. */
  keep(accountId: string, repeat: Repeat, version: number, writtenAt: number): void;
}

/** Returns what writes of state do about repeats. */
export function repeatWrites(database: DatabaseSync): RepeatWrites {
  // No row: the key is not known.
  const find = statement(
    database,
    'SELECT version, request FROM write_repeats WHERE account_id = ? AND scope = ? AND repeat_key = ?',
  );
  // One row, always. It takes the place of the one that many versions older, and goes to the end of the table.
  const put = statement(
    database,
    `REPLACE INTO write_repeats (account_id, scope, slot, repeat_key, request, version, written_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    find(accountId, repeat) {
      const row = find.get(accountId, scopeHash(repeat.scope), repeat.key);
      return row && { kind: 'repeated', version: integerAt(row, 'version'), isSame: isSameRequest(row, repeat) };
    },
    keep(accountId, { scope, key, request }, version, writtenAt) {
      put.changes(accountId, scopeHash(scope), version % repeatsOfDocumentMax, key, request, version, writtenAt);
    },
  };
}

/** The sweep of repeats, on the writer thread. */
export function repeatSweepWrites(database: DatabaseSync): Pick<Commands, 'sweepRepeats'> {
  // A row for each of the oldest that were written before then. Rows lie in the order in which they were written.
  const remove = statement(
    database,
    `DELETE FROM write_repeats WHERE repeat_number IN (SELECT repeat_number FROM (
       SELECT repeat_number, written_at FROM write_repeats ORDER BY repeat_number LIMIT ${sweepRowsMax})
     WHERE written_at < ?)`,
  );
  return { sweepRepeats: (writtenBefore) => remove.changes(writtenBefore) };
}
