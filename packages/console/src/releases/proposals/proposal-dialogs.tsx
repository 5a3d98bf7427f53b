/** The questions before a proposal is approved or applied. */
import { commentCharactersMax } from '@holdfast/contract';
import { ApiError } from '@holdfast/contract/call';
import { useState } from 'react';
import { comingTimes } from '../../api/proposal-times.ts';
import { apply, approve, type Proposal, type ProposalKey } from '../../api/proposals.ts';
import { queryClient, versionQuery } from '../../api/queries.ts';
import { signIn } from '../../api/session.ts';
import { undoOf } from '../../saving/undo.ts';
import { textsOf, useTexts } from '../../texts/index.ts';
import type { ReleaseTexts } from '../../texts/releases-en.ts';
import { formatClock, formatShortDay } from '../../times/formats.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Fault } from '../../ui/fault.tsx';
import { Form, FormEnd, TextField } from '../../ui/form.tsx';
import { toast } from '../../ui/toasts.tsx';

const [useReleaseTexts] = textsOf('releases');

export interface ProposalDialogProps {
  readonly proposalKey: ProposalKey;
  readonly proposal: Proposal;
  readonly onClose: () => void;
}

export function Approve({ proposalKey, proposal, onClose }: ProposalDialogProps) {
  const t = useTexts();
  const r = useReleaseTexts();
  const [comment, setComment] = useState('');
  const work = useAction(async () => {
    const approved = await approve(proposalKey, proposal, comment);
    toast(approved ? r.approved : r.moved, { isFault: approved === undefined });
    onClose();
  });
  return (
    <Dialog isOpen onClose={onClose} title={r.approveTitle} text={r.approveText}>
      <Form action={work}>
        <TextField label={t.state.comment} value={comment} onChange={setComment} maxLength={commentCharactersMax} />
        <Fault error={work.fault} />
        <FormEnd action={work} label={r.approve} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Returns what applies a proposal, says so with an undo, and closes the dialog. */
function useApplying({ proposalKey, proposal, onClose }: ProposalDialogProps) {
  const r = useReleaseTexts();
  return async (how: Parameters<typeof apply>[2]) => {
    const version = proposal.merged?.version ?? null;
    const before = version === null ? null : await queryClient.fetchQuery(versionQuery(proposalKey, version));
    const record = await apply(proposalKey, proposal, how);
    if (record === undefined) toast(r.moved, { isFault: true });
    else {
      const action = undoOf(proposalKey, before, record, proposal.requiredApprovals > 0);
      toast(r.applied(record.version), { action });
    }
    onClose();
  };
}

/** What happens, including to the times that are set. */
function textOfApply(r: ReleaseTexts, proposal: Proposal): string {
  const { apply: early, revert } = comingTimes(proposal);
  return [
    early !== null && r.applyEarly(formatShortDay(early), formatClock(early)),
    r.applyText,
    revert !== null && r.stillReverts(formatShortDay(revert), formatClock(revert)),
  ]
    .filter(Boolean)
    .join(' ');
}

/** `needsComment`: the environment is protected, and the proposal has none. */
export function Apply(props: ProposalDialogProps & { readonly needsComment: boolean }) {
  const { proposalKey, onClose, needsComment } = props;
  const t = useTexts();
  const r = useReleaseTexts();
  const [comment, setComment] = useState('');
  const applying = useApplying(props);
  const isReady = !needsComment || comment.trim() !== '';
  const work = useAction(async () => {
    if (isReady) await applying({ comment });
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      env={proposalKey.env}
      title={r.applyTitle(t.environments[proposalKey.env])}
      text={textOfApply(r, props.proposal)}
    >
      <Form action={work}>
        <TextField
          label={t.state.comment}
          hint={needsComment ? t.state.commentNeeded : r.applyComment}
          required={needsComment}
          value={comment}
          onChange={setComment}
          maxLength={commentCharactersMax}
        />
        <Fault error={work.fault} />
        <FormEnd action={work} label={r.apply} isReady={isReady} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Applies it without the required approvals, after saying what that means. */
export function Override(props: ProposalDialogProps) {
  const { proposalKey, onClose } = props;
  const t = useTexts();
  const r = useReleaseTexts();
  const [comment, setComment] = useState('');
  const applying = useApplying(props);
  const isReady = comment.trim() !== '';
  const work = useAction(async () => {
    if (isReady) await applying({ comment, override: true });
  });
  const again = useAction(() => signIn(location.pathname + location.search));
  const isStale = work.fault instanceof ApiError && work.fault.code === 'sign_in_again';
  return (
    <Dialog isOpen onClose={onClose} env={proposalKey.env} title={r.overrideTitle} text={r.overrideText}>
      <ul className="consequences">
        {Object.values(r.consequences).map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      <Form action={work}>
        <TextField
          label={r.overrideComment}
          required
          value={comment}
          onChange={setComment}
          maxLength={commentCharactersMax}
        />
        <Fault error={again.fault ?? work.fault} />
        {isStale && (
          <Button isBusy={again.isBusy} onClick={again.run}>
            {t.session.signInAgain}
          </Button>
        )}
        <FormEnd action={work} kind="danger" label={r.override} isReady={isReady} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
