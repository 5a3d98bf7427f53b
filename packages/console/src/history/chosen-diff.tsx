/** The changes that a dialog would write, each with a tick, beside the texts; a phone shows these when asked. */
import type { JsonObject } from '@holdfast/json';
import { type ReactNode, useMemo, useState } from 'react';
import { ChangeChoice } from '../releases/promote-choice.tsx';
import { compare, type ValueChange } from '../state/changes.ts';
import { Diff, DiffModeChoice, splitWidthMin, useDiffMode } from '../state/diff.tsx';
import type { Proposal } from '../state/take-back.ts';
import { useReviewTexts } from '../texts/review.ts';
import { Button, Notice } from '../ui/controls.tsx';

export interface Chosen {
  readonly changes: readonly ValueChange[];
  /** The ids of those not chosen. */
  readonly left: ReadonlySet<string>;
  readonly choose: (left: ReadonlySet<string>) => void;
  /** The document with the chosen changes. */
  readonly next: JsonObject;
  readonly isNothing: boolean;
}

/** Returns the choice among the changes of a document. `proposal` must stay the same object. */
export function useChosen(now: JsonObject, { target, left: leftAtFirst }: Proposal): Chosen {
  const [chosen, setChosen] = useState<{ readonly target: JsonObject; readonly left: ReadonlySet<string> }>();
  const left = chosen?.target === target ? chosen.left : leftAtFirst;
  const { changes, build } = useMemo(() => compare(now, target), [now, target]);
  const next = useMemo(() => build((id) => !left.has(id)), [build, left]);
  const isNothing = changes.every(({ id }) => left.has(id));
  return { changes, left, choose: (ids) => setChosen({ target, left: ids }), next, isNothing };
}

interface ChosenDiffProps {
  readonly now: JsonObject;
  readonly chosen: Chosen;
  /** How many changes were not chosen at first, since their values have changed since. */
  readonly laterCount: number;
  readonly fromLabel: string;
  readonly toLabel: string;
  readonly lead?: ReactNode;
}

export function ChosenDiff({ now, chosen, laterCount, fromLabel, toLabel, lead }: ChosenDiffProps) {
  const t = useReviewTexts();
  const [mode, setMode] = useDiffMode();
  const [isShown, setShown] = useState(innerWidth >= splitWidthMin);
  if (chosen.changes.length === 0) return <Notice>{t.nothingToUndo}</Notice>;
  return (
    <>
      {laterCount > 0 && <Notice kind="warn">{t.changedSince(laterCount)}</Notice>}
      <div className="diff-bar">
        {lead}
        {isShown && <DiffModeChoice mode={mode} onChange={setMode} />}
      </div>
      <div className="chosen-diff">
        <ChangeChoice label={t.changes} changes={chosen.changes} left={chosen.left} onChange={chosen.choose} />
        <div>
          {isShown ? (
            <Diff from={now} to={chosen.next} fromLabel={fromLabel} toLabel={toLabel} mode={mode} changes={[]} />
          ) : (
            <Button kind="quiet" size="small" onClick={() => setShown(true)}>
              {t.showLines}
            </Button>
          )}
        </div>
      </div>
    </>
  );
}
