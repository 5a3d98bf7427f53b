/** The standing of a proposal in words, with one colour wherever it is shown; and its times, in short. */
import { useQuery } from '@tanstack/react-query';
import { comingTimes, type Timed } from '../api/proposal-times.ts';
import { type Proposal, type ProposalItem, proposalQuery } from '../api/proposals.ts';
import type { StateKey } from '../api/state.ts';
import { textsOf } from '../texts/index.ts';
import type { ReleaseTexts } from '../texts/releases-en.ts';
import { plain } from '../ui/plain-text.ts';
import { formatClock, formatShortDay } from './formats.ts';
import { kinds, missingApprovals, type Standing, standingOf } from './standing.ts';

const [useReleaseTexts] = textsOf('releases');

/** The standing of a listed proposal. An open one is read, since lists do not say whether it fits. */
export function useStanding({ accountId, slug, env }: StateKey, proposal: ProposalItem): Standing {
  const { data } = useQuery({
    ...proposalQuery({ accountId, slug, env, proposalId: proposal.id }),
    enabled: proposal.state === 'open',
    refetchInterval: false,
  });
  return standingOf(proposal, data?.revision === proposal.revision ? data.merged : undefined);
}

export function standingName(r: ReleaseTexts, standing: Standing, proposal: ProposalItem): string {
  if (standing === 'unapproved') return r.missing(missingApprovals(proposal));
  if (standing === 'forNow' && proposal.revertAt !== null) return r.appliedUntil(formatShortDay(proposal.revertAt));
  return r.standings[standing];
}

/** The standing of a proposal in a list. */
export function ListedBadge({ stateKey, proposal }: { stateKey: StateKey; proposal: ProposalItem }) {
  return <StandingBadge standing={useStanding(stateKey, proposal)} proposal={proposal} />;
}

export function ProposalBadge({ proposal }: { proposal: Proposal }) {
  return <StandingBadge standing={standingOf(proposal, proposal.merged)} proposal={proposal} />;
}

function StandingBadge({ standing, proposal }: { standing: Standing; proposal: ProposalItem }) {
  const r = useReleaseTexts();
  return <span className={`badge ${kinds[standing]}`}>{standingName(r, standing, proposal)}</span>;
}

/** The name of a proposal: its comment. */
export const proposalName = (r: ReleaseTexts, { comment, applyAt }: Pick<ProposalItem, 'comment' | 'applyAt'>): string =>
  plain(comment ?? (applyAt === null ? r.untitled : r.scheduledChange));

/** The times still to come, in words. */
export function ComingTimes({ proposal }: { proposal: Timed }) {
  const r = useReleaseTexts();
  const { apply, revert } = comingTimes(proposal);
  const revertText = apply === null ? r.revertsAt : r.thenRevertsAt;
  return (
    <>
      {apply !== null && <time dateTime={apply}>{r.appliesAt(formatShortDay(apply), formatClock(apply))}</time>}
      {apply !== null && revert !== null && ' '}
      {revert !== null && <time dateTime={revert}>{revertText(formatShortDay(revert), formatClock(revert))}</time>}
    </>
  );
}
