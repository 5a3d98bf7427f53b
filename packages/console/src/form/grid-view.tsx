/** A table whose cells are edited in place, with actions on many of its rows. */
import { Download, Plus, Upload } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Hint, Hints } from '../fields/hints.ts';
import type { Path } from '../fields/values.ts';
import type { Finding } from '../json-text/document-text.ts';
import { formatNumber, textsOf } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { SearchField } from '../ui/filters.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { saveFile } from '../ui/save-file.ts';
import { BulkBar } from './bulk-bar.tsx';
import { printRows } from './csv.ts';
import { CsvDialog, type CsvFile, readFile } from './csv-dialog.tsx';
import { type Container, type Grid, gridOf } from './grid.ts';
import { rowsForFile, withNewRow } from './grid-edits.ts';
import { GridTable } from './grid-table.tsx';
import { type Order, rowKey, useOrder } from './use-order.ts';
import './grid-view.css';
import './grid-stacked.css';

const [useFormTexts, formTextsNow] = textsOf('forms');

interface GridViewProps {
  readonly container: Container;
  readonly hint: Hint;
  readonly hints: Hints;
  readonly path: Path;
  readonly name: string;
  readonly findings: ReadonlyMap<string, Finding>;
  /** The value to scroll to, if it is in this table. */
  readonly wanted: Path | undefined;
  readonly onChange: (container: Container) => void;
  readonly onOpen: (row: Path) => void;
}

export function GridView({ container, hint, hints, path, name, findings, wanted, onChange, onOpen }: GridViewProps) {
  const grid = useGrid(container, hint, hints);
  const order = useOrder(grid, container);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [file, setFile] = useState<CsvFile>();
  const [focused, setFocused] = useState<Path>();
  const root = useRef<HTMLDivElement>(null);
  const latest = useRef({ container, onChange });
  latest.current = { container, onChange };
  const change = useCallback((next: Container) => {
    latest.current.container = next;
    latest.current.onChange(next);
  }, []);
  const now = useCallback(() => latest.current.container, []);
  const chosen = grid.rows.filter((row) => selected.has(rowKey(row)));
  const addRow = () => {
    const { container: next, row } = withNewRow(container, grid, hint, hints);
    order.setFilter('');
    change(next);
    setFocused(row);
  };
  const selectShown = () => {
    setSelected(new Set(order.rows.map(rowKey)));
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('.bulk-value input')?.focus());
  };
  return (
    <div className="grid-view" ref={root}>
      <GridBar
        order={order}
        grid={grid}
        onAll={selectShown}
        onAdd={addRow}
        onExport={() => exportCsv(container, grid, path)}
        onImport={() => void readFile().then(setFile)}
      />
      {chosen.length > 0 && (
        <BulkBar
          grid={grid}
          container={container}
          rows={chosen}
          onChange={change}
          onSelect={(rows) => setSelected(new Set(rows.map(rowKey)))}
        />
      )}
      <GridTable
        grid={grid}
        container={container}
        now={now}
        path={path}
        name={name}
        order={order}
        selected={selected}
        findings={findings}
        wanted={wanted}
        focused={focused}
        onFocused={() => setFocused(undefined)}
        onSelect={setSelected}
        onChange={change}
        onOpen={onOpen}
      />
      {file !== undefined && (
        <CsvDialog
          {...{ file, grid, container, hint, hints }}
          onClose={() => setFile(undefined)}
          onTake={(next) => {
            setSelected(new Set());
            change(next);
          }}
        />
      )}
    </div>
  );
}

function exportCsv(container: Container, grid: Grid, path: Path): void {
  const text = printRows(rowsForFile(container, grid), formTextsNow().csvSeparator);
  saveFile(`${path.at(-1) ?? 'table'}.csv`, 'text/csv', text);
}

interface GridBarProps {
  readonly order: Order;
  readonly grid: Grid;
  /** Selects the rows that match, to change them together. */
  readonly onAll: () => void;
  readonly onAdd: () => void;
  readonly onExport: () => void;
  readonly onImport: () => void;
}

function GridBar({ order, grid, onAll, onAdd, onExport, onImport }: GridBarProps) {
  const f = useFormTexts();
  return (
    <div className="grid-bar">
      <SearchField label={f.filter} value={order.filter} onChange={order.setFilter} onSubmit={onAll} />
      <span className="hint" role="status">
        {order.filter === '' && !order.isOnlyMissing
          ? f.rows(formatNumber(grid.rows.length))
          : f.filtered(formatNumber(order.rows.length), formatNumber(grid.rows.length))}
      </span>
      {grid.kind === 'texts' && (
        <label className="check grid-missing">
          <input
            type="checkbox"
            checked={order.isOnlyMissing}
            onChange={({ target }) => order.setOnlyMissing(target.checked)}
          />
          {f.onlyMissing}
        </label>
      )}
      <Button size="small" className="grid-add" icon={<Plus />} aria-label={f.addRow} onClick={onAdd}>
        {f.addRow}
      </Button>
      <span className="grid-files">
        <Button kind="quiet" size="small" icon={<Upload />} onClick={onImport}>
          {f.fromCsv}
        </Button>
        <Button kind="quiet" size="small" icon={<Download />} onClick={onExport}>
          {f.toCsv}
        </Button>
      </span>
      <span className="grid-files-menu">
        <RowMenu
          label={f.files}
          actions={[
            { label: f.fromCsv, run: onImport },
            { label: f.toCsv, run: onExport },
          ]}
        />
      </span>
    </div>
  );
}

/** The grid of a container. Its columns stay the same objects while they have not changed, so that rows need not be rendered again. */
function useGrid(container: Container, hint: Hint, hints: Hints): Grid {
  const known = useRef<{ readonly key: string; readonly hint: Hint; readonly grid: Grid }>(undefined);
  return useMemo(() => {
    const grid = gridOf(container, hint, hints);
    const key = JSON.stringify(grid.columns.map(({ hint: _, ...column }) => column));
    if (known.current?.key === key && known.current.hint === hint) return { ...grid, columns: known.current.grid.columns };
    known.current = { key, hint, grid };
    return grid;
  }, [container, hint, hints]);
}
