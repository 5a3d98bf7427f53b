/** Checks that a database really keeps confirmed writes. */
import { textAt } from '../../rows/columns.ts';
import type { Database } from './database.ts';

/** Settings that make a committed write less than durable. */
const unsound = [
  {
    name: 'fsync',
    value: 'off',
    meaning: 'a crash of its machine could lose writes that were answered, or the whole database; set fsync = on',
  },
  {
    name: 'synchronous_commit',
    value: 'off',
    meaning:
      'a crash could lose writes that were answered; set synchronous_commit = on, for the server, the database and the user',
  },
  {
    name: 'full_page_writes',
    value: 'off',
    meaning: 'a crash of its machine could damage the database; set full_page_writes = on',
  },
] as const;

/** Throws an `Error` that names the setting if writes to the database are not durable. Engines without these settings pass. */
export async function requireDurability(database: Database): Promise<void> {
  // A row for each of the settings that this engine has.
  const rows = await database.query(
    `SELECT name, setting FROM pg_settings
     WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes', 'server_encoding')`,
  );
  const settings = new Map(rows.map((row) => [textAt(row, 'name'), textAt(row, 'setting')]));
  for (const { name, value, meaning } of unsound) {
    if (settings.get(name) === value) throw new Error(`cannot use the database: ${name} is ${value}, so ${meaning}`);
  }
  const encoding = settings.get('server_encoding') ?? 'UTF8';
  if (encoding !== 'UTF8') {
    throw new Error(`cannot use the database: its encoding is ${encoding}; create it with ENCODING 'UTF8'`);
  }
}
