/** The rows of a grid that match a filter, in the order of a column. Editing a cell moves no row. */
import { printJson } from '@holdfast/json';
import { useMemo, useRef, useState } from 'react';
import { isNumber, type Path, valueAt } from '../fields/values.ts';
import type { Value } from '../json-text/changes.ts';
import { cellText } from './cells.ts';
import { type Container, cellPath, type Grid, type GridColumn } from './grid.ts';

interface Sort {
  /** The position of the column; -1 for the names of rows. */
  readonly column: number;
  readonly isDescending: boolean;
}

export interface Order {
  readonly rows: readonly Path[];
  readonly filter: string;
  readonly setFilter: (filter: string) => void;
  /** Whether only rows without one of their texts are listed. */
  readonly isOnlyMissing: boolean;
  readonly setOnlyMissing: (isOnlyMissing: boolean) => void;
  readonly sort: Sort | undefined;
  /** Sorts by a column, then in reverse, then not at all. */
  readonly sortBy: (column: number) => void;
}

/** Tells rows apart. */
export const rowKey = (row: Path): string => JSON.stringify(row);

export function useOrder(grid: Grid, container: Container): Order {
  const [filter, setFilter] = useState('');
  const [isOnlyMissing, setOnlyMissing] = useState(false);
  const [sort, setSort] = useState<Sort>();
  const known = useRef<{ readonly key: string; readonly indexes: readonly number[] }>(undefined);
  const key = JSON.stringify([filter, isOnlyMissing, sort, grid.rows.length]);
  const rows = useMemo(() => {
    if (known.current?.key !== key)
      known.current = { key, indexes: ordered(grid, container, { filter, isOnlyMissing, sort }) };
    return known.current.indexes.flatMap((index) => (grid.rows[index] === undefined ? [] : [grid.rows[index]]));
  }, [key, grid, container, filter, isOnlyMissing, sort]);
  const sortBy = (column: number) =>
    setSort(
      sort?.column !== column
        ? { column, isDescending: false }
        : sort.isDescending
          ? undefined
          : { column, isDescending: true },
    );
  return { rows, filter, setFilter, isOnlyMissing, setOnlyMissing, sort, sortBy };
}

type Choice = Pick<Order, 'filter' | 'isOnlyMissing' | 'sort'>;

function ordered(grid: Grid, container: Container, { filter, isOnlyMissing, sort }: Choice): readonly number[] {
  const query = filter.trim().toLowerCase();
  const cellValue = (row: Path, column: GridColumn) => valueAt(container, cellPath(grid, row, column));
  const isFound = (row: Path) =>
    (grid.kind !== 'list' && row.join(' › ').toLowerCase().includes(query)) ||
    grid.columns.some((column) => cellText(cellValue(row, column)).toLowerCase().includes(query));
  const isMissing = (row: Path) => grid.columns.some((column) => (cellValue(row, column) ?? '') === '');
  const isListed = (row: Path) => (query === '' || isFound(row)) && (!isOnlyMissing || isMissing(row));
  const indexes = grid.rows.flatMap((row, index) => (isListed(row) ? [index] : []));
  if (sort === undefined) return indexes;
  const column = grid.columns[sort.column];
  const keyOf = (index: number): Value => {
    const row = grid.rows[index] ?? [];
    return column === undefined ? row.join(' › ') : cellValue(row, column);
  };
  const collator = new Intl.Collator(undefined, { numeric: true });
  const sign = sort.isDescending ? -1 : 1;
  return indexes.sort((one, other) => compared(keyOf(one), keyOf(other), collator, sign) || one - other);
}

/** Missing values come last in both directions. */
function compared(one: Value, other: Value, collator: Intl.Collator, sign: 1 | -1): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  if (isNumber(one) && isNumber(other)) return sign * (Number(printJson(one)) - Number(printJson(other)));
  return sign * collator.compare(cellText(one), cellText(other));
}
