/**
 * The tables of what is written rarely, declared once: the schema of both engines, copies from one to the other and the clearing away of
 * deleted accounts follow from this list. Tables that every request or refresh meets are each engine's own.
 *
 * Texts that people chose are JSON strings (rows.ts). Times are milliseconds since the epoch. A directory of users is named by the id
 * of its account, that of the developers by the empty text.
 */

/** `integer` has 64 bits. With `?` a column may be null. */
type ColumnType = 'text' | 'integer' | 'bytes';
export type Column = ColumnType | `${ColumnType}?`;

export interface ColdTable {
  /** The name of its records in messages. */
  readonly title: string;
  /** The migration that creates it. */
  readonly since: number;
  readonly columns: Readonly<Record<string, Column>>;
  /**
   * The columns that identify a row. They begin with the account, so that rows of one account can lie on one machine, or are a random
   * hash or id.
   */
  readonly key: readonly string[];
  /** Indexes by their names, each as what follows `INDEX name ON table`, behind the word UNIQUE if it is. */
  readonly indexes?: Readonly<Record<string, string>>;
  /** The column that names the account whose deletion takes the row along. Without it, rows belong to the installation. */
  readonly owner?: 'account_id' | 'directory_id';
}

export const coldTables = {
  signing_keys: {
    title: 'signing keys',
    since: 1,
    columns: {
      key_id: 'text',
      purpose: 'text',
      public_jwk: 'text',
      sealed_private_jwk: 'bytes',
      created_at: 'integer',
    },
    key: ['key_id'],
  },
  /** Tickets are good for one use, and remembered until they expire. */
  spent_tickets: {
    title: 'spent tickets',
    since: 1,
    columns: { ticket_hash: 'bytes', expires_at: 'integer' },
    key: ['ticket_hash'],
    indexes: { spent_tickets_by_expiry: '(expires_at)' },
  },
} as const satisfies Readonly<Record<string, ColdTable>>;

export type ColdTableName = keyof typeof coldTables;
export const coldTableNames = Object.keys(coldTables) as ColdTableName[];

/** Returns something for each table. */
export function forColdTables<Made>(make: (name: ColdTableName) => Made): Readonly<Record<ColdTableName, Made>> {
  return Object.fromEntries(coldTableNames.map((name) => [name, make(name)])) as Readonly<Record<ColdTableName, Made>>;
}

/** Returns a table by its name, without what is special to its declaration. */
export const coldTable = (name: ColdTableName): ColdTable => coldTables[name];

/**
 * SQL: whether the account of a row of `table` still exists; true for the directory of the developers and for rows that belong to the
 * installation. `row` is the name of the table in the statement.
 */
export function ownerExists(table: ColdTableName, row: string = table): string {
  const { owner } = coldTable(table);
  if (owner === undefined) return 'true';
  const exists = `EXISTS (SELECT 1 FROM accounts WHERE accounts.account_id = ${row}.${owner})`;
  return owner === 'directory_id' ? `(${row}.directory_id = '' OR ${exists})` : exists;
}
