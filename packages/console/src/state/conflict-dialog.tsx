/** Conflicting changes of two people: the original, theirs and mine side by side, with a choice for each. */
import { conflictName, type JsonObject, type MergeConflict, type MergeSide } from '@holdfast/json';
import { useState } from 'react';
import { formatted } from '../api/state.ts';
import { useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Value } from './changes.ts';
import { TheirComment } from './their-comment.tsx';
import type { Overlap } from './use-document.ts';

export interface ConflictDialogProps {
  readonly overlap: Overlap;
  readonly onClose: () => void;
  readonly onSettled: (document: JsonObject) => void;
}

export function ConflictDialog({ overlap, onClose, onSettled }: ConflictDialogProps) {
  const t = useTexts();
  const { theirs, merge } = overlap;
  const [choices, setChoices] = useState<ReadonlyMap<string, MergeSide>>(new Map());
  const isDone = merge.conflicts.every(({ path }) => choices.has(conflictName(path)));
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title={t.state.conflictTitle(merge.conflicts.length)}
      text={t.state.conflictText(theirs.version)}
      actions={
        <>
          <span className="hint">{isDone ? '' : t.state.chooseAll}</span>
          <Button onClick={onClose}>{t.state.keepEditing}</Button>
          <Button kind="primary" disabled={!isDone} onClick={() => onSettled(merge.build(choices))}>
            {t.state.continueToReview}
          </Button>
        </>
      }
    >
      <TheirComment record={theirs} />
      <ol className="conflicts">
        {merge.conflicts.map((conflict) => {
          const name = conflictName(conflict.path);
          return (
            <OneConflict
              key={name}
              conflict={conflict}
              choice={choices.get(name)}
              onChoose={(side) => setChoices(new Map(choices).set(name, side))}
            />
          );
        })}
      </ol>
    </Dialog>
  );
}

function OneConflict(props: {
  conflict: MergeConflict;
  choice: MergeSide | undefined;
  onChoose: (side: MergeSide) => void;
}) {
  const t = useTexts();
  const { conflict, choice, onChoose } = props;
  const name = conflictName(conflict.path);
  const side = (value: MergeSide, label: string) => (
    <label className="conflict-side" data-chosen={choice === value || undefined}>
      <span className="conflict-choice">
        <input type="radio" name={name} checked={choice === value} onChange={() => onChoose(value)} />
        {label}
      </span>
      <ShownValue value={conflict[value]} />
    </label>
  );
  return (
    <li>
      <h3>
        <bdi>{conflict.path.join(' › ') || '{ }'}</bdi>
      </h3>
      <div className="conflict-sides">
        <div className="conflict-side base">
          <span className="conflict-choice">{t.state.base}</span>
          <ShownValue value={conflict.base} />
        </div>
        {side('theirs', t.state.takeTheirs)}
        {side('mine', t.state.takeMine)}
      </div>
    </li>
  );
}

function ShownValue({ value }: { value: Value }) {
  const t = useTexts();
  if (value === undefined) return <em>{t.state.absent}</em>;
  return <pre>{formatted(value)}</pre>;
}
