/** Conflicting changes of two people: the original, theirs and mine side by side, with a choice for each. */
import { conflictName, isContainer, type JsonObject, type MergeConflict, type MergeSide } from '@holdfast/json';
import { type ReactNode, useMemo, useState } from 'react';
import { formatted } from '../api/state.ts';
import { type Texts, textsOf, useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { plain } from '../ui/plain-text.ts';
import type { Value } from './changes.ts';
import { type PathNames, usePathNames } from './document-hints.tsx';
import { TheirComment } from './their-comment.tsx';
import type { Overlap } from './use-document.ts';
import { keysText, pathText } from './value-change.tsx';
import { Quoted, valueInLine } from './value-in-line.tsx';
import './conflict-dialog.css';

const [useChangeTexts] = textsOf('changes');

/** What the dialog says. */
interface ConflictWords {
  readonly text: string;
  readonly theirs: string;
  readonly mine: string;
  readonly cancel: string;
  readonly settle: string;
}

export interface ConflictDialogProps {
  readonly overlap: Overlap;
  /** Those of a version that is saved, if left out. */
  readonly words?: ConflictWords;
  /** Who saved that version, inside a sentence; left out while unknown. */
  readonly author?: string | undefined;
  readonly onClose: () => void;
  readonly onSettled: (document: JsonObject) => void;
}

export function ConflictDialog({ overlap, words: given, author, onClose, onSettled }: ConflictDialogProps) {
  const t = useTexts();
  const { theirs, merge } = overlap;
  const words = given ?? savingWords(t, theirs.version, author);
  const namesOf = useNamesIn(overlap);
  const [choices, setChoices] = useState<ReadonlyMap<string, MergeSide>>(new Map());
  const isDone = merge.conflicts.every(({ path }) => choices.has(conflictName(path)));
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="large"
      title={t.state.conflictTitle(merge.conflicts.length)}
      text={words.text}
      actions={
        <>
          <span className="hint">{isDone ? '' : t.state.chooseAll}</span>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" disabled={!isDone} onClick={() => onSettled(merge.build(choices))}>
            {words.settle}
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
              namesOf={namesOf}
              words={words}
              choice={choices.get(name)}
              onChoose={(side) => setChoices(new Map(choices).set(name, side))}
            />
          );
        })}
      </ol>
    </Dialog>
  );
}

const savingWords = (t: Texts, version: number, author: string | undefined): ConflictWords => ({
  text: t.state.conflictText(version, author),
  theirs: t.state.savedVersion(version),
  mine: t.state.unsavedEdits,
  cancel: t.state.keepEditing,
  settle: t.state.continueToReview,
});

function OneConflict(props: {
  conflict: MergeConflict;
  namesOf: PathNames;
  words: ConflictWords;
  choice: MergeSide | undefined;
  onChoose: (side: MergeSide) => void;
}) {
  const t = useTexts();
  const { conflict, namesOf, words, choice, onChoose } = props;
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
    <Sides conflict={conflict} namesOf={namesOf}>
      <Side label={t.state.base} value={conflict.base} />
      {side('theirs', words.theirs)}
      {side('mine', words.mine)}
    </Sides>
  );
}

const sides = ['base', 'theirs', 'mine'] as const;

/** Names the paths of conflicts in both documents. */
function useNamesIn({ theirs, merge }: Overlap): PathNames {
  const mine = useMemo(() => merge.build('mine'), [merge]);
  return usePathNames(theirs.state, mine);
}

interface ConflictListProps {
  readonly overlap: Overlap;
  /** More are not shown. */
  readonly max: number;
  readonly labels: Readonly<Record<(typeof sides)[number], string>>;
}

/** The values of conflicting changes, without a choice. */
export function ConflictList({ overlap, max, labels }: ConflictListProps) {
  const namesOf = useNamesIn(overlap);
  return (
    <ol className="conflicts">
      {overlap.merge.conflicts.slice(0, max).map((conflict) => (
        <Sides key={conflictName(conflict.path)} conflict={conflict} namesOf={namesOf}>
          {sides.map((side) => (
            <Side key={side} label={labels[side]} value={conflict[side]} />
          ))}
        </Sides>
      ))}
    </ol>
  );
}

interface SidesProps {
  readonly conflict: MergeConflict;
  readonly namesOf: PathNames;
  readonly children: ReactNode;
}

function Sides({ conflict, namesOf, children }: SidesProps) {
  const c = useChangeTexts();
  return (
    <li>
      <h3>
        <bdi title={keysText(conflict.path)}>{pathText(c, conflict.path, namesOf) || '{ }'}</bdi>
      </h3>
      <div className="conflict-sides">{children}</div>
    </li>
  );
}

const Side = ({ label, value }: { label: string; value: Value }) => (
  <div className="conflict-side base">
    <span className="conflict-choice">{label}</span>
    <ShownValue value={value} />
  </div>
);

function ShownValue({ value }: { value: Value }) {
  const t = useTexts();
  const c = useChangeTexts();
  if (value === undefined) return <em>{t.state.absent}</em>;
  const text =
    typeof value === 'string'
      ? value.split('\n').map(plain).join('\n')
      : isContainer(value)
        ? formatted(value)
        : valueInLine(c, value);
  return (
    <pre>
      <Quoted value={value}>{text}</Quoted>
    </pre>
  );
}
