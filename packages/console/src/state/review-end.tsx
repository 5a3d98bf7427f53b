/** The end of a review: the comment, the times, and the buttons to save, propose and schedule. */
import { commentCharactersMax, type Environment } from '@holdfast/contract';
import { useState } from 'react';
import type { Proposal, Times } from '../api/proposals.ts';
import type { StateKey } from '../api/state.ts';
import { useTimes } from '../releases/proposals/times-fields.tsx';
import { type Texts, useTexts } from '../texts/index.ts';
import { type ReleaseTexts, useReleaseTexts } from '../texts/releases.ts';
import type { Action } from '../ui/action.ts';
import { Button, Notice } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, TextField } from '../ui/form.tsx';
import { useWriting, type Writing } from './writing.ts';

interface ReviewEndProps {
  readonly stateKey: StateKey;
  /** How many there are. */
  readonly changes: number;
  readonly isNothing: boolean;
  /** The proposal that is edited, if any. */
  readonly proposal: Proposal | undefined;
  readonly comment: string;
  readonly onComment: (comment: string) => void;
  readonly onClose: () => void;
  readonly finish: Action<[isProposed: boolean, times?: Times]>;
}

export function ReviewEnd({ stateKey, changes, isNothing, proposal, comment, onComment, onClose, finish }: ReviewEndProps) {
  const t = useTexts();
  const r = useReleaseTexts();
  const writing = useWriting(stateKey);
  const [isTimed, setTimed] = useState(false);
  const times = useTimes(undefined, isTimed);
  const isProposed = writing.isProposed || isTimed;
  const isEdit = proposal !== undefined;
  const needsComment = writing.isProtected && !isEdit && (isTimed || !isProposed);
  const isReady =
    !isNothing && (!needsComment || comment.trim() !== '') && (!isTimed || (times.value ?? undefined) !== undefined);
  const run = (asProposal: boolean) => {
    if (isReady) finish.run(asProposal, isTimed ? times.value : undefined);
  };
  const submit: Action = { ...finish, run: () => run(isProposed) };
  return (
    <>
      <Fault error={finish.fault} />
      {isEdit && proposal.approvals.length > 0 && (
        <Notice kind="warn">{r.dropsApprovals(proposal.approvals.length)}</Notice>
      )}
      <Form className="save-form" isShort={!isTimed} action={submit}>
        {isTimed && times.fields}
        <TextField
          label={t.state.comment}
          hint={hintOf(t, r, { needsComment, isProposed: isProposed || isEdit })}
          required={needsComment}
          value={comment}
          onChange={onComment}
          maxLength={commentCharactersMax}
        />
        <div className="form-actions">
          <Button onClick={onClose}>{t.state.keepEditing}</Button>
          {!isEdit && (
            <OtherWays
              writing={writing}
              isTimed={isTimed}
              isReady={isReady}
              onTimed={setTimed}
              onPropose={() => run(true)}
            />
          )}
          <Button kind="primary" type="submit" isBusy={finish.isBusy} disabled={!isReady}>
            {finish.isBusy
              ? t.state.saving
              : isEdit
                ? r.saveProposal
                : isTimed
                  ? r.schedule
                  : isProposed
                    ? r.propose
                    : saveLabel(t, stateKey.env, changes)}
          </Button>
        </div>
      </Form>
    </>
  );
}

interface OtherWaysProps {
  readonly writing: Writing;
  readonly isTimed: boolean;
  readonly isReady: boolean;
  readonly onTimed: (isTimed: boolean) => void;
  readonly onPropose: () => void;
}

/** The buttons beside the main one. Times take the power to write. */
function OtherWays({ writing, isTimed, isReady, onTimed, onPropose }: OtherWaysProps) {
  const r = useReleaseTexts();
  return (
    <>
      {!writing.isProposed && !isTimed && (
        <Button disabled={!isReady} onClick={onPropose}>
          {r.propose}
        </Button>
      )}
      {!writing.isForbidden && (
        <Button onClick={() => onTimed(!isTimed)} aria-expanded={isTimed}>
          {isTimed ? r.noTime : `${r.schedule} …`}
        </Button>
      )}
    </>
  );
}

function hintOf(t: Texts, r: ReleaseTexts, { needsComment, isProposed }: { needsComment: boolean; isProposed: boolean }) {
  if (needsComment) return t.state.commentNeeded;
  return isProposed ? r.proposeHint : t.state.commentHint;
}

/** For production, where players are affected, the button names its effect. */
const saveLabel = (t: Texts, env: Environment, changes: number): string =>
  env === 'production' ? t.state.saveTo(changes, t.environments[env]) : t.state.saveVersion;
