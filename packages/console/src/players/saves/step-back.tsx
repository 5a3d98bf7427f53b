/** Restores or undoes a version of a save, value by value. If the player has saved since, it continues like any write. */
import { useMemo, useState } from 'react';
import { emptyDocument, type StateRecord, type UserStateKey, writeUserState } from '../../api/state.ts';
import { ChosenDiff, useChosen } from '../../history/chosen-diff.tsx';
import type { StepBack } from '../../history/history-restore.tsx';
import { textsOf } from '../../texts/index.ts';
import { useAction } from '../../ui/action.ts';
import { announce } from './announce.ts';
import { SaveDialog, useSides } from './save-dialog.tsx';
import { WriteSave } from './write-save.tsx';

const [usePlayerTexts] = textsOf('players');

interface StepBackProps {
  readonly saveKey: UserStateKey;
  /** The save when the page was opened; null if there was none. */
  readonly opened: StateRecord | null;
  readonly step: StepBack;
  readonly onClose: () => void;
  readonly onWritten: () => void;
}

export function StepBackInSave({ saveKey, opened, step, onClose, onWritten }: StepBackProps) {
  const p = usePlayerTexts();
  const now = opened?.state ?? emptyDocument;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choices belong to the proposal for this document
  const proposal = useMemo(() => step.propose(now), [now]);
  const chosen = useChosen(now, proposal);
  const [comment, setComment] = useState(step.comment);
  const [isMoved, setMoved] = useState(false);
  const sides = useSides(opened);
  const write = useAction(async () => {
    if (chosen.isNothing || comment.trim() === '') return;
    const written = await writeUserState(saveKey, { base: opened, next: chosen.next, comment });
    if (written === undefined) return setMoved(true);
    await announce(saveKey, opened, written);
    onWritten();
  });
  const { title, action } = step;
  if (isMoved) {
    const change = { opened, mine: chosen.next, comment };
    const texts = { title, text: p.restoreText, action };
    return <WriteSave saveKey={saveKey} {...change} {...texts} onClose={() => setMoved(false)} onWritten={onWritten} />;
  }
  return (
    <SaveDialog
      {...{ saveKey, title, comment, write, onClose }}
      text={step.text}
      label={chosen.labelOf(step)}
      isNothing={chosen.isNothing}
      onComment={setComment}
    >
      <ChosenDiff now={now} chosen={chosen} laterCount={proposal.left.size} {...sides} />
    </SaveDialog>
  );
}
