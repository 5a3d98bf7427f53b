/** What a start of this program would do to the database of a data directory. Changes nothing. */
import { lookAhead, type Outlook } from '../../cold/outlook.ts';
import { databasePath, openForReading } from '../directory/database.ts';
import { copyBytes, freeBytes } from '../directory/upgrade-copy.ts';
import { appliedMigrations, migrations } from '../schema/migrations.ts';

export interface SqliteOutlook extends Outlook {
  /** What a copy takes, and what is free. */
  readonly databaseBytes: number;
  readonly freeBytes: number;
  /** Rows of tables that get an index. */
  readonly indexedRows: number;
}

/** Looks at the database of a data directory, with or without a running service. Throws when it cannot be read. */
export function outlookOf(dataDir: string): SqliteOutlook {
  const database = openForReading(databasePath(dataDir));
  try {
    const outlook = lookAhead(appliedMigrations(database), migrations);
    const rows = outlook.indexed.map((table) =>
      Number(database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows),
    );
    return {
      ...outlook,
      databaseBytes: copyBytes(dataDir),
      freeBytes: freeBytes(dataDir),
      indexedRows: rows.reduce((sum, count) => sum + count, 0),
    };
  } finally {
    database.close();
  }
}
