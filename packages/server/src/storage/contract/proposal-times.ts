/** What happens to proposals at their times, by the clock of the database. */
import type { Proposer } from './proposal-application.ts';
import type { Proposal, ProposalTimes } from './proposals.ts';

/** An open proposal to apply, or an applied one to revert. */
export interface ClaimedProposal {
  readonly proposal: Proposal;
  /** Who set the time; null if that is not known. */
  readonly scheduler: Proposer | null;
  /** The time of the claim, by the clock of the database. */
  readonly at: number;
}

/** An open proposal is not applied when this is over. */
const lateMilliseconds = 60 * 60 * 1000;

/** What is to be done with an open proposal at a time. */
export function stepAt({ applyAt, revertAt }: ProposalTimes, at: number): 'apply' | 'wait' | 'too_late' {
  if (revertAt !== null && at >= revertAt) return 'too_late';
  if (applyAt === null || at < applyAt) return 'wait';
  return at > applyAt + lateMilliseconds ? 'too_late' : 'apply';
}
