/** Repeats in statements that write state. */

import { type Repeat, type Repeated, repeatsOfDocumentMax } from '../../contract/repeats.ts';
import { scopeHash, toFoundRepeat } from '../../sql/states/repeats.ts';
import { type NamedValues, parameters } from '../connection/parameters.ts';
import type { Row, Value } from '../connection/query.ts';

/** The additions to a statement for a write that can be repeated. */
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

/** The parameters that follow those of such a statement: the key, and the request for which it is stored. */
const keyNames = ['repeatScope', 'repeatKey'] as const;
const names = [...keyNames, 'repeatRequest'] as const;
export type RepeatName = (typeof names)[number];

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

/** A statement that finds and stores the key, with the names of its parameters, of which `before` come first: the first is the account. */
export function withRepeat<Name extends string>(
  before: readonly Name[],
): RepeatSql & { readonly names: readonly (Name | RepeatName)[] } {
  const { at, names: all } = parameters<Name | RepeatName>(...before, ...names);
  return {
    ...findingSql(at),
    names: all,
    kept: (written, writtenAt) => `, kept AS (
    INSERT INTO write_repeats (account_id, scope, slot, repeat_key, request, version, written_at)
    SELECT $1, ${at.repeatScope}, (version % ${repeatsOfDocumentMax})::smallint, ${at.repeatKey}, ${at.repeatRequest}, version, ${writtenAt}
    FROM ${written}
    ${onTaken}
    RETURNING 1
  )`,
  };
}

/** As `withRepeat`, but the statement only finds the key. */
export function findingRepeat<Name extends string>(
  before: readonly Name[],
): RepeatSql & { readonly names: readonly (Name | RepeatName)[] } {
  const { at, names: all } = parameters<Name | RepeatName>(...before, ...keyNames);
  return { ...findingSql(at), names: all, kept: () => '' };
}

const findingSql = (at: Readonly<Record<RepeatName, string>>) => ({
  known: `known AS (
    SELECT version, request FROM write_repeats WHERE account_id = $1 AND scope = ${at.repeatScope} AND repeat_key = ${at.repeatKey}
  ), `,
  isNew: 'AND NOT EXISTS (SELECT 1 FROM known)',
  columns: ', (SELECT version FROM known) AS repeated_version, (SELECT request FROM known) AS repeated_request',
});

/** The values of the parameters that they add; undefined for a write that cannot be repeated. */
export const repeatValues = (repeat: Repeat | undefined): NamedValues<RepeatName> | undefined =>
  repeat && { repeatScope: scopeHash(repeat.scope), repeatKey: repeat.key, repeatRequest: repeat.request };

/** Reads the key's facts from a row of a statement; undefined if the key was unknown or the write cannot be repeated. */
export function repeatedOf(row: Row | undefined, repeat: Repeat | undefined): Repeated | undefined {
  if (repeat === undefined || row === undefined || row.repeated_version === null) return undefined;
  const known = { version: row.repeated_version, request: row.repeated_request };
  return { kind: 'repeated', ...toFoundRepeat(known, repeat) };
}
