/** The end of a review: the comment, the times, and the buttons to save, propose and schedule. */
import { commentCharactersMax, type Environment } from '@holdfast/contract';
import type { Proposal, Times } from '../api/proposals.ts';
import type { StateKey } from '../api/state.ts';
import { type Texts, textsOf, useTexts } from '../texts/index.ts';
import type { ReleaseTexts } from '../texts/releases-en.ts';
import type { Action } from '../ui/action.ts';
import { Button, Notice } from '../ui/controls.tsx';
import { Fault } from '../ui/fault.tsx';
import { Form, TextField } from '../ui/form.tsx';
import { useWay } from './way-choice.tsx';
import { useWriting } from './writing.ts';

const [useReleaseTexts] = textsOf('releases');

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
  const { way, times, fields, ...chosen } = useWay(stateKey.env, writing);
  const isEdit = proposal !== undefined;
  const needsComment = chosen.needsComment && !isEdit;
  const isReady = !isNothing && (isEdit || chosen.takes(comment));
  const submit: Action = {
    ...finish,
    run: () => {
      if (isReady) finish.run(way !== 'save', times);
    },
  };
  const labels = { save: saveLabel(t, stateKey.env, changes), propose: r.propose, schedule: r.schedule };
  return (
    <>
      <Fault error={finish.fault} />
      {isEdit && proposal.approvals.length > 0 && (
        <Notice kind="warn">{r.dropsApprovals(proposal.approvals.length)}</Notice>
      )}
      <Form className="save-form" isShort={way !== 'schedule'} action={submit}>
        {!isEdit && fields}
        <TextField
          label={t.state.comment}
          hint={hintOf(t, r, { needsComment, isProposed: way !== 'save' || isEdit })}
          required={needsComment}
          value={comment}
          onChange={onComment}
          maxLength={commentCharactersMax}
        />
        <div className="form-actions">
          <Button onClick={onClose}>{t.state.keepEditing}</Button>
          <Button kind="primary" type="submit" isBusy={finish.isBusy} disabled={!isReady}>
            {finish.isBusy ? t.state.saving : isEdit ? r.saveProposal : labels[way]}
          </Button>
        </div>
      </Form>
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
