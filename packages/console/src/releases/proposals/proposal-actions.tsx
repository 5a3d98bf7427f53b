/** The buttons of a proposal: approve, apply, edit, withdraw, undo. They depend on its state and on what the user may do. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAuthority } from '../../api/authority.ts';
import { call } from '../../api/http.ts';
import { editProposal, forgetProposals, type Proposal, type ProposalKey } from '../../api/proposals.ts';
import { useSubject } from '../../api/signed-in.ts';
import type { Writing } from '../../saving/writing.ts';
import { textsOf } from '../../texts/index.ts';
import { missingApprovals, standingOf } from '../../times/standing.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/controls.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Fault } from '../../ui/fault.tsx';
import { type RowAction, RowMenu } from '../../ui/row-menu.tsx';
import { toast } from '../../ui/toasts.tsx';
import { EditDetails } from './proposal-details.tsx';
import { Apply, Approve, Override } from './proposal-dialogs.tsx';
import { UndoProposal } from './undo-proposal.tsx';

const [useReleaseTexts] = textsOf('releases');

export interface ProposalActionsProps {
  readonly proposalKey: ProposalKey;
  readonly proposal: Proposal;
  readonly writing: Writing;
  readonly isAuthor: boolean;
}

type Asked = 'approve' | 'apply' | 'override' | 'withdraw' | 'details' | 'undo';

export function ProposalActions(props: ProposalActionsProps) {
  const { proposalKey, proposal } = props;
  const r = useReleaseTexts();
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const dialog = { proposalKey, proposal, onClose: close };
  return (
    <>
      {proposal.state === 'open' ? <OfOpen {...props} onAsk={setAsked} /> : <OfEnded {...props} onAsk={setAsked} />}
      {asked === 'approve' && <Approve {...dialog} />}
      {asked === 'apply' && <Apply {...dialog} needsComment={props.writing.isProtected && proposal.comment === null} />}
      {asked === 'override' && <Override {...dialog} />}
      {asked === 'details' && <EditDetails {...dialog} mayTime={!props.writing.isForbidden} />}
      {asked === 'undo' && <UndoProposal {...dialog} />}
      <Confirm
        isOpen={asked === 'withdraw'}
        onClose={close}
        title={r.withdrawTitle}
        text={r.withdrawText}
        action={r.withdraw}
        onConfirm={async () => {
          await call('deleteProposal', { params: proposalKey });
          await forgetProposals(proposalKey);
          toast(r.withdrawn);
        }}
      />
    </>
  );
}

type PartProps = ProposalActionsProps & { readonly onAsk: (asked: Asked) => void };

function OfOpen({ proposalKey, proposal, writing, isAuthor, onAsk }: PartProps) {
  const r = useReleaseTexts();
  const own = useAuthority();
  const subject = useSubject();
  const navigate = useNavigate();
  const { slug, env, proposalId } = proposalKey;
  const { approvals, editors, merged } = proposal;
  const isOwn = isAuthor || editors.some(({ id }) => id === subject);
  const hasApproved = approvals.some(({ author }) => author.id === subject);
  const isMissing = missingApprovals(proposal) > 0;
  const isConflicting = merged !== null && merged.conflicts.length > 0;
  const isClean = merged !== null && merged.conflicts.length + merged.violations.length === 0;
  const takeBack = useAction(async () => {
    await call('deleteProposalApproval', { params: proposalKey });
    await forgetProposals(proposalKey);
    toast(r.tookBack);
  });
  const isEditor = isAuthor || !writing.isForbidden;
  const edit = () => void navigate({ to: '/p/$slug/$env/state', params: { slug, env }, search: { proposal: proposalId } });
  const mayApprove = !writing.isForbidden && !isOwn && !hasApproved;
  const mayApply = !writing.isForbidden && !isMissing && isClean;
  const isScheduled = standingOf(proposal, merged) === 'scheduled';
  const isApproved = mayApprove && isMissing;
  const timesLabel = proposal.applyAt === null ? r.setTimes : r.changeTimes;
  const more: RowAction[] = [
    ...(!writing.isForbidden && isConflicting ? [{ label: timesLabel, run: () => onAsk('details') }] : []),
    ...(isEditor && merged?.conflicts.length === 0 ? [{ label: r.edit, run: edit }] : []),
    ...(isEditor && writing.isForbidden ? [{ label: r.editComment, run: () => onAsk('details') }] : []),
    ...(mayApprove && !isMissing && !isConflicting ? [{ label: r.approve, run: () => onAsk('approve') }] : []),
    ...(isScheduled && mayApply ? [{ label: r.apply, run: () => onAsk('apply') }] : []),
    ...(hasApproved ? [{ label: r.takeBack, run: takeBack.run }] : []),
    ...(own?.role === 'owner' && isMissing && isClean ? [danger(r.override, () => onAsk('override'))] : []),
    ...(isEditor ? [danger(r.withdraw, () => onAsk('withdraw'))] : []),
  ];
  return (
    <>
      {isApproved && !isConflicting && (
        <Button kind="primary" onClick={() => onAsk('approve')}>
          {r.approve}
        </Button>
      )}
      {!writing.isForbidden && !isApproved && !isScheduled && !isConflicting && (
        <Button
          {...(standingOf(proposal, merged) === 'ready' && { kind: 'primary' })}
          disabled={!mayApply}
          onClick={() => onAsk('apply')}
        >
          {r.apply}
        </Button>
      )}
      {!writing.isForbidden && !isConflicting && <Button onClick={() => onAsk('details')}>{timesLabel}</Button>}
      {more.length > 0 && <RowMenu label={r.actions} actions={more} />}
      <Fault error={takeBack.fault} />
    </>
  );
}

const danger = (label: string, run: () => void): RowAction => ({ label, run, isDanger: true });

/** An applied one can be undone, and its coming undoing be called off. */
function OfEnded({ proposalKey, proposal, writing, onAsk }: PartProps) {
  const r = useReleaseTexts();
  const { state, revertAt, revertedAt, revision } = proposal;
  const keep = useAction(async () => {
    const edited = await editProposal(proposalKey, revision, { revertAt: null });
    toast(edited === undefined ? r.moved : r.keptChange, { isFault: edited === undefined });
  });
  if (state !== 'applied' || revertedAt !== null) return null;
  const isComing = revertAt !== null;
  return (
    <>
      {isComing && !writing.isProposed && (
        <Button isBusy={keep.isBusy} onClick={keep.run}>
          {r.stopRevert}
        </Button>
      )}
      <Button onClick={() => onAsk('undo')}>{r.undo}</Button>
      <Fault error={keep.fault} />
    </>
  );
}
