/** Clears the remains of deletions in slices, so that other writes never wait for long. */
import { sharedTable, sharedTableNames } from '../schema/tables.ts';

/** SQL: deletes at most `rowsMax` rows that meet a condition, and returns a row for each. `key` are the columns that identify a row. */
export const slice = (table: string, key: string, condition: string, rowsMax: number): string => `
  DELETE FROM ${table} WHERE ${condition} AND (${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${rowsMax})
  RETURNING 1 AS removed`;

/** SQL: for each shared table, deletes a slice of the remains of the deleted account `$1`. `condition` is an additional SQL condition. */
export const sharedTableSlices = (rowsMax: number, condition = 'true'): readonly string[] =>
  sharedTableNames.flatMap((name) => {
    const { owner, key } = sharedTable(name);
    return owner === undefined ? [] : [slice(name, key.join(', '), `${owner} = $1 AND ${condition}`, rowsMax)];
  });
