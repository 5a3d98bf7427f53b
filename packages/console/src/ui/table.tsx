/** Records in rows. If columns do not fit, each record is a block with labelled values. */
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatAgo, formatDate, formatTime } from '../texts/index.ts';
import { fading } from './strip.ts';
import './table.css';

/** Blocks change the layout of a table's parts, from which some browsers take their roles: so the roles are explicit. */
export const tableRoles = {
  table: { role: 'table' },
  rows: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  name: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const;

export interface Column<Row> {
  readonly name: string;
  /** `actions`: buttons, without a visible heading. `state`: stands beside the name in the narrowest blocks. */
  readonly kind?: 'number' | 'actions' | 'state';
  /** Whether it is left out first where columns are scarce, or only from blocks. */
  readonly isLeast?: true | 'in blocks';
  /** Whether its values say what they are, without the name of the column beside them. */
  readonly isPlain?: true;
  /** The content of the cell; null if there is none. */
  readonly cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** The first one names the row. */
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  /** The heading above a row and others with the same, for example its day. */
  readonly groupOf?: (row: Row) => string;
  /** Whether the name of a row is a link, which then covers the whole row. */
  readonly isLinked?: boolean;
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, keyOf, groupOf = () => '', columns, isLinked = false } = props;
  const [title, ...others] = columns;
  return (
    <TableFrame>
      <table {...tableRoles.table} aria-label={label}>
        <thead {...tableRoles.rows}>
          <tr {...tableRoles.row}>
            <th {...tableRoles.head} scope="col">
              {title.name}
            </th>
            {others.map(({ name, kind, isLeast }) => (
              <th {...tableRoles.head} scope="col" key={name} className={kind} data-least={isLeast}>
                {kind === 'actions' ? <span className="hidden-text">{name}</span> : name}
              </th>
            ))}
            {isLinked && <td {...tableRoles.cell} />}
          </tr>
        </thead>
        {[...Map.groupBy(rows, groupOf)].map(([heading, grouped]) => (
          <tbody {...tableRoles.rows} key={heading}>
            {heading !== '' && (
              <tr {...tableRoles.row} className="table-group">
                <th {...tableRoles.name} scope="rowgroup" colSpan={columns.length + (isLinked ? 1 : 0)}>
                  {heading}
                </th>
              </tr>
            )}
            {grouped.map((row) => (
              <tr {...tableRoles.row} key={keyOf(row)}>
                <th {...tableRoles.name} scope="row">
                  {title.cell(row)}
                </th>
                {others.map((column) => (
                  <Cell key={column.name} column={column} row={row} />
                ))}
                {isLinked && (
                  <td {...tableRoles.cell} className="row-arrow">
                    <ChevronRight aria-hidden="true" />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </TableFrame>
  );
}

/** The frame of a table, which scrolls sideways where it does not fit. */
export const TableFrame = ({ children }: { children: ReactNode }) => (
  <div className="table-frame" ref={fading}>
    {children}
  </div>
);

/** A list of blocks leaves out empty cells. */
function Cell<Row>({ column: { name, kind, isLeast, isPlain, cell }, row }: { column: Column<Row>; row: Row }) {
  const content = cell(row);
  const isEmpty = content === null && kind !== 'actions';
  return (
    <td
      {...tableRoles.cell}
      className={kind}
      data-label={kind === 'actions' || isPlain ? undefined : name}
      data-least={isLeast}
      data-empty={isEmpty || undefined}
    >
      {isEmpty ? '–' : content}
    </td>
  );
}

/** The age of a time, with the time as its title. */
export const Ago = ({ time }: { time: string }) => (
  <time dateTime={time} title={formatTime(time)}>
    {formatAgo(time)}
  </time>
);

/** The day of a time, with the time as its title. */
export const On = ({ time }: { time: string }) => (
  <time dateTime={time} title={formatTime(time)}>
    {formatDate(time)}
  </time>
);

/** A line below the name of a row. */
export const Below = ({ children }: { children: ReactNode }) => <small className="below-name">{children}</small>;
