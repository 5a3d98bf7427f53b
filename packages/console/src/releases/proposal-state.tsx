/** What became of a proposal, and when it is applied and undone, in short. */
import type { ProposalItem } from '../api/proposals.ts';
import { formatTime } from '../texts/index.ts';
import { type ReleaseTexts, useReleaseTexts } from '../texts/releases.ts';
import { plain } from '../ui/plain-text.ts';

type Subject = Pick<ProposalItem, 'state' | 'applyAt' | 'revertedAt' | 'failure'>;

const kinds = { open: 'accent', applied: 'good', withdrawn: '', failed: 'bad' } as const;

/** Whether a proposal is applied at a time to come. */
export const isScheduled = ({ state, applyAt }: Pick<ProposalItem, 'state' | 'applyAt'>): boolean =>
  state === 'open' && applyAt !== null;

export function ProposalBadge({ proposal }: { proposal: Subject }) {
  const r = useReleaseTexts();
  const { state, revertedAt, failure } = proposal;
  if (revertedAt !== null) return <span className="badge">{r.reverted}</span>;
  const name = isScheduled(proposal) ? r.isScheduled : r.states[state];
  return <span className={`badge ${failure === null ? kinds[state] : 'bad'}`}>{name}</span>;
}

/** The name of a proposal: its comment. */
export const proposalName = (r: ReleaseTexts, { comment, applyAt }: Pick<ProposalItem, 'comment' | 'applyAt'>): string =>
  plain(comment ?? (applyAt === null ? r.untitled : r.scheduledChange));

/** How many approvals are missing. */
export const missingApprovals = ({ approvals, requiredApprovals }: Pick<ProposalItem, 'approvals' | 'requiredApprovals'>) =>
  Math.max(0, requiredApprovals - approvals.length);

/** The times that are still to come. */
export function ComingTimes({
  proposal,
}: {
  proposal: Pick<ProposalItem, 'state' | 'applyAt' | 'revertAt' | 'revertedAt'>;
}) {
  const r = useReleaseTexts();
  const { state, applyAt, revertAt, revertedAt } = proposal;
  const isOpen = state === 'open';
  if (!isOpen && !(state === 'applied' && revertedAt === null)) return null;
  return (
    <>
      {isOpen && applyAt !== null && <time dateTime={applyAt}>{r.appliesAt(formatTime(applyAt))}</time>}
      {isOpen && applyAt !== null && revertAt !== null && ', '}
      {revertAt !== null && <time dateTime={revertAt}>{r.revertsAt(formatTime(revertAt))}</time>}
    </>
  );
}
