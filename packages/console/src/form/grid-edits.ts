/** Changes of many cells: new rows, what somebody pasted, files, and calculations. */
import { isContainer, isJsonObject, type JsonValue } from '@holdfast/json';
import { firstValue, type Hint, type Hints, namesOf } from '../fields/hints.ts';
import { type Path, valueAt, withValue } from '../fields/values.ts';
import type { Value } from '../json-text/changes.ts';
import { calculated } from './arithmetic.ts';
import { cellText, valueFromText } from './cells.ts';
import {
  type CellEdit,
  type Container,
  cellPath,
  columnChoices,
  freeName,
  type Grid,
  type GridColumn,
  identityColumn,
  withCells,
} from './grid.ts';

/** The header of the column with the names of rows. */
const nameHeader = '#';

/** Returns the container with a new row at its end, and the path of that row. */
export function withNewRow(
  container: Container,
  grid: Grid,
  hint: Hint,
  hints: Hints,
): { container: Container; row: Path } {
  if (grid.kind === 'texts') {
    const taken = new Set(grid.rows.map((path) => JSON.stringify(path)));
    const row = [freeName('new', (name) => taken.has(JSON.stringify([name])))];
    return {
      container: withCells(
        container,
        grid,
        grid.columns.map((column) => ({ row, column, value: '' })),
      ),
      row,
    };
  }
  const below = hints.below(hint, String(grid.rows.length), grid.kind === 'list');
  const value = namesOf(below).length > 0 ? firstValue(hints, below) : emptyRow(container, grid);
  if (grid.kind === 'map') {
    const name = freeName('new', (other) => Object.hasOwn(container, other));
    return { container: withCells(container, grid, [{ row: [name], column: { path: [] }, value }]), row: [name] };
  }
  const identity = identityColumn(grid, container);
  const list = Object.values<JsonValue>(container);
  const taken = new Set(identity && list.map((element) => cellText(valueAt(element, identity.path))));
  const isText = identity?.kind === 'text';
  const named = isText
    ? withValue(
        value,
        identity.path,
        freeName('new', (name) => taken.has(name)),
      )
    : value;
  return { container: [...list, named ?? value], row: [String(list.length)] };
}

/** A row with the members that every other row has. */
function emptyRow(container: Container, grid: Grid): JsonValue {
  let row: Value;
  for (const column of grid.columns) {
    if (column.isOptional) continue;
    const before = valueAt(container, cellPath(grid, grid.rows[0] ?? [], column));
    row = withValue(row, column.path, emptyCell(column, before));
  }
  return row ?? {};
}

function emptyCell(column: GridColumn, before: Value): JsonValue {
  if (column.isNullable) return null;
  if (column.kind === 'number') return 0;
  if (column.kind === 'boolean') return false;
  if (column.kind === 'choice') return columnChoices(column)[0] ?? null;
  if (column.kind === 'text') return '';
  return before !== undefined && isContainer(before) ? (isJsonObject(before) ? {} : []) : null;
}

/** What many cells became, and how many did not fit their column. */
export interface Edited {
  readonly container: Container;
  readonly changed: number;
  readonly unfit: number;
}

/** Returns the container with a block of texts written over the cells that begin in one cell. `rows` are the rows as shown. */
export function withPasted(
  container: Container,
  grid: Grid,
  rows: readonly Path[],
  from: { readonly row: number; readonly column: number },
  block: readonly (readonly string[])[],
): Edited {
  const edits: CellEdit[] = [];
  let unfit = 0;
  for (const [down, texts] of block.entries()) {
    const row = rows[from.row + down];
    if (row === undefined) continue;
    const read = readCells(container, grid, row, grid.columns.slice(from.column), texts);
    edits.push(...read.edits);
    unfit += read.unfit;
  }
  return { container: withCells(container, grid, edits), changed: edits.length, unfit };
}

/** Reads texts as cells of a row, each in the column of its position: those that differ, and how many do not fit. */
function readCells(
  container: Container,
  grid: Grid,
  row: Path,
  columns: readonly (GridColumn | undefined)[],
  texts: readonly string[],
): { readonly edits: readonly CellEdit[]; readonly unfit: number } {
  const edits: CellEdit[] = [];
  let unfit = 0;
  for (const [place, text] of texts.entries()) {
    const column = columns[place];
    if (column === undefined) continue;
    const old = valueAt(container, cellPath(grid, row, column));
    const read = valueFromText(column, old, text);
    if (read === undefined) unfit++;
    else if (read.value !== old) edits.push({ row, column, value: read.value });
  }
  return { edits, unfit };
}

