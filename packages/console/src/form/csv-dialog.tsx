/** Shows what a file would change in a table, before it does. */
import { stateCharactersMax } from '@holdfast/contract';
import { useMemo, useState } from 'react';
import { FirstChanges } from '../diff/change-list.tsx';
import { ChangePath, ChangeValues } from '../diff/value-change.tsx';
import { usePathNames } from '../fields/document-hints.tsx';
import type { Hint, Hints } from '../fields/hints.ts';
import { compare } from '../json-text/changes.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { Button, Notice } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { plain } from '../ui/plain-text.ts';
import { toast } from '../ui/toasts.tsx';
import { readFileRows } from './csv.ts';
import { type Container, type Grid, withoutRows } from './grid.ts';
import { withFile, withNewRow } from './grid-edits.ts';
import './csv-dialog.css';
import '../ui/change-list.css';

const [useFormTexts, formTextsNow] = textsOf('forms');

export interface CsvFile {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
}

/** Files have quotes and separators besides. */
const fileCharactersMax = 4 * stateCharactersMax;
const changesAtFirst = 12;

/** Asks for a file. Resolves to its rows; to undefined if none was chosen, or if it is too large. */
export function readFile(): Promise<CsvFile | undefined> {
  const input = Object.assign(document.createElement('input'), { type: 'file', accept: '.csv,.tsv,.txt,text/csv' });
  return new Promise((resolve) => {
    input.oncancel = () => resolve(undefined);
    input.onchange = async () => {
      const [file] = input.files ?? [];
      if (file !== undefined && file.size <= fileCharactersMax) {
        resolve({ name: file.name, rows: readFileRows(await file.text()) });
        return;
      }
      if (file !== undefined) toast(formTextsNow().csvTooLarge, { isFault: true });
      resolve(undefined);
    };
    input.click();
  });
}

interface CsvDialogProps {
  readonly file: CsvFile;
  readonly grid: Grid;
  readonly container: Container;
  readonly hint: Hint;
  readonly hints: Hints;
  readonly onClose: () => void;
  readonly onTake: (container: Container) => void;
}

export function CsvDialog({ file, grid, container, hint, hints, onClose, onTake }: CsvDialogProps) {
  const f = useFormTexts();
  const { common } = useTexts();
  const [isRemoving, setRemoving] = useState(false);
  const first = useMemo(() => {
    const newRow = (to: Container, of: Grid) => withNewRow(to, of, hint, hints);
    return withFile(container, grid, file.rows, newRow);
  }, [container, grid, file, hint, hints]);
  const { missing } = first;
  const next = useMemo(
    () => (isRemoving ? withoutRows(first.container, grid, missing) : first.container),
    [first, grid, missing, isRemoving],
  );
  const [from, to] = useMemo(() => [{ table: container }, { table: next }] as const, [container, next]);
  const { changes } = useMemo(() => compare(from, to), [from, to]);
  const tableHints = useMemo(() => ({ ...hints, root: { properties: { table: hint } } }), [hints, hint]);
  const namesOf = usePathNames(from, to, tableHints);
  const take = () => {
    onTake(next);
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="large"
      title={f.csvTitle(file.name)}
      text={first.foundBy === undefined ? f.csvByPosition : f.csvByName(first.foundBy === '#' ? f.rowName : first.foundBy)}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button kind="primary" disabled={changes.length === 0} onClick={take}>
            {f.csvTake}
          </Button>
        </>
      }
    >
      <p role="status">{changes.length === 0 ? f.csvNothing : f.csvChanges(first.changed, first.added)}</p>
      {first.unfit > 0 && <Notice kind="warn">{f.unfitCells(first.unfit)}</Notice>}
      {first.unknown.length > 0 && <Notice kind="warn">{f.csvUnknown(plain(first.unknown.join(', ')))}</Notice>}
      {missing.length > 0 && (
        <label className="check">
          <input type="checkbox" checked={isRemoving} onChange={({ target }) => setRemoving(target.checked)} />
          {f.csvMissing(missing.length)}
        </label>
      )}
      {changes.length > 0 && (
        <section className="change-list csv-changes">
          <FirstChanges changes={changes} first={changesAtFirst}>
            {(change) => (
              <li key={change.id} data-kind={change.kind}>
                <span className="change-line">
                  <ChangePath change={change} namesOf={namesOf} within={1} />
                  <ChangeValues change={change} />
                </span>
              </li>
            )}
          </FirstChanges>
        </section>
      )}
    </Dialog>
  );
}
