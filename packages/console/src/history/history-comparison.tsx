/** Compares two versions, and offers to restore one. */
import { isSame, type JsonObject } from '@holdfast/json';
import type { UseQueryResult } from '@tanstack/react-query';
import { RotateCcw, Undo2 } from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { emptyDocument, type StateRecord } from '../api/state.ts';
import { Diff, type DiffProps } from '../diff/diff.tsx';
import { takenBack } from '../diff/take-back.ts';
import type { ChangeTexts } from '../texts/changes-en.ts';
import { type Texts, textsOf, useTexts } from '../texts/index.ts';
import { Button, Notice, Skeleton } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Plain } from '../ui/plain.tsx';
import type { StepBack } from './history-restore.tsx';
import type { VersionList } from './version-list.ts';
import '../ui/diff.css';
import './history-comparison.css';

const [useChangeTexts] = textsOf('changes');

type VersionRead = Pick<UseQueryResult<StateRecord>, 'data' | 'error' | 'isPending'> & {
  readonly refetch: () => Promise<unknown>;
};

interface ComparisonProps {
  readonly to: VersionRead;
  readonly before: VersionRead;
  readonly version: number;
  /** 0 means before the first version. */
  readonly from: number;
  readonly current: number;
  /** Whether it stands below its version, which has its name and comment. */
  readonly isInRow: boolean;
  /** Chooses the document to compare with. */
  readonly picker: ReactNode;
  /** The name of the document to compare with, unless it is a version of the same one. `before` reads it. */
  readonly other?: string | undefined;
  /** Shown in place of a missing earlier version. */
  readonly firstLabel?: string | undefined;
  /** The dialog that restores or undoes; left out if not allowed. */
  readonly restore?: ((step: StepBack, onClose: () => void) => ReactNode) | undefined;
  /** Whether a version can be restored, but not undone. */
  readonly isRestoreOnly?: true;
  /** Shows the differences above the texts, in place of the changed values. */
  readonly summary?: ComponentType<Sides>;
  /** Whether there is no room for two columns. */
  readonly isNarrow?: true;
}

export function Comparison(props: ComparisonProps) {
  const {
    to,
    before,
    version,
    from,
    current,
    isInRow,
    picker,
    other,
    firstLabel,
    restore,
    isRestoreOnly,
    isNarrow,
    summary: Summary,
  } = props;
  const t = useTexts();
  const [step, setStep] = useState<StepBack>();
  const comment = to.data?.version === version ? to.data.comment : ' ';
  const older = from === 0 && other === undefined ? emptyDocument : before.data?.state;
  const fromLabel = other ?? (from === 0 ? (firstLabel ?? t.history.first) : t.common.version(from));
  const sides =
    to.data && older
      ? inOrder(
          { state: older, label: fromLabel },
          { state: to.data.state, label: t.common.version(version) },
          other === undefined && from > version,
        )
      : undefined;
  return (
    <section className="comparison" aria-label={t.history.compare}>
      <header className="comparison-head">
        <div className={isInRow ? 'hidden-text' : undefined}>
          <h2>{t.common.version(version)}</h2>
          {comment !== null && (
            <p>
              <Plain>{comment}</Plain>
            </p>
          )}
        </div>
        {/* While a version is read, the one before is still shown: that is not what is restored. */}
        {restore && to.data?.version === version && older !== undefined && (
          <StepButtons
            record={to.data}
            older={from > 0 && from < version && other === undefined && !isRestoreOnly ? older : undefined}
            current={current}
            onStep={setStep}
          />
        )}
      </header>
      {picker && (
        <div className="diff-bar">
          <div className="compare-from">
            <span aria-hidden="true">{t.history.pick}</span>
            {picker}
          </div>
        </div>
      )}
      <Fault error={to.error ?? before.error} onRetry={() => void Promise.all([to.refetch(), before.refetch()])} />
      {to.data && sides && (
        <>
          {isSame(sides.from, sides.to) && from > 0 && <Notice>{t.history.same}</Notice>}
          {Summary && <Summary {...sides} />}
          <Diff {...sides} isNarrow={isNarrow} changes={Summary && none} />
        </>
      )}
      {(to.isPending || ((from > 0 || other !== undefined) && before.isPending)) && !to.error && !before.error && (
        <Skeleton rows={8} />
      )}
      {step !== undefined && restore?.(step, () => setStep(undefined))}
    </section>
  );
}

/** In place of a comparison while no version is listed: a search may still find one. */
export function NothingShown({ list: { search } }: { list: VersionList }) {
  return <section className="comparison">{search?.isLooking && <Skeleton rows={8} />}</section>;
}

/** Lists no changes, since a summary shows them. */
const none: readonly [] = [];

interface Side {
  readonly state: JsonObject;
  readonly label: string;
}

type Sides = Pick<DiffProps, 'from' | 'to' | 'fromLabel' | 'toLabel'>;

/** The older version always comes first: what is green was added later. */
function inOrder(one: Side, other: Side, isReverse: boolean): Sides {
  const [first, second] = isReverse ? [other, one] : [one, other];
  return { from: first.state, to: second.state, fromLabel: first.label, toLabel: second.label };
}

interface StepButtonsProps {
  readonly record: StateRecord;
  /** The content before it; undefined if a later one is shown in its place. */
  readonly older: JsonObject | undefined;
  readonly current: number;
  readonly onStep: (step: StepBack) => void;
}

/** What a version offers: to undo its changes, or to go back to it. The first has nothing to go back to. */
function StepButtons({ record, older, current, onStep }: StepButtonsProps) {
  const t = useTexts();
  const c = useChangeTexts();
  const isRestorable = record.version !== current;
  return (
    <div className="buttons step-buttons">
      {older !== undefined && (
        <div>
          <Button icon={<Undo2 />} onClick={() => onStep(undoing(t, c, older, record))}>
            {c.undo}
          </Button>
          <p className="hint">{t.history.undoHint(record.version)}</p>
        </div>
      )}
      {isRestorable && (
        <div>
          <Button icon={<RotateCcw />} onClick={() => onStep(restoring(t, record))}>
            {t.history.restore(record.version)}
          </Button>
          <p className="hint">{t.history.restoreHint(record.version)}</p>
        </div>
      )}
    </div>
  );
}

const restoring = (t: Texts, { version, state }: StateRecord): StepBack => ({
  title: t.history.restore(version),
  text: t.history.restoreText,
  action: t.history.restore(version),
  actionOf: t.history.restoreSome,
  comment: t.history.restoreComment(version),
  propose: () => ({ target: state, left: new Set() }),
});

/** Undoing what a version changed. */
export const undoing = (t: Texts, c: ChangeTexts, before: JsonObject, { version, state }: StateRecord): StepBack => ({
  title: c.undoTitle(version),
  text: c.undoText,
  action: c.undo,
  actionOf: c.undoSome,
  comment: t.common.undid(version),
  propose: (now) => takenBack(before, state, now),
});