/** Something done to one column of several rows. */
export type Bulk = { readonly kind: 'set'; readonly value: Value } | { readonly kind: '+' | '×'; readonly by: string };

/** Returns the container with one column of these rows set or calculated. */
export function withBulk(container: Container, grid: Grid, rows: readonly Path[], column: GridColumn, bulk: Bulk): Edited {
  const edits: CellEdit[] = [];
  let unfit = 0;
  for (const row of rows) {
    const old = valueAt(container, cellPath(grid, row, column));
    const value =
      bulk.kind === 'set'
        ? bulk.value
        : old === undefined
          ? undefined
          : calculated(old, bulk.kind, bulk.by, column.isWhole);
    if (value === undefined) unfit++;
    else edits.push({ row, column, value });
  }
  return { container: withCells(container, grid, edits), changed: edits.length, unfit };
}

const headerOf = ({ path }: GridColumn): string => path.join('.') || 'value';
const nameOf = (row: Path): string => row.join('/');

/** Returns the rows of a file with a grid's cells, the header first. */
export function rowsForFile(container: Container, grid: Grid): readonly (readonly string[])[] {
  const isNamed = grid.kind !== 'list';
  const header = [...(isNamed ? [nameHeader] : []), ...grid.columns.map(headerOf)];
  const rows = grid.rows.map((row) => [
    ...(isNamed ? [nameOf(row)] : []),
    ...grid.columns.map((column) => cellText(valueAt(container, cellPath(grid, row, column)))),
  ]);
  return [header, ...rows];
}

/** What a file makes of a container. Cells of new rows are not counted as changed. */
export interface FileEdit extends Edited {
  readonly added: number;
  /** Rows that the file does not have. */
  readonly missing: readonly Path[];
  /** Headers without a column. */
  readonly unknown: readonly string[];
  /** How the rows of the file were found; undefined if by their position. */
  readonly foundBy: string | undefined;
}

/** Returns the container with the rows of a file. Rows that it does not have stay. */
export function withFile(
  container: Container,
  grid: Grid,
  [header = [], ...lines]: readonly (readonly string[])[],
  newRow: (container: Container, grid: Grid) => { container: Container; row: Path },
): FileEdit {
  const names = header.map((name) => name.trim());
  const columns = names.map((name) => grid.columns.find((column) => headerOf(column) === name));
  const identity = identityColumn(grid, container);
  const foundBy = grid.kind === 'list' ? identity && headerOf(identity) : nameHeader;
  const at = foundBy === undefined ? -1 : names.indexOf(foundBy);
  const known = new Map(
    grid.rows.map((row, index) => [at === -1 ? String(index) : rowName(container, grid, row, identity), row]),
  );
  const found = new Set<Path>();
  let next = container;
  let [changed, unfit, added] = [0, 0, 0];
  for (const [index, texts] of lines.filter((line) => line.some((text) => text !== '')).entries()) {
    const name = at === -1 ? String(index) : (texts[at] ?? '');
    let row = known.get(name);
    const isNew = row === undefined;
    if (row === undefined) {
      const made = newRow(next, grid);
      row = grid.kind === 'list' ? made.row : grid.kind === 'map' ? [name] : name.split('/');
      next = grid.kind === 'list' ? made.container : withCells(next, grid, blankOf(made, grid, row));
      known.set(name, row);
      added++;
    }
    found.add(row);
    const read = readCells(next, grid, row, columns, texts);
    unfit += read.unfit;
    if (!isNew) changed += read.edits.length;
    next = withCells(next, grid, read.edits);
  }
  const missing = grid.rows.filter((row) => !found.has(row));
  const unknown = names.filter((name, place) => columns[place] === undefined && name !== '' && place !== at);
  return { container: next, changed, unfit, added, missing, unknown, foundBy: at === -1 ? undefined : foundBy };
}

/** A new member of a map or of every language, under the name of the file. */
function blankOf(made: { container: Container; row: Path }, grid: Grid, row: Path): CellEdit[] {
  if (grid.kind === 'texts') return grid.columns.map((column) => ({ row, column, value: '' }));
  return [{ row, column: { path: [] }, value: valueAt(made.container, made.row) }];
}

function rowName(container: Container, grid: Grid, row: Path, identity: GridColumn | undefined): string {
  return identity === undefined ? nameOf(row) : cellText(valueAt(container, cellPath(grid, row, identity)));
}
