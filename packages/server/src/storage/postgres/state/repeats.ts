/** Which writes of state were carried out, for clients that send them again. */

import { scopeHash } from '../../cold/scope-hash.ts';
import { bytesAt, integerAt } from '../../columns.ts';
import { type Repeat, type Repeated, type RepeatStore, repeatsOfDocumentMax } from '../../repeat-store.ts';
import type { Row, Value } from '../connection/query.ts';
import type { Dependencies } from '../dependencies.ts';

/** Rows that one sweep deletes. */
const sweepRowsMax = 250;

/** Returns the methods of the store that keep repeated writes. */
export function createRepeats({ database }: Pick<Dependencies, 'database'>): RepeatStore {
  return {
    async findRepeat(accountId, repeat) {
      // No row: the key is not known.
      const [row] = await database.query(
        'SELECT version, request FROM write_repeats WHERE account_id = $1 AND scope = $2 AND repeat_key = $3',
        [accountId, scopeHash(repeat.scope), repeat.key],
      );
      return row && { version: integerAt(row, 'version'), isSame: isSameRequest(bytesAt(row, 'request'), repeat) };
    },
    async sweepRepeats(writtenBefore) {
      // A row for each that was deleted. One that a write has just taken over is not as old any more, and stays.
      const rows = await database.query(sweepStatement, [writtenBefore]);
      return rows.length;
    },
  };
}

const sweepStatement = `
  DELETE FROM write_repeats WHERE written_at < $1 AND (account_id, scope, slot) IN (
    SELECT account_id, scope, slot FROM write_repeats WHERE written_at < $1 ORDER BY written_at LIMIT ${sweepRowsMax})
  RETURNING 1`;

const isSameRequest = (request: Uint8Array, repeat: Repeat): boolean => Buffer.compare(request, repeat.request) === 0;

/** What a statement that writes state has in addition when the write can be repeated. `first` is the number of its parameters. */
export interface RepeatSql {
  /** An expression of the WITH clause, before the others: what is known of the key. */
  readonly known: string;
  /** A condition of the change: the key is not known. */
  readonly isNew: string;
  /** An expression of the WITH clause, after the others: keeps the key with the version of `written`, which has a row if any. */
  kept(written: string, writtenAt: string): string;
  /** Further columns of the result, for `repeatedOf`. */
  readonly columns: string;
}

/** A statement for writes that cannot be repeated. */
export const withoutRepeat: RepeatSql = { known: '', isNew: '', kept: () => '', columns: '' };

/** A statement whose parameters from `first` on are the `repeatValues`. `$1` is the account. */
export function withRepeat(first: number): RepeatSql {
  const [scope, key, request] = [`$${first}`, `$${first + 1}`, `$${first + 2}`];
  return {
    known: `known AS (
    SELECT version, request FROM write_repeats WHERE account_id = $1 AND scope = ${scope} AND repeat_key = ${key}
  ), `,
    isNew: 'AND NOT EXISTS (SELECT 1 FROM known)',
    kept: (written, writtenAt) => `, kept AS (
    INSERT INTO write_repeats (account_id, scope, slot, repeat_key, request, version, written_at)
    SELECT $1, ${scope}, (version % ${repeatsOfDocumentMax})::smallint, ${key}, ${request}, version, ${writtenAt} FROM ${written}
    ON CONFLICT (account_id, scope, slot) DO UPDATE
    SET repeat_key = excluded.repeat_key, request = excluded.request, version = excluded.version,
      written_at = excluded.written_at
    RETURNING 1
  )`,
    columns: ', (SELECT version FROM known) AS repeated_version, (SELECT request FROM known) AS repeated_request',
  };
}

/** The values of the parameters that `withRepeat` has added. */
export const repeatValues = (repeat: Repeat | undefined): Value[] =>
  repeat === undefined ? [] : [scopeHash(repeat.scope), repeat.key, repeat.request];

/** What a row of a statement says of the key; undefined when it was not known, or the write cannot be repeated. */
export function repeatedOf(row: Row | undefined, repeat: Repeat | undefined): Repeated | undefined {
  if (repeat === undefined || row === undefined || row.repeated_version === null) return undefined;
  const isSame = isSameRequest(bytesAt(row, 'repeated_request'), repeat);
  return { kind: 'repeated', version: integerAt(row, 'repeated_version'), isSame };
}
