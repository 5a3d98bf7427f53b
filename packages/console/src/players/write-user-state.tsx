/** Writes a user state on behalf of the team, after a review. The player's later changes are merged, not overwritten. */
import { commentCharactersMax } from '@holdfast/contract';
import { isSame, type JsonObject, merge3 } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { forgetPlayers, openingUserStateQuery } from '../api/players.ts';
import { emptyDocument, readUserState, type StateRecord, type UserStateKey, writeUserState } from '../api/state.ts';
import { Diff } from '../diff/diff.tsx';
import type { Overlap } from '../editor/use-document.ts';
import { ChosenDiff, useChosen } from '../history/chosen-diff.tsx';
import type { StepBack } from '../history/history-restore.tsx';
import { asStored } from '../json-text/as-stored.ts';
import { ConflictDialog } from '../saving/conflict-dialog.tsx';
import { textsOf, useTexts } from '../texts/index.ts';
import type { PlayerTexts } from '../texts/players-en.ts';
import { useAction } from '../ui/action.ts';
import { Notice, Skeleton } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../ui/form.tsx';
import { toast } from '../ui/toasts.tsx';
import { undoVersion } from '../ui/undo.ts';
import { SaveTitle } from './save-title.tsx';

const [usePlayerTexts] = textsOf('players');

interface WriteUserStateProps {
  readonly userStateKey: UserStateKey;
  /** The original user state of the change; null if there was none. */
  readonly opened: StateRecord | null;
  readonly mine: JsonObject;
  readonly title: ReactNode;
  readonly text: ReactNode;
  readonly action: string;
  readonly comment?: string;
  readonly onClose: () => void;
  readonly onWritten: () => void;
}

/** The text to write, and its `base`. */
interface Review {
  readonly base: StateRecord | null;
  readonly next: JsonObject;
  /** The stored state used for an earlier merge, if any. */
  readonly mergedVersion?: number;
}

/** Merges a change into the player's later changes; undecided if both changed the same value. */
function mergedInto(theirs: StateRecord | null, { base, next }: Review): Review | Overlap {
  if (theirs === null || theirs.version === base?.version) return { base: theirs, next };
  const merge = merge3(base?.state ?? emptyDocument, theirs.state, next);
  if (merge.conflicts.length > 0) return { theirs, merge };
  return { base: theirs, next: merge.build(new Map()), mergedVersion: theirs.version };
}

export function WriteUserState(props: WriteUserStateProps) {
  const { userStateKey, opened, mine, title, onClose } = props;
  const now = useQuery(openingUserStateQuery('writing', userStateKey));
  if (now.data !== undefined) {
    return <UserStateReview {...props} first={mergedInto(now.data.record, { base: opened, next: mine })} />;
  }
  return (
    <Dialog isOpen onClose={onClose} size="full" title={title}>
      <Fault error={now.error} onRetry={() => void now.refetch()} />
      {now.isPending && <Skeleton rows={8} />}
    </Dialog>
  );
}

interface StepBackProps extends Pick<WriteUserStateProps, 'userStateKey' | 'opened' | 'onClose' | 'onWritten'> {
  readonly step: StepBack;
}

