/** Generates the SQL of the shared tables and their later additions, in the dialect of each database. */
import { type Column, columnsIn, indexesIn, type SharedTable } from './declaration.ts';
import { type Release, releases } from './releases.ts';
import { sharedTables } from './tables.ts';

/** A database's names for types, and the end of its table definitions. */
export interface Dialect {
  readonly types: Readonly<Record<'text' | 'integer' | 'bytes' | 'generated', string>>;
  /** The key of a table that also has a column of the type `generated`. */
  readonly keyBesideGenerated: 'PRIMARY KEY' | 'UNIQUE';
  readonly tableEnd: string;
  /** The same for a table that is updated often. */
  readonly roomyTableEnd: string;
  /** Whether indexes of large tables are built in the background, and by no migration. */
  readonly isPatient?: true;
}

export const sqliteDialect: Dialect = {
  types: { text: 'TEXT', integer: 'INTEGER', bytes: 'BLOB', generated: 'INTEGER PRIMARY KEY AUTOINCREMENT' },
  keyBesideGenerated: 'UNIQUE',
  tableEnd: ' STRICT',
  roomyTableEnd: ' STRICT',
};
export const postgresDialect: Dialect = {
  types: { text: 'text', integer: 'bigint', bytes: 'bytea', generated: 'uuid DEFAULT gen_random_uuid()' },
  keyBesideGenerated: 'PRIMARY KEY',
  tableEnd: '',
  roomyTableEnd: ' WITH (fillfactor = 50)',
  isPatient: true,
};

/** One step of the schema. Its SQL never changes once it has landed: databases store the SHA-256 of each migration that they ran. */
export interface Migration extends Step, Pick<Release, 'program' | 'opensWith'> {}

interface Step {
  readonly number: number;
  readonly sql: string;
}

/**
 * Returns all migrations of an engine: the SQL of its own tables by number, with the additions of the declared tables. Throws an `Error` if
 * a declaration names an unlisted migration.
 */
export function migrationsOf(
  dialect: Dialect,
  own: Readonly<Record<number, string>>,
  declared: Readonly<Record<string, SharedTable>> = sharedTables,
): readonly Migration[] {
  const changes = Object.entries(declared).flatMap(([name, table]) => changesOf(dialect, name, table));
  for (const number of [...Object.keys(own).map(Number), ...changes.map((change) => change.number)]) {
    if (!(number in releases)) throw new Error(`migration ${number} is not among those of storage/sql/schema/releases.ts`);
  }
  return Object.entries(releases).map(([name, { program, opensWith }]) => {
    const number = Number(name);
    const theirs = changes.filter((change) => change.number === number).map(({ sql }) => sql);
    return { number, sql: (number in own ? [own[number], ...theirs] : theirs).join('\n'), program, opensWith };
  });
}

/** The changes of each migration to a table: the first creates it, later ones add columns and indexes. */
function changesOf(dialect: Dialect, name: string, table: SharedTable): Step[] {
  const addColumn = (column: Column) => `ALTER TABLE ${name} ADD COLUMN ${columnSql(dialect, column)};`;
  const createIndex = (index: string, on: string) =>
    `CREATE ${on.startsWith('UNIQUE ') ? 'UNIQUE ' : ''}INDEX ${index} ON ${name} ${on.replace(/^UNIQUE /, '')};`;
  const later = columnsIn(table).filter(({ since }) => since !== table.since);
  return [
    { number: table.since, sql: createTable(dialect, name, table) },
    ...later.map((column) => ({ number: column.since, sql: addColumn(column) })),
    ...indexesIn(table)
      .filter(({ isOfLarge }) => !(isOfLarge && dialect.isPatient))
      .map((index) => ({ number: index.since, sql: createIndex(index.name, index.on) })),
  ];
}

function createTable(dialect: Dialect, name: string, table: SharedTable): string {
  const { tableEnd, roomyTableEnd, keyBesideGenerated } = dialect;
  const columns = columnsIn(table).filter(({ since }) => since === table.since);
  const keyName = columns.some(({ type }) => type === 'generated') ? keyBesideGenerated : 'PRIMARY KEY';
  const lines = [...columns.map((column) => columnSql(dialect, column)), `${keyName} (${table.key.join(', ')})`];
  const end = table.isUpdatedOften ? roomyTableEnd : tableEnd;
  return `CREATE TABLE ${name} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n)${end};`;
}

function columnSql({ types }: Dialect, column: Column): string {
  const value = column.default ?? undefined;
  const literal = typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : value;
  return [
    `${column.name} ${types[column.type]}`,
    ...(column.isNullable ? [] : ['NOT NULL']),
    ...(literal === undefined ? [] : [`DEFAULT ${literal}`]),
  ].join(' ');
}
