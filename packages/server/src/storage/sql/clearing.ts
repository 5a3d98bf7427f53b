/** The clearing away of what deletions have left, in slices, so that nobody waits for long. */
import { sharedTable, sharedTableNames } from './tables.ts';

/**
 * SQL: deletes rows that meet a condition, at most `rowsMax` of them, and gives a row for each. `key` are the columns that tell them
 * apart.
 */
export const slice = (table: string, key: string, condition: string, rowsMax: number): string => `
  DELETE FROM ${table} WHERE ${condition} AND (${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${rowsMax})
  RETURNING 1 AS removed`;

/** SQL: a slice of each shared table, of what the deleted account `$1` has left there. `condition` is SQL: what must hold besides. */
export const sharedTableSlices = (rowsMax: number, condition = 'true'): readonly string[] =>
  sharedTableNames.flatMap((name) => {
    const { owner, key } = sharedTable(name);
    return owner === undefined ? [] : [slice(name, key.join(', '), `${owner} = $1 AND ${condition}`, rowsMax)];
  });
