/** A row of a table. It is rendered again only if one of its cells has changed. */
import { pointerOf } from '@holdfast/json';
import { ChevronRight } from 'lucide-react';
import { memo, useState } from 'react';
import type { Path } from '../fields/values.ts';
import type { Value } from '../json-text/changes.ts';
import type { Finding } from '../json-text/document-text.ts';
import { textsOf } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { plain } from '../ui/plain-text.ts';
import { cellText } from './cells.ts';
import { type CellEdit, cellPath, type Grid, type GridColumn } from './grid.ts';
import { WarnedInput } from './warned-input.tsx';

const [useFormTexts] = textsOf('forms');

interface GridRowProps {
  /** The position as shown. */
  readonly index: number;
  readonly row: Path;
  readonly kind: Grid['kind'];
  readonly columns: readonly GridColumn[];
  /** By column, if texts stand below each other. */
  readonly languages: readonly string[] | undefined;
  readonly values: readonly Value[];
  readonly path: Path;
  readonly findings: ReadonlyMap<string, Finding>;
  readonly isSelected: boolean;
  readonly onSelect: (row: Path, isSelected: boolean) => void;
  readonly onEdit: (edit: CellEdit) => void;
  readonly onRename: (row: Path, name: string) => void;
  readonly onOpen: (row: Path) => void;
}

export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { index, row, kind, columns, languages, values, path, findings, isSelected, onSelect, onEdit, onRename, onOpen } =
    props;
  const f = useFormTexts();
  const title = kind === 'list' ? listTitle(columns, values, row) : row.join(' › ');
  const name = plain(title);
  return (
    <tr aria-rowindex={index + 2} data-selected={isSelected || undefined}>
      <td className="grid-select">
        <input
          type="checkbox"
          aria-label={f.selectRow(name)}
          checked={isSelected}
          onChange={({ target }) => onSelect(row, target.checked)}
        />
      </td>
      {kind !== 'list' && (
        <th scope="row">
          <NameInput row={row} cell={`${index}:-1`} onRename={onRename} />
        </th>
      )}
      {columns.map((column, place) => {
        const pointer = pointerOf([...path, ...cellPath({ kind } as Grid, row, column)]);
        const finding = findings.get(pointer);
        return (
          <td key={column.name} data-kind={column.kind}>
            {languages && (
              <bdi className="grid-language" aria-hidden="true">
                {languages[place]}
              </bdi>
            )}
            <WarnedInput
              finding={finding}
              {...column}
              value={values[place]}
              isCell
              {...(kind === 'texts' && { missing: f.missing })}
              onChange={(value) => onEdit({ row, column, value })}
              attributes={{
                'aria-label': `${name}, ${plain(column.label || f.value)}`,
                'data-at': pointer,
                'data-cell': `${index}:${place}`,
              }}
            />
          </td>
        );
      })}
      {kind !== 'texts' && (
        <td className="grid-open">
          {columns.some((column) => column.path.length > 0) && (
            <Button
              kind="quiet"
              size="small"
              icon={<ChevronRight />}
              aria-label={f.openRow(name)}
              onClick={() => onOpen(row)}
            />
          )}
        </td>
      )}
    </tr>
  );
}, isSameRow);

/** What names an element: its first text. */
function listTitle(columns: readonly GridColumn[], values: readonly Value[], [position]: Path): string {
  const place = columns.findIndex(({ kind }) => kind === 'text');
  return cellText(values[place]).slice(0, 40) || String(Number(position) + 1);
}

function isSameRow(before: GridRowProps, after: GridRowProps): boolean {
  const { values: old, row: oldRow, ...others } = before;
  const { values, row, ...rest } = after;
  return (
    old.length === values.length &&
    values.every((value, index) => value === old[index]) &&
    oldRow.join('\n') === row.join('\n') &&
    Object.entries(rest).every(([name, value]) => Object.is(value, others[name as keyof typeof others]))
  );
}

/** The name of a member, which changes when the input is left. */
function NameInput({ row, cell, onRename }: { row: Path; cell: string; onRename: (row: Path, name: string) => void }) {
  const f = useFormTexts();
  const name = row.at(-1) ?? '';
  const [typed, setTyped] = useState<string>();
  const leave = () => {
    if (typed !== undefined && typed !== name) onRename(row, typed);
    setTyped(undefined);
  };
  return (
    <input
      type="text"
      aria-label={f.row(plain(name))}
      title={row.length > 1 ? plain(row.join(' › ')) : undefined}
      autoComplete="off"
      spellCheck={false}
      data-cell={cell}
      value={typed ?? row.join('.')}
      readOnly={row.length > 1}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={leave}
      onKeyDown={({ key }) => {
        if (key === 'Enter') leave();
        else if (key === 'Escape') setTyped(undefined);
      }}
    />
  );
}
