/** Actions on the selected rows of a table. */
import { printJson } from '@holdfast/json';
import { X } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { numberOf, type Path } from '../fields/values.ts';
import type { Value } from '../json-text/changes.ts';
import { formatNumber, textsOf } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Choice } from '../ui/filters.tsx';
import { RowMenu } from '../ui/row-menu.tsx';
import { toast } from '../ui/toasts.tsx';
import { wideWindow } from '../ui/wide-window.ts';
import { calculated } from './arithmetic.ts';
import { type Container, type Grid, withCopies, withoutRows } from './grid.ts';
import { withBulk } from './grid-edits.ts';
import { ScalarInput } from './inputs.tsx';
import './bulk-bar.css';

const [useFormTexts] = textsOf('forms');

interface BulkBarProps {
  readonly grid: Grid;
  readonly container: Container;
  readonly rows: readonly Path[];
  readonly onChange: (container: Container) => void;
  /** Selects other rows. */
  readonly onSelect: (rows: readonly Path[]) => void;
}

const operations = ['set', '×', '+'] as const;
type Operation = (typeof operations)[number];

/** Narrower windows show the change in a dialog, so that the bar stays one row. */
const useHasFieldRoom = wideWindow(1101);

export function BulkBar(props: BulkBarProps) {
  const { grid, container, rows, onChange, onSelect } = props;
  const f = useFormTexts();
  const hasFields = useHasFieldRoom();
  const [isChanging, setChanging] = useState(false);
  const duplicate = () => {
    const { container: next, copies } = withCopies(container, grid, rows);
    onChange(next);
    onSelect(copies);
  };
  const remove = () => {
    onChange(withoutRows(container, grid, rows));
    onSelect([]);
    toast(f.removedRows(rows.length));
  };
  return (
    <section className="bulk-bar" aria-label={f.bulk}>
      <Button kind="quiet" size="small" icon={<X />} aria-label={f.unselect} onClick={() => onSelect([])} />
      <b role="status">{f.selected(formatNumber(rows.length))}</b>
      {hasFields ? (
        <BulkChange {...props} />
      ) : (
        <Button size="small" onClick={() => setChanging(true)}>
          {f.changeValues}
        </Button>
      )}
      <RowMenu
        label={f.rowActions}
        actions={[
          { label: f.duplicate, run: duplicate },
          { label: f.remove, run: remove, isDanger: true },
        ]}
      />
      <Dialog isOpen={isChanging && !hasFields} onClose={() => setChanging(false)} title={f.bulk}>
        <BulkChange {...props} onDone={() => setChanging(false)} />
      </Dialog>
    </section>
  );
}

/** Changes a column of the selected rows. */
function BulkChange({ grid, container, rows, onChange, onDone }: BulkBarProps & { onDone?: () => void }) {
  const f = useFormTexts();
  const id = useId();
  const numeric = Math.max(
    0,
    grid.columns.findIndex(({ kind }) => kind === 'number'),
  );
  const [place, setPlace] = useState(String(numeric));
  const [chosen, setOperation] = useState<Operation>('set');
  const [value, setValue] = useState<Value>();
  const [typed, setTyped] = useState('');
  const column = grid.columns[Number(place)];
  if (column === undefined) return null;
  const isNumber = column.kind === 'number';
  const { operation, number } = isNumber ? typedChange(typed, chosen) : { operation: 'set' as const, number: value };
  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (number === undefined) return;
    const bulk =
      operation === 'set' ? ({ kind: 'set', value: number } as const) : { kind: operation, by: printJson(number) };
    const { container: next, changed, unfit } = withBulk(container, grid, rows, column, bulk);
    onChange(next);
    onDone?.();
    toast([f.changedCells(changed), unfit > 0 && f.unfitCells(unfit)].filter(Boolean).join('. '));
  };
  return (
    <form className="bulk-change" onSubmit={apply}>
      <Choice
        label={f.column}
        value={place}
        options={grid.columns.map(({ label }, index) => ({ value: String(index), label: label || f.value }))}
        onChange={(next) => {
          setPlace(next);
          setValue(undefined);
        }}
      />
      <Choice
        label={f.operation}
        value={operation}
        options={operations
          .filter((one) => one === 'set' || isNumber)
          .map((one) => ({ value: one, label: f.operations[one] }))}
        onChange={(next) => {
          setOperation(next);
          if (operation !== next && numberOf(typed) === undefined) setTyped('');
        }}
      />
      <span className="bulk-value">
        {isNumber ? (
          <input
            className="numeric"
            autoComplete="off"
            aria-label={f.value}
            placeholder={f.bulkExample}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        ) : (
          <ScalarInput
            key={place}
            {...column}
            value={value}
            isCell
            onChange={setValue}
            attributes={{ id, 'aria-label': f.value }}
          />
        )}
      </span>
      <Button type="submit" kind="primary" size="small" disabled={number === undefined}>
        {f.apply}
      </Button>
    </form>
  );
}

/** What a typed text does to numbers: `+10 %`, `-10 %`, `×1.1`, `*1.1` and `+5` say it themselves, a plain number does what is chosen. */
function typedChange(typed: string, chosen: Operation): { readonly operation: Operation; readonly number: Value } {
  const text = typed.trim();
  const number = numberOf(text.replace(/^[×*+]\s*|\s*%$/g, ''));
  if (number === undefined) return { operation: chosen, number };
  if (/^[+-].*%$/.test(text)) {
    const part = calculated(number, '×', '0.01', false);
    return { operation: '×', number: part && calculated(part, '+', '1', false) };
  }
  if (text.endsWith('%')) return { operation: chosen, number: undefined };
  const operation = /^[×*]/.test(text) ? '×' : text.startsWith('+') ? '+' : chosen;
  return { operation, number };
}
