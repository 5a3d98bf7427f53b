/** Clears what deletions have left behind, in slices, so that nobody waits for long. */
import { sharedTable, sharedTableNames } from './tables.ts';

/** SQL: deletes at most `rowsMax` rows that meet a condition, and returns a row for each. `key` are the columns that identify a row. */
export const slice = (table: string, key: string, condition: string, rowsMax: number): string => `
  DELETE FROM ${table} WHERE ${condition} AND (${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${rowsMax})
  RETURNING 1 AS removed`;

/** SQL: for each shared table, a slice of what the deleted account `$1` has left in it. `condition` is SQL: what else must hold. */
export const sharedTableSlices = (rowsMax: number, condition = 'true'): readonly string[] =>
  sharedTableNames.flatMap((name) => {
    const { owner, key } = sharedTable(name);
    return owner === undefined ? [] : [slice(name, key.join(', '), `${owner} = $1 AND ${condition}`, rowsMax)];
  });
