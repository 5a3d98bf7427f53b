/** Reads the records of a store for a copy, page by page along the keys of its tables, in the same way for both engines. */
import type { Awaitable } from '../../common/async/awaitable.ts';
import type { Row } from '../rows/columns.ts';
import { forSharedTables, ownerExists, sharedTable } from '../sql/schema/tables.ts';
import type { Value } from '../sql/steps.ts';
import { batchBytesMax, batchRecordsMax, type TransferBatch, type TransferReader } from './copy.ts';
import { type EngineKind, type TransferKind, type TransferRecord, type TransferValue, transferKinds } from './kinds.ts';

/** Describes how to read the records of a kind. */
export interface Reading {
  /** The table of their rows, or a query in brackets. */
  readonly table: string;
  /** Columns that order the rows; no two rows have the same values in them. */
  readonly keys: readonly string[];
  /** SQL: fields of a record that are not columns of the table, over `page` and its joins. */
  readonly fields?: string;
  readonly joins?: string;
  /** SQL: whether the owner of a row exists, so that the row is not a remnant of a deletion. */
  readonly isAlive?: string;
  /**
   * SQL: the bytes of a row that bound the size of a page, if a database sends a page as a whole. The sizes of rows are asked for first: a
   * database of several machines then collects no more than the page.
   */
  readonly boundedBy?: string;
  /** SQL: the approximate number of records, as `records`, if counting rows would take long. */
  readonly estimate?: string;
}

/**
 * SQL: the accounts whose records are read, as a table of this name. `visible` are existing accounts. `incoming` also includes accounts
 * without a row: an account being imported, and the remains of deletions.
 */
export const accountsTables = {
  visible: 'accounts',
  incoming: '(SELECT account_id FROM accounts UNION SELECT account_id FROM orphans) AS accounts',
} as const;
export type ReadAccounts = keyof typeof accountsTables;

/** Reading of rows that name their account, the same for each engine. */
export const ofAccount = (accounts: ReadAccounts) => ({
  joins: `LEFT JOIN ${accountsTables[accounts]} ON accounts.account_id = page.account_id`,
  isAlive: 'accounts.account_id IS NOT NULL',
});
/** The same for rows that may also name one of its projects. */
export const mayBeOfProject =
  'accounts.account_id IS NOT NULL AND (page.project_id IS NULL OR projects.project_id IS NOT NULL)';

/** Returns the rows of a statement with parameters `$1`, `$2` …, of which the caller may take only some. */
type ReadRows = (sql: string, values: readonly Value[]) => Awaitable<Iterable<Row>>;

/**
 * Returns the reader of a store. `ofEngine` describes how to read an engine's own tables; rows of shared tables are records as they are.
 * Each page shows the moment at which it is read.
 */
export function createTransferReader(
  ofEngine: Readonly<Record<EngineKind, Reading>>,
  accounts: ReadAccounts,
  readRows: ReadRows,
): TransferReader {
  const readings: Readonly<Record<TransferKind, Reading>> = { ...ofEngine, ...sharedTableReadings(accounts) };
  return {
    async estimate(kind) {
      const { table, estimate = `SELECT count(*) AS records FROM ${table}` } = readings[kind];
      const [row] = [...(await readRows(estimate, []))];
      return Number(row?.records);
    },
    async *read(kind, cursor): AsyncGenerator<TransferBatch> {
      const reading = readings[kind];
      let after = cursor === null ? [] : parseCursor(cursor);
      for (;;) {
        const upTo = reading.boundedBy === undefined ? [] : await boundOf(reading, after, readRows);
        if (upTo === undefined) return;
        const rows = await readRows(pageStatement(reading, after.length > 0, upTo.length > 0), [...after, ...upTo]);
        const { records, last } = takeBatch(kind, rows);
        // Rows whose sizes were seen may be gone.
        if (last === undefined && upTo.length === 0) return;
        after = last === undefined ? upTo : keysOf(reading, last);
        if (records.length > 0) yield { records, cursor: formatCursor(after) };
      }
    },
  };
}

