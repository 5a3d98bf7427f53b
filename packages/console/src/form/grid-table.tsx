/** The rows and columns of a grid. Only visible rows are rendered. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import { languageName } from '../fields/language-name.ts';
import { type Path, renamed, valueAt } from '../fields/values.ts';
import type { Finding } from '../json-text/document-text.ts';
import { textsOf } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';
import { fading } from '../ui/strip.ts';
import { toast } from '../ui/toasts.tsx';
import { wideWindow } from '../ui/wide-window.ts';
import { readRows } from './csv.ts';
import { type CellEdit, type Container, cellPath, type Grid, type GridColumn, withCells } from './grid.ts';
import { withPasted } from './grid-edits.ts';
import { GridRow } from './grid-row.tsx';
import { type Order, rowKey } from './use-order.ts';

const [useFormTexts, formTextsNow] = textsOf('forms');

interface GridTableProps {
  readonly grid: Grid;
  readonly container: Container;
  /** The container after changes that are not rendered yet. */
  readonly now: () => Container;
  readonly path: Path;
  readonly name: string;
  readonly order: Order;
  readonly selected: ReadonlySet<string>;
  readonly findings: ReadonlyMap<string, Finding>;
  readonly wanted: Path | undefined;
  /** A row to focus. */
  readonly focused: Path | undefined;
  readonly onFocused: () => void;
  readonly onSelect: (rows: ReadonlySet<string>) => void;
  readonly onChange: (container: Container) => void;
  readonly onOpen: (row: Path) => void;
}

const rowHeight = 41;
/** Of a text below its name. */
const textHeight = 40;

const useHasColumns = wideWindow(641);

/** The names of languages that stand beside their texts, below each other, in a narrow window; undefined for columns. */
function useStackedLanguages({ kind, columns }: Grid): readonly string[] | undefined {
  const hasColumns = useHasColumns();
  return useMemo(
    () => (hasColumns || kind !== 'texts' ? undefined : columns.map(({ label }) => plain(languageName(label)))),
    [hasColumns, kind, columns],
  );
}

/** The rows in view, all of one height in pixels. */
function useRows(count: number, height: number, scroller: RefObject<HTMLElement | null>) {
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 6,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the virtualizer keeps the heights that it has
  useEffect(() => rows.measure(), [height, rows.measure]);
  return rows;
}

export function GridTable(props: GridTableProps) {
  const { grid, container, path, name, order, selected, findings, onSelect, onOpen } = props;
  const f = useFormTexts();
  const scroller = useRef<HTMLElement>(null);
  useEffect(() => fading(scroller.current), []);
  const languages = useStackedLanguages(grid);
  const rows = useRows(order.rows.length, rowHeight + (languages?.length ?? 0) * textHeight, scroller);
  const focusCell = useCallback(
    (row: number, column: number) => {
      rows.scrollToIndex(row);
      requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)?.focus());
    },
    [rows.scrollToIndex],
  );
  useWantedRow(props, focusCell);
  const { edit, rename, select } = useRowEdits(props);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = cellAfterKey(event, order.rows.length);
    if (to === undefined) return;
    event.preventDefault();
    focusCell(to.row, to.column);
  };
  const shown = rows.getVirtualItems();
  const before = shown[0]?.start ?? 0;
  const after = rows.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <section
      className="grid-scroller"
      data-stacked={languages && true}
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
      tabIndex={0}
      aria-label={f.table(plain(name))}
    >
      <table aria-rowcount={order.rows.length + 1} onKeyDown={onKeyDown} onPaste={(event) => paste(event, props)}>
        <GridHead grid={grid} order={order} selected={selected} onSelect={onSelect} />
        <tbody>
          {before > 0 && <tr style={{ height: before }} />}
          {shown.map(({ index }) => {
            const row = order.rows[index];
            return row === undefined ? null : (
              <GridRow
                key={rowKey(row)}
                index={index}
                row={row}
                kind={grid.kind}
                columns={grid.columns}
                languages={languages}
                values={grid.columns.map((column) => valueAt(container, cellPath(grid, row, column)))}
                path={path}
                findings={findings}
                isSelected={selected.has(rowKey(row))}
                onSelect={select}
                onEdit={edit}
                onRename={rename}
                onOpen={onOpen}
              />
            );
          })}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </table>
      {order.rows.length === 0 && (
        <p className="hint nothing">
          {order.filter !== '' ? f.noMatch : order.isOnlyMissing ? f.nothingMissing : f.noRows}
        </p>
      )}
    </section>
  );
}

/** Changes of one row, which stay the same functions, so that rows need not be rendered again. */
function useRowEdits({ grid, now, selected, onSelect, onChange }: GridTableProps) {
  const latest = useRef(grid);
  latest.current = grid;
  const edit = useCallback((cell: CellEdit) => onChange(withCells(now(), latest.current, [cell])), [now, onChange]);
  const rename = useCallback(
    (row: Path, name: string) => {
      const isTaken = latest.current.rows.some((other) => rowKey(other) === rowKey([...row.slice(0, -1), name]));
      if (isTaken) toast(formTextsNow().nameUsed, { isFault: true });
      else onChange(renamedRow(now(), latest.current, row, name));
    },
    [now, onChange],
  );
  const select = useCallback(
    (row: Path, isSelected: boolean) => {
      const next = new Set(selected);
      if (isSelected) next.add(rowKey(row));
      else next.delete(rowKey(row));
      onSelect(next);
    },
    [selected, onSelect],
  );
  return { edit, rename, select };
}

