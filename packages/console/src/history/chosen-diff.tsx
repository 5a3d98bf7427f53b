/** The changes that a dialog would write, each with a tick, above the texts. */
import type { JsonObject } from '@holdfast/json';
import { type ReactNode, useMemo, useState } from 'react';
import { Diff } from '../diff/diff.tsx';
import { ChangeChoice } from '../diff/promote-choice.tsx';
import type { Proposal } from '../diff/take-back.ts';
import { compare, type ValueChange } from '../json-text/changes.ts';
import { textsOf } from '../texts/index.ts';
import { Notice } from '../ui/controls.tsx';

const [useChangeTexts] = textsOf('changes');

/** The labels of the button that takes all of the changes, or some. */
export interface StepLabels {
  readonly action: string;
  readonly actionOf: (count: number) => string;
}

export interface Chosen {
  readonly changes: readonly ValueChange[];
  /** The document with all changes. */
  readonly target: JsonObject;
  /** The ids of the chosen changes. */
  readonly chosen: ReadonlySet<string>;
  readonly choose: (chosen: ReadonlySet<string>) => void;
  /** The document with the chosen changes. */
  readonly next: JsonObject;
  readonly isNothing: boolean;
  /** The label of the button that takes what is chosen. */
  readonly labelOf: (step: StepLabels) => string;
}

/** Returns the choice among the changes of a document. `proposal` must stay the same object. */
export function useChosen(now: JsonObject, { target, left }: Proposal): Chosen {
  const [picked, setPicked] = useState<{ readonly target: JsonObject; readonly left: ReadonlySet<string> }>();
  const { changes, build } = useMemo(() => compare(now, target), [now, target]);
  const ids = useMemo(() => new Set(changes.map(({ id }) => id)), [changes]);
  const leftNow = picked?.target === target ? picked.left : left;
  const chosen = useMemo(() => ids.difference(leftNow), [ids, leftNow]);
  const next = useMemo(() => build((id) => chosen.has(id)), [build, chosen]);
  return {
    changes,
    target,
    chosen,
    choose: (some) => setPicked({ target, left: ids.difference(some) }),
    next,
    isNothing: chosen.size === 0,
    labelOf: ({ action, actionOf }) => (chosen.size === changes.length ? action : actionOf(chosen.size)),
  };
}

/** Lists no changes, since they are listed with their ticks. */
const none: readonly [] = [];

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
  const c = useChangeTexts();
  if (chosen.changes.length === 0) return <Notice>{c.nothingToUndo}</Notice>;
  return (
    <>
      {laterCount > 0 && <Notice kind="warn">{c.changedSince(laterCount)}</Notice>}
      {lead}
      <ChangeChoice
        label={c.changes}
        direction={[fromLabel, toLabel]}
        changes={chosen.changes}
        from={now}
        to={chosen.target}
        chosen={chosen.chosen}
        onChange={chosen.choose}
      />
      <Diff from={now} to={chosen.next} fromLabel={fromLabel} toLabel={toLabel} changes={none} />
    </>
  );
}
