/** The SQL that makes the cold tables, in the words of each database. */
import { type ColdTable, type Column, coldTable, coldTableNames } from './tables.ts';

/** How a database calls types, and what stands behind the columns of a table. */
export interface Dialect {
  readonly types: Readonly<Record<'text' | 'integer' | 'bytes' | 'made', string>>;
  /** What the key of a table is called that has a column of the type `made`. */
  readonly keyBesideMade: 'PRIMARY KEY' | 'UNIQUE';
  readonly tableEnd: string;
  /** The same for a table that is updated often. */
  readonly roomyTableEnd: string;
}

export const sqliteDialect: Dialect = {
  types: { text: 'TEXT', integer: 'INTEGER', bytes: 'BLOB', made: 'INTEGER PRIMARY KEY AUTOINCREMENT' },
  keyBesideMade: 'UNIQUE',
  tableEnd: ' STRICT',
  roomyTableEnd: ' STRICT',
};
export const postgresDialect: Dialect = {
  types: { text: 'text', integer: 'bigint', bytes: 'bytea', made: 'uuid DEFAULT gen_random_uuid()' },
  keyBesideMade: 'PRIMARY KEY',
  tableEnd: '',
  roomyTableEnd: ' WITH (fillfactor = 50)',
};

/** The type of a column without its mark for null. */
export const typeOf = (column: Column): 'text' | 'integer' | 'bytes' | 'made' =>
  column.replace('?', '') as 'text' | 'integer' | 'bytes' | 'made';

/** One step of the schema. Once released, its SQL never changes: a database remembers the SHA-256 of what it ran. */
export interface Migration {
  readonly number: number;
  readonly sql: string;
}

/** Returns all migrations of an engine: the SQL of its own tables by number, with the cold tables that come with each. */
export function migrationsOf(dialect: Dialect, own: Readonly<Record<number, string>>): readonly Migration[] {
  const tables = coldTableNames.map((name) => ({ name, table: coldTable(name) }));
  const numbers = new Set([...Object.keys(own).map(Number), ...tables.map(({ table }) => table.since)]);
  return [...numbers]
    .sort((a, b) => a - b)
    .map((number) => {
      const created = tables.filter(({ table }) => table.since === number);
      const sql = [own[number] ?? '', ...created.map(({ name, table }) => createTable(dialect, name, table))].join('\n');
      return { number, sql };
    });
}

function createTable(dialect: Dialect, name: string, definition: ColdTable): string {
  const { types, tableEnd, roomyTableEnd, keyBesideMade } = dialect;
  const { columns, key, indexes = {}, isUpdatedOften } = definition;
  const lines = Object.entries(columns).map(
    ([column, type]) => `  ${column} ${types[typeOf(type)]}${type.endsWith('?') ? '' : ' NOT NULL'}`,
  );
  const end = isUpdatedOften ? roomyTableEnd : tableEnd;
  const keyName = Object.values(columns).includes('made') ? keyBesideMade : 'PRIMARY KEY';
  const table = `CREATE TABLE ${name} (\n${[...lines, `  ${keyName} (${key.join(', ')})`].join(',\n')}\n)${end};`;
  return [table, ...Object.entries(indexes).map(([index, rest]) => createIndex(name, index, rest))].join('\n');
}

function createIndex(table: string, index: string, definition: string): string {
  const [unique, rest] = definition.startsWith('UNIQUE ') ? ['UNIQUE ', definition.slice(7)] : ['', definition];
  return `CREATE ${unique}INDEX ${index} ON ${table} ${rest};`;
}