/** Writes cells of a spreadsheet over those that begin at the focused one. A single value is left to its input. */
function paste(event: ClipboardEvent, { grid, now, order, onChange }: GridTableProps): void {
  const text = event.clipboardData.getData('text/plain').replace(/\r?\n$/, '');
  const from = cellOf(event.target);
  if (from === undefined || from.column < 0 || !/[\t\n]/.test(text)) return;
  event.preventDefault();
  const { container: next, changed, unfit } = withPasted(now(), grid, order.rows, from, readRows(text, '\t'));
  onChange(next);
  const told = formTextsNow();
  toast([told.changedCells(changed), unfit > 0 && told.unfitCells(unfit)].filter(Boolean).join('. '));
}

/** Focuses a new row, or the cell that somebody came for. */
function useWantedRow(
  { grid, path, order, wanted, focused, onFocused }: GridTableProps,
  focusCell: (row: number, column: number) => void,
) {
  const latest = useRef({ grid, path, order, onFocused });
  latest.current = { grid, path, order, onFocused };
  useEffect(() => {
    if (focused === undefined) return;
    const index = latest.current.order.rows.findIndex((row) => rowKey(row) === rowKey(focused));
    if (index === -1) return;
    focusCell(index, latest.current.grid.kind === 'list' ? 0 : -1);
    latest.current.onFocused();
  }, [focused, focusCell]);
  useEffect(() => {
    if (wanted === undefined) return;
    const { grid: of, path: at, order: shown } = latest.current;
    const inside = wanted.slice(at.length);
    const isAt = (row: Path, column: GridColumn) => {
      const cell = cellPath(of, row, column);
      return cell.every((segment, index) => inside[index] === segment);
    };
    const index = shown.rows.findIndex(
      (row) =>
        of.columns.some((column) => isAt(row, column)) || (row.length > 0 && row[0] === inside[0] && of.kind !== 'texts'),
    );
    const row = shown.rows[index];
    if (row !== undefined)
      focusCell(
        index,
        Math.max(
          0,
          of.columns.findIndex((column) => isAt(row, column)),
        ),
      );
  }, [wanted, focusCell]);
}

interface GridHeadProps {
  readonly grid: Grid;
  readonly order: Order;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (rows: ReadonlySet<string>) => void;
}

function GridHead({ grid, order, selected, onSelect }: GridHeadProps) {
  const f = useFormTexts();
  const isAll = order.rows.length > 0 && order.rows.every((row) => selected.has(rowKey(row)));
  const name = grid.kind === 'texts' ? f.textName : f.rowName;
  return (
    <thead>
      <tr>
        <th scope="col" className="grid-select">
          <input
            type="checkbox"
            aria-label={f.selectAll}
            checked={isAll}
            onChange={() => onSelect(new Set(isAll ? [] : order.rows.map(rowKey)))}
          />
        </th>
        {grid.kind !== 'list' && <SortHead name={name} column={-1} order={order} kind="name" />}
        {grid.columns.map((column, index) => (
          <SortHead
            key={column.name}
            name={(grid.kind === 'texts' ? languageName(column.label) : column.label) || f.value}
            at={column.name}
            column={index}
            order={order}
            kind={column.kind}
          />
        ))}
        {grid.kind !== 'texts' && (
          <th scope="col" className="grid-open">
            <span className="hidden-text">{f.open}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

interface SortHeadProps {
  readonly name: string;
  /** Its keys; left out if it has none. */
  readonly at?: string;
  readonly column: number;
  readonly order: Order;
  readonly kind: string;
}

function SortHead({ name, at = '', column, order, kind }: SortHeadProps) {
  const f = useFormTexts();
  const isSorted = order.sort?.column === column;
  const direction = order.sort?.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" data-kind={kind} aria-sort={isSorted ? direction : undefined}>
      <button
        type="button"
        title={[f.sortBy(plain(name)), ...(at === '' || at === name ? [] : [plain(at)])].join('\n')}
        onClick={() => order.sortBy(column)}
      >
        <bdi>{plain(name)}</bdi>
        {isSorted && (order.sort?.isDescending ? <ArrowDown aria-hidden="true" /> : <ArrowUp aria-hidden="true" />)}
      </button>
    </th>
  );
}

/** A member of a map, or a text in every language, under another name. */
function renamedRow(container: Container, grid: Grid, row: Path, name: string): Container {
  const old = row.at(-1) ?? '';
  const parents = grid.kind === 'texts' ? grid.columns.map(({ path }) => [...path, ...row.slice(0, -1)]) : [[]];
  return parents.reduce<Container>((now, parent) => {
    const object = valueAt(now, parent);
    if (object === undefined || typeof object !== 'object' || object === null || Array.isArray(object)) return now;
    return withCells(now, { ...grid, kind: 'map' }, [
      { row: parent, column: { path: [] }, value: renamed(object as never, old, name) },
    ]);
  }, container);
}

/** The cell of an input: its row as shown, and its column. */
function cellOf(target: EventTarget): { row: number; column: number } | undefined {
  const name = target instanceof HTMLElement ? target.dataset.cell : undefined;
  if (name === undefined) return undefined;
  const [row = 0, column = 0] = name.split(':').map(Number);
  return { row, column };
}

function cellAfterKey(event: KeyboardEvent, count: number): { row: number; column: number } | undefined {
  const from = cellOf(event.target);
  if (from === undefined || event.altKey || event.ctrlKey || event.metaKey) return undefined;
  const isList = event.target instanceof HTMLSelectElement;
  const isText = event.target instanceof HTMLTextAreaElement;
  const steps: Readonly<Record<string, number>> = isList ? {} : { ArrowDown: 1, ArrowUp: -1 };
  const isEnter = event.key === 'Enter' && !(isText && event.shiftKey);
  const step = isEnter ? (event.shiftKey ? -1 : 1) : isText ? undefined : steps[event.key];
  if (step === undefined) return undefined;
  return { row: Math.min(count - 1, Math.max(0, from.row + step)), column: from.column };
}