/** Restores a version or takes one back, value by value. If the player has saved since, it goes on like any write. */
export function StepBackInUserState({ step, opened, ...rest }: StepBackProps) {
  const t = useTexts();
  const p = usePlayerTexts();
  const { userStateKey, onClose, onWritten } = rest;
  const now = opened?.state ?? emptyDocument;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the choices belong to the proposal for this document
  const proposal = useMemo(() => step.propose(now), [now]);
  const chosen = useChosen(now, proposal);
  const [comment, setComment] = useState(step.comment);
  const [isMoved, setMoved] = useState(false);
  const isReasonMissing = !chosen.isNothing && comment.trim() === '';
  const isReady = !chosen.isNothing && !isReasonMissing;
  const write = useAction(async () => {
    if (!isReady) return;
    const written = await writeUserState(userStateKey, { base: opened, next: chosen.next, comment });
    if (written === undefined) return setMoved(true);
    await told(p, userStateKey, opened, written);
    onWritten();
  });
  const { action } = step;
  const title = <SaveTitle saveKey={userStateKey} title={step.title} />;
  if (isMoved) {
    const shared = { title, action, comment, text: p.restoreText, opened, mine: chosen.next };
    return <WriteUserState {...rest} {...shared} onClose={() => setMoved(false)} />;
  }
  return (
    <Dialog isOpen onClose={onClose} size="full" title={title} text={step.text} env={userStateKey.env}>
      <ChosenDiff
        now={now}
        chosen={chosen}
        laterCount={proposal.left.size}
        fromLabel={opened === null ? p.noSave : `${t.history.current} · ${t.common.version(opened.version)}`}
        toLabel={p.afterwards}
      />
      <Fault error={write.fault} />
      <Form className="save-form" isShort action={write}>
        <ReasonField value={comment} onChange={setComment} />
        <FormEnd action={write} label={chosen.labelOf(step)} isReady={isReady} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Why a save is changed. */
interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
  /** Reasons to choose from. */
  readonly usual?: readonly string[];
}

export function ReasonField({ value, onChange, usual = [] }: ReasonFieldProps) {
  const p = usePlayerTexts();
  const id = useId();
  return (
    <>
      <TextField
        label={p.reasonRequired}
        hint={p.commentHint}
        required
        value={value}
        onChange={onChange}
        maxLength={commentCharactersMax}
        list={usual.length > 0 ? id : undefined}
      />
      {usual.length > 0 && (
        <datalist id={id}>
          {usual.map((reason) => (
            <option key={reason} value={reason} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** Says that a save was written, offers to undo it, and reads the player again. */
export async function told(
  p: PlayerTexts,
  key: UserStateKey,
  before: StateRecord | null,
  written: StateRecord,
): Promise<void> {
  const action = undoVersion(before, written, async ({ state }, comment) => {
    const record = await writeUserState(key, { base: written, next: state, comment });
    await forgetPlayers(key);
    return record;
  });
  toast(p.written(written.version), { action });
  await forgetPlayers(key);
}

function UserStateReview({ first, ...props }: WriteUserStateProps & { first: Review | Overlap }) {
  const p = usePlayerTexts();
  const { userStateKey, onClose, onWritten } = props;
  const [step, setStep] = useState(first);
  const [comment, setComment] = useState(props.comment ?? '');
  const write = useAction(async () => {
    if ('merge' in step || comment.trim() === '') return;
    const written = await writeUserState(userStateKey, { base: step.base, next: step.next, comment });
    if (written === undefined) return setStep(mergedInto(await readUserState(userStateKey), step));
    await told(p, userStateKey, step.base, written);
    onWritten();
  });
  if ('merge' in step) {
    const { theirs } = step;
    const settle = (next: JsonObject) => setStep({ base: theirs, next, mergedVersion: theirs.version });
    return <ConflictDialog overlap={step} onClose={onClose} onSettled={settle} />;
  }
  const isNothing = step.base !== null && isSame(step.base.state, step.next);
  const isReasonMissing = !isNothing && comment.trim() === '';
  return (
    <Dialog isOpen onClose={onClose} size="full" title={props.title} text={props.text} env={userStateKey.env}>
      <UserStateDifference review={step} isNothing={isNothing} />
      <Fault error={write.fault} />
      <Form className="save-form" isShort action={write}>
        <ReasonField value={comment} onChange={setComment} />
        <FormEnd action={write} label={props.action} isReady={!isNothing && !isReasonMissing} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

interface UserStateDifferenceProps {
  readonly review: Review;
  readonly isNothing: boolean;
}

function UserStateDifference({ review: { base, next, mergedVersion }, isNothing }: UserStateDifferenceProps) {
  const t = useTexts();
  const p = usePlayerTexts();
  return (
    <>
      {mergedVersion !== undefined && (
        <Notice kind="good" title={p.mergedTitle(mergedVersion)}>
          {p.mergedText}
        </Notice>
      )}
      {isNothing ? (
        <Notice>{t.state.nothingToSave}</Notice>
      ) : (
        <Diff
          from={base?.state ?? emptyDocument}
          to={asStored(base, next)}
          fromLabel={base === null ? p.noSave : `${t.history.current} · ${t.common.version(base.version)}`}
          toLabel={p.afterwards}
        />
      )}
    </>
  );
}
