/** The size of the database, with its own estimates for large tables. */

import type { SizeVerbs } from '../../contract/engine-verbs.ts';
import { integerAt, textAt } from '../../rows/columns.ts';
import type { Dependencies } from '../dependencies.ts';

/**
 * Tables are counted up to this number. For a table with a higher estimate, the estimate is enough. The estimate of a small table may be
 * completely outdated, and some engines do not estimate.
 */
const countedMax = 100_000;
/** The rows of documents are counted up to this: this takes a tenth of a second of database time. */
const documentsMax = 1_000_000;

const tables = ['accounts', 'projects', 'users', 'end_users', 'user_states'] as const;

/** Returns the store methods that measure the database. */
export function createSizes({ database }: Pick<Dependencies, 'database'>): SizeVerbs {
  // One row, always.
  const count = async (rows: string, max: number): Promise<number> => {
    const [row = {}] = await database.query(
      `SELECT count(*) AS found FROM (SELECT 1 AS one FROM ${rows} LIMIT ${max}) AS counted`,
    );
    return Number(row.found);
  };

  return {
    async measureBytes() {
      // One row, always.
      const [row = {}] = await database.query('SELECT CAST(pg_database_size(current_database()) AS bigint) AS bytes');
      return { database: integerAt(row, 'bytes'), log: null };
    },

    async countRecords() {
      // A row for each table. There is no estimate before the database has first analyzed a table.
      const rows = await database.query(
        `SELECT CAST(relname AS text) AS name, CAST(reltuples AS bigint) AS about FROM pg_class
         WHERE relkind IN ('r', 'p') AND relname IN ('${tables.join("', '")}')
           AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())`,
      );
      const estimates = new Map(rows.map((row) => [textAt(row, 'name'), Number(row.about ?? 0)]));
      const about = async (table: (typeof tables)[number]) => {
        const estimate = estimates.get(table) ?? 0;
        return estimate > countedMax ? estimate : count(table, countedMax);
      };
      return {
        accounts: await about('accounts'),
        projects: await about('projects'),
        users: await about('users'),
        players: await about('end_users'),
        publicDocuments: await count('environments WHERE is_present', documentsMax),
        userDocuments: await about('user_states'),
      };
    },
  };
}