const sharedTableReadings = (accounts: ReadAccounts) =>
  forSharedTables((table): Reading => {
    return { table, keys: sharedTable(table).key, isAlive: ownerExists(table, 'page', accountsTables[accounts]) };
  });

/** The keys of the last row of the next page; undefined if there are no more rows. */
async function boundOf(reading: Reading, after: readonly Value[], readRows: ReadRows): Promise<Value[] | undefined> {
  let last: Row | undefined;
  let bytes = 0;
  for (const row of await readRows(sizesStatement(reading, after.length > 0), after)) {
    last = row;
    bytes += Number(row.row_bytes);
    if (bytes >= batchBytesMax) break;
  }
  return last && keysOf(reading, last);
}

const keysOf = ({ keys }: Reading, row: Row): Value[] => keys.map((key) => row[key] as Value);

const sizesStatement = (reading: Reading, isNext: boolean): string =>
  rowsOf(reading, [...reading.keys, `${reading.boundedBy} AS row_bytes`].join(', '), isNext, false);

/** Rows in the order of their keys, with `is_alive`. Joins come after the page, so that no plan depends on them. */
function pageStatement(reading: Reading, isNext: boolean, isBounded: boolean): string {
  const { keys, fields, joins = '', isAlive = 'true' } = reading;
  return `
    SELECT ${['page.*', ...(fields ? [fields] : []), `CASE WHEN ${isAlive} THEN 1 ELSE 0 END AS is_alive`].join(', ')}
    FROM (${rowsOf(reading, '*', isNext, isBounded)}) AS page ${joins} ORDER BY ${keys.map((key) => `page.${key}`).join(', ')}`;
}

/** The next rows of the table. The first parameters are the keys that they come after; the others those of the last row. */
function rowsOf({ table, keys }: Reading, columns: string, isNext: boolean, isBounded: boolean): string {
  const parameters = (begin: number) => keys.map((_, index) => `$${begin + index}`);
  const bounds = [
    ...(isNext ? [`(${keys}) > (${parameters(1)})`] : []),
    ...(isBounded ? [`(${keys}) <= (${parameters(isNext ? keys.length + 1 : 1)})`] : []),
  ];
  const where = bounds.length === 0 ? '' : `WHERE ${bounds.join(' AND ')}`;
  return `SELECT ${columns} FROM ${table} ${where} ORDER BY ${keys} LIMIT ${batchRecordsMax}`;
}

/** Takes rows until a batch is full. `last` is the last row taken; undefined if there was none. */
function takeBatch(kind: TransferKind, rows: Iterable<Row>): { records: TransferRecord[]; last: Row | undefined } {
  const { fields } = transferKinds[kind];
  const records: TransferRecord[] = [];
  let last: Row | undefined;
  let bytes = 0;
  for (const row of rows) {
    last = row;
    if (row.is_alive === 1) {
      const record = Object.fromEntries(fields.map((field) => [field, row[field] as TransferValue]));
      records.push(record);
      bytes += textBytes(record);
    }
    if (bytes >= batchBytesMax) break;
  }
  return { records, last };
}

/** The approximate length of the texts of a record. */
function textBytes(record: TransferRecord): number {
  let bytes = 0;
  for (const value of Object.values(record)) bytes += typeof value === 'string' ? value.length : 0;
  return bytes;
}

/** Bytes are in an array, in hexadecimal. */
const formatCursor = (keys: readonly Value[]): string =>
  JSON.stringify(keys.map((key) => (key instanceof Uint8Array ? [Buffer.from(key).toString('hex')] : key)));

const parseCursor = (cursor: string): Value[] =>
  (JSON.parse(cursor) as (string | number | [string])[]).map((key) =>
    Array.isArray(key) ? Buffer.from(key[0], 'hex') : key,
  );
