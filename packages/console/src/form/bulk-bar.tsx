/** Actions on the selected rows of a table. */
import { Copy, Trash2, X } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import type { Value } from '../state/changes.ts';
import { useFormTexts } from '../texts/forms.ts';
import { formatNumber } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { Choice } from '../ui/filters.tsx';
import { toast } from '../ui/toasts.tsx';
import { type Container, type Grid, withCopies, withoutRows } from './grid.ts';
import { withBulk } from './grid-edits.ts';
import { ScalarInput } from './inputs.tsx';
import { numberOf, type Path } from './values.ts';

interface BulkBarProps {
  readonly grid: Grid;
  readonly container: Container;
  readonly rows: readonly Path[];
  readonly onChange: (container: Container) => void;
  /** Selects other rows. */
  readonly onSelect: (rows: readonly Path[]) => void;
}

const operations = ['set', '×', '+'] as const;

export function BulkBar({ grid, container, rows, onChange, onSelect }: BulkBarProps) {
  const t = useFormTexts();
  const id = useId();
  const numeric = Math.max(
    0,
    grid.columns.findIndex(({ kind }) => kind === 'number'),
  );
  const [place, setPlace] = useState(String(numeric));
  const [chosen, setOperation] = useState<(typeof operations)[number]>('set');
  const [value, setValue] = useState<Value>();
  const [by, setBy] = useState('');
  const column = grid.columns[Number(place)];
  if (column === undefined) return null;
  const operation = column.kind === 'number' ? chosen : 'set';
  const factor = numberOf(by);
  const isReady = operation === 'set' ? value !== undefined : factor !== undefined;
  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady) return;
    const bulk = operation === 'set' ? ({ kind: 'set', value } as const) : { kind: operation, by: JSON.stringify(factor) };
    const { container: next, changed, unfit } = withBulk(container, grid, rows, column, bulk);
    onChange(next);
    toast([t.changedCells(changed), unfit > 0 && t.unfitCells(unfit)].filter(Boolean).join('. '));
  };
  return (
    <form className="bulk-bar" aria-label={t.bulk} onSubmit={apply}>
      <b role="status">{t.selected(formatNumber(rows.length))}</b>
      <Choice
        label={t.column}
        value={place}
        options={grid.columns.map(({ name }, index) => ({ value: String(index), label: name || t.value }))}
        onChange={(next) => {
          setPlace(next);
          setValue(undefined);
        }}
      />
      <Choice
        label={t.operation}
        value={operation}
        options={operations
          .filter((one) => one === 'set' || column.kind === 'number')
          .map((one) => ({ value: one, label: t.operations[one] }))}
        onChange={setOperation}
      />
      <span className="bulk-value">
        {operation === 'set' ? (
          <ScalarInput
            key={place}
            {...column}
            value={value}
            isCell
            onChange={setValue}
            attributes={{ id, 'aria-label': t.value }}
          />
        ) : (
          <input
            className="numeric"
            inputMode="decimal"
            autoComplete="off"
            aria-label={t.value}
            placeholder={operation === '×' ? '1.1' : '5'}
            value={by}
            onChange={({ target }) => setBy(target.value)}
          />
        )}
      </span>
      <Button type="submit" kind="primary" size="small" disabled={!isReady}>
        {t.apply}
      </Button>
      <RowActions grid={grid} container={container} rows={rows} onChange={onChange} onSelect={onSelect} />
    </form>
  );
}

/** Buttons for the selected rows as a whole. */
function RowActions({ grid, container, rows, onChange, onSelect }: BulkBarProps) {
  const t = useFormTexts();
  const duplicate = () => {
    const { container: next, copies } = withCopies(container, grid, rows);
    onChange(next);
    onSelect(copies);
  };
  const remove = () => {
    onChange(withoutRows(container, grid, rows));
    onSelect([]);
    toast(t.removedRows(rows.length));
  };
  return (
    <span className="bulk-rows">
      <Button size="small" icon={<Copy />} onClick={duplicate}>
        {t.duplicate}
      </Button>
      <Button size="small" icon={<Trash2 />} onClick={remove}>
        {t.remove}
      </Button>
      <Button kind="quiet" size="small" icon={<X />} aria-label={t.unselect} onClick={() => onSelect([])} />
    </span>
  );
}
