/** INSERTs of tables to which several statements add rows. Each table lists its columns once. */
import { parameters, type Statement } from './connection/parameters.ts';

/** SQL for each column of a row. */
type RowSql<Column extends string> = Readonly<Record<Column, string>>;

export interface Insert<Column extends string> {
  /** Adds a row for each row of a source, whose FROM clause must follow. A column without SQL takes the source's column of that name. */
  select(row: Partial<RowSql<Column>>): string;
  /** Adds one row. */
  values(row: RowSql<Column>): string;
  /** Adds one row, which is given by the names of the columns. */
  readonly statement: Statement<Column>;
}

/** Returns the INSERTs of a table with these columns. */
export function insertInto<const Columns extends readonly string[]>(
  table: string,
  ...columns: Columns
): Insert<Columns[number]> {
  type Column = Columns[number];
  const into = `INSERT INTO ${table} (${columns.join(', ')})`;
  const inOrder = (row: Partial<RowSql<Column>>) => columns.map((column: Column) => row[column] ?? column).join(', ');
  const values = (row: RowSql<Column>) => `${into} VALUES (${inOrder(row)})`;
  return {
    select: (row) => `${into} SELECT ${inOrder(row)}`,
    values,
    statement: { names: columns, text: values(parameters<Column>(...columns).at) },
  };
}
