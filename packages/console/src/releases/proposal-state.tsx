/** What became of a proposal, and when it is applied and undone, in short. */
import { comingTimes, type Timed } from '../api/proposal-times.ts';
import type { ProposalItem } from '../api/proposals.ts';
import { type ReleaseTexts, useReleaseTexts } from '../texts/releases.ts';
import { plain } from '../ui/plain-text.ts';
import { formatClock, formatShortDay } from './formats.ts';

type Subject = Pick<ProposalItem, 'failure'> & Timed;

const kinds = { open: 'accent', applied: 'good', withdrawn: '', failed: 'bad' } as const;

/** Whether a proposal is applied at a time to come. */
export const isScheduled = ({ state, applyAt }: Pick<ProposalItem, 'state' | 'applyAt'>): boolean =>
  state === 'open' && applyAt !== null;

export function ProposalBadge({ proposal }: { proposal: Subject }) {
  const r = useReleaseTexts();
  const { state, revertedAt, failure } = proposal;
  if (revertedAt !== null) return <span className="badge">{r.reverted}</span>;
  const isForNow = state === 'applied' && comingTimes(proposal).revert !== null;
  const name = isScheduled(proposal) ? r.isScheduled : isForNow ? r.appliedForNow : r.states[state];
  return <span className={`badge ${failure === null ? kinds[state] : 'bad'}`}>{name}</span>;
}

/** The name of a proposal: its comment. */
export const proposalName = (r: ReleaseTexts, { comment, applyAt }: Pick<ProposalItem, 'comment' | 'applyAt'>): string =>
  plain(comment ?? (applyAt === null ? r.untitled : r.scheduledChange));

/** How many approvals are missing. */
export const missingApprovals = ({ approvals, requiredApprovals }: Pick<ProposalItem, 'approvals' | 'requiredApprovals'>) =>
  Math.max(0, requiredApprovals - approvals.length);

/** The times still to come, in words. */
export function ComingTimes({ proposal }: { proposal: Timed }) {
  const r = useReleaseTexts();
  const { apply, revert } = comingTimes(proposal);
  const revertText = apply === null ? r.revertsAt : r.thenRevertsAt;
  return (
    <>
      {apply !== null && <time dateTime={apply}>{r.appliesAt(formatShortDay(apply), formatClock(apply))}</time>}
      {apply !== null && revert !== null && ' · '}
      {revert !== null && <time dateTime={revert}>{revertText(formatShortDay(revert), formatClock(revert))}</time>}
    </>
  );
}
