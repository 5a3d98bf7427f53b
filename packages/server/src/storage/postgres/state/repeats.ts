/** Repeats in statements that write state. */

import { type Repeat, type Repeated, repeatsOfDocumentMax } from '../../contract/repeats.ts';
import { scopeHash, toFoundRepeat } from '../../sql/states/repeats.ts';
import type { Row, Value } from '../connection/query.ts';

/** The additions to a statement for a write that can be repeated. `first` is the number of its first parameter. */
export interface RepeatSql {
  /** An expression at the start of the WITH clause: the stored facts about the key. */
  readonly known: string;
  /** A condition of the change: the key is not known. */
  readonly isNew: string;
  /** An expression at the end of the WITH clause: stores the key with the version of `written`, if `written` has a row. */
  kept(written: string, writtenAt: string): string;
  /** Further columns of the result, for `repeatedOf`. */
  readonly columns: string;
}

/** A statement for writes that cannot be repeated. */
export const withoutRepeat: RepeatSql = { known: '', isNew: '', kept: () => '', columns: '' };

/** How many of the `repeatValues` a statement needs that does not store the key. */
export const repeatKeyValues = 2;

const onTaken = `ON CONFLICT (account_id, scope, slot) DO UPDATE
    SET repeat_key = excluded.repeat_key, request = excluded.request, version = excluded.version,
      written_at = excluded.written_at`;

/** Stores the key of a write whose statement does not. */
export const keepRepeat = `
  INSERT INTO write_repeats (account_id, scope, slot, repeat_key, request, version, written_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7) ${onTaken}`;

/** The values of `keepRepeat`. */
export const keptRepeatValues = (
  accountId: string,
  { scope, key, request }: Repeat,
  { version, writtenAt }: { readonly version: number; readonly writtenAt: number },
): Value[] => [accountId, scopeHash(scope), version % repeatsOfDocumentMax, key, request, version, writtenAt];

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
    ${onTaken}
    RETURNING 1
  )`,
    columns: ', (SELECT version FROM known) AS repeated_version, (SELECT request FROM known) AS repeated_request',
  };
}

/** The values of the parameters added by `withRepeat`. */
export const repeatValues = (repeat: Repeat | undefined): Value[] =>
  repeat === undefined ? [] : [scopeHash(repeat.scope), repeat.key, repeat.request];

/** Reads the key's facts from a row of a statement; undefined if the key was unknown or the write cannot be repeated. */
export function repeatedOf(row: Row | undefined, repeat: Repeat | undefined): Repeated | undefined {
  if (repeat === undefined || row === undefined || row.repeated_version === null) return undefined;
  const known = { version: row.repeated_version, request: row.repeated_request };
  return { kind: 'repeated', ...toFoundRepeat(known, repeat) };
}
