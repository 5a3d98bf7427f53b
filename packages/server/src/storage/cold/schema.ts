/** The SQL that makes the cold tables, and what came to them later, in the words of each database. */
import { type ColdTable, type Column, columnsIn, indexesIn } from './declaration.ts';
import { coldTables } from './tables.ts';

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

/** One step of the schema. Once landed, its SQL never changes: a database remembers the SHA-256 of what it ran. */
export interface Migration extends Step {
  /** The release that it came with. A database tells it to programs that are too old. */
  readonly program: string;
  /** The oldest migration that a program has to know in order to work on a database that has this one. */
  readonly opensWith: number;
}

interface Step {
  readonly number: number;
  readonly sql: string;
}

/** All migrations by their numbers, with what a database remembers of each. One that only adds something opens with those before it. */
const releases: Readonly<Record<number, Pick<Migration, 'program' | 'opensWith'>>> = {
  1: { program: '0.1.0', opensWith: 1 },
  2: { program: '0.2.0', opensWith: 1 },
  3: { program: '0.2.0', opensWith: 1 },
  4: { program: '0.2.0', opensWith: 1 },
  8: { program: '0.2.0', opensWith: 1 },
  5: { program: '0.2.0', opensWith: 1 },
  7: { program: '0.2.0', opensWith: 1 },
  6: { program: '0.2.0', opensWith: 1 },
  9: { program: '0.2.0', opensWith: 1 },
  10: { program: '0.2.0', opensWith: 1 },
  11: { program: '0.2.0', opensWith: 1 },
  12: { program: '0.2.0', opensWith: 1 },
  13: { program: '0.2.0', opensWith: 1 },
  14: { program: '0.2.0', opensWith: 1 },
  15: { program: '0.2.0', opensWith: 1 },
};

/** The newest migration that this program knows. */
export const newestMigration = Math.max(...Object.keys(releases).map(Number));

/** The release that it came with, or comes with. */
export const newestRelease = (releases[newestMigration] as Pick<Migration, 'program'>).program;

/**
 * Returns all migrations of an engine: the SQL of its own tables by number, with what the declared ones get in each. Throws an `Error` when
 * something comes with a migration that is not listed.
 */
export function migrationsOf(
  dialect: Dialect,
  own: Readonly<Record<number, string>>,
  declared: Readonly<Record<string, ColdTable>> = coldTables,
): readonly Migration[] {
  const changes = Object.entries(declared).flatMap(([name, table]) => changesOf(dialect, name, table));
  for (const number of [...Object.keys(own).map(Number), ...changes.map((change) => change.number)]) {
    if (!(number in releases)) throw new Error(`migration ${number} is not among the releases of storage/cold/schema.ts`);
  }
  return Object.entries(releases).map(([name, release]) => {
    const number = Number(name);
    const theirs = changes.filter((change) => change.number === number).map(({ sql }) => sql);
    return { number, sql: (number in own ? [own[number], ...theirs] : theirs).join('\n'), ...release };
  });
}

/** What each migration does to a table: it is made with what it began with, then gets what came later. */
function changesOf(dialect: Dialect, name: string, table: ColdTable): Step[] {
  const addColumn = (column: Column) => `ALTER TABLE ${name} ADD COLUMN ${columnSql(dialect, column)};`;
  const createIndex = (index: string, on: string) =>
    `CREATE ${on.startsWith('UNIQUE ') ? 'UNIQUE ' : ''}INDEX ${index} ON ${name} ${on.replace(/^UNIQUE /, '')};`;
  const later = columnsIn(table).filter(({ since }) => since !== table.since);
  return [
    { number: table.since, sql: createTable(dialect, name, table) },
    ...later.map((column) => ({ number: column.since, sql: addColumn(column) })),
    ...indexesIn(table).map((index) => ({ number: index.since, sql: createIndex(index.name, index.on) })),
  ];
}

function createTable(dialect: Dialect, name: string, table: ColdTable): string {
  const { tableEnd, roomyTableEnd, keyBesideMade } = dialect;
  const columns = columnsIn(table).filter(({ since }) => since === table.since);
  const keyName = columns.some(({ type }) => type === 'made') ? keyBesideMade : 'PRIMARY KEY';
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
