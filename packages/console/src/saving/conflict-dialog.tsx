/** Conflicting changes of two people: the original, theirs and mine side by side, with a choice for each. */
import { conflictName, isContainer, type JsonObject, type MergeConflict, type MergeSide } from '@holdfast/json';
import { type ReactNode, useMemo, useState } from 'react';
import { formatted } from '../api/state.ts';
import { keysText, pathText } from '../diff/value-change.tsx';
import { Quoted, valueInLine } from '../diff/value-in-line.tsx';
import { type PathNames, usePathNames } from '../fields/document-hints.tsx';
import type { Value } from '../json-text/changes.ts';
import type { Overlap } from '../open-text/rebase.ts';
import { textsOf, useTexts } from '../texts/index.ts';
import { Button } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { plain } from '../ui/plain-text.ts';
import { TheirComment } from './their-comment.tsx';
import './conflict-dialog.css';

const [useChangeTexts] = textsOf('changes');

export interface ConflictDialogProps {
  readonly overlap: Overlap;
  /** Who saved that version; left out while unknown. */
  readonly author?: string | undefined;
  readonly onClose: () => void;
  readonly onSettled: (document: JsonObject) => void;
}

export function ConflictDialog({ overlap, author, onClose, onSettled }: ConflictDialogProps) {
  const t = useTexts();
  const { theirs, merge } = overlap;
  const [choices, setChoices] = useState<Choices>(new Map());
  const isDone = isSettled(merge.conflicts, choices);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="large"
      title={t.state.conflictTitle(merge.conflicts.length)}
      text={t.state.conflictText(theirs.version, author)}
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
      <ConflictList
        overlap={overlap}
        heading="h3"
        labels={{ base: t.state.base, theirs: t.state.savedVersion(theirs.version), mine: t.state.unsavedEdits }}
        choices={choices}
        onChoose={setChoices}
      />
    </Dialog>
  );
}

/** The chosen side of each conflict, by its name. */
export type Choices = ReadonlyMap<string, MergeSide>;

export const isSettled = (conflicts: readonly MergeConflict[], choices: Choices): boolean =>
  conflicts.every(({ path }) => choices.has(conflictName(path)));

const sides = ['base', 'theirs', 'mine'] as const;

/** Names the paths of conflicts in both documents. */
function useNamesIn({ merge }: Overlap): PathNames {
  const [theirs, mine] = useMemo(() => [merge.build('theirs'), merge.build('mine')] as const, [merge]);
  return usePathNames(theirs, mine);
}

interface ConflictListProps {
  readonly overlap: Overlap;
  /** More are not shown. */
  readonly max?: number;
  readonly labels: Readonly<Record<(typeof sides)[number], string>>;
  /** The heading of each conflict, one below that of the dialog or the page. */
  readonly heading: 'h2' | 'h3';
  readonly choices?: Choices;
  /** Left out if nothing can be chosen. */
  readonly onChoose?: ((choices: Choices) => void) | undefined;
}

/** The values of conflicting changes, and the choice between theirs and mine. */
export function ConflictList({ overlap, max, labels, heading, choices = new Map(), onChoose }: ConflictListProps) {
  const namesOf = useNamesIn(overlap);
  return (
    <ol className="conflicts">
      {overlap.merge.conflicts.slice(0, max).map((conflict) => {
        const name = conflictName(conflict.path);
        return (
          <Sides key={name} conflict={conflict} namesOf={namesOf} heading={heading}>
            {sides.map((side) =>
              side === 'base' || onChoose === undefined ? (
                <Side key={side} label={labels[side]} value={conflict[side]} />
              ) : (
                <label key={side} className="conflict-side" data-chosen={choices.get(name) === side || undefined}>
                  <span className="conflict-choice">
                    <input
                      type="radio"
                      name={name}
                      checked={choices.get(name) === side}
                      onChange={() => onChoose(new Map(choices).set(name, side))}
                    />
                    {labels[side]}
                  </span>
                  <ShownValue value={conflict[side]} />
                </label>
              ),
            )}
          </Sides>
        );
      })}
    </ol>
  );
}

interface SidesProps {
  readonly conflict: MergeConflict;
  readonly namesOf: PathNames;
  readonly heading: 'h2' | 'h3';
  readonly children: ReactNode;
}

function Sides({ conflict, namesOf, heading: Heading, children }: SidesProps) {
  const c = useChangeTexts();
  return (
    <li>
      <Heading>
        <bdi title={keysText(conflict.path)}>{pathText(c, conflict.path, namesOf) || '{ }'}</bdi>
      </Heading>
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
