/** What became of a proposal, or what it waits for. */
import { comingTimes } from '../api/proposal-times.ts';
import type { Proposal, ProposalItem } from '../api/proposals.ts';

/** The kind of badge of each standing. */
export const kinds = {
  open: '',
  conflict: 'bad',
  faulty: 'bad',
  unapproved: 'warn',
  scheduled: 'accent',
  ready: 'good',
  applied: 'good',
  forNow: 'good',
  stuck: 'bad',
  reverted: '',
  withdrawn: '',
  failed: 'bad',
} as const;

/**
 * `open`: not known yet whether it fits the current document. `faulty`: with it, the document would break a rule. `forNow`: applied, and
 * changed back at a time to come. `stuck`: changing it back failed.
 */
export type Standing = keyof typeof kinds;

type Merged = Pick<NonNullable<Proposal['merged']>, 'conflicts' | 'violations'>;

/** `merged`: what applying it would meet, if known. */
export function standingOf(proposal: ProposalItem, merged: Merged | null | undefined): Standing {
  const { state, applyAt, revertedAt, failure } = proposal;
  if (revertedAt !== null) return 'reverted';
  if (state === 'applied') return failure !== null ? 'stuck' : comingTimes(proposal).revert === null ? 'applied' : 'forNow';
  if (state !== 'open') return state;
  if (merged && merged.conflicts.length > 0) return 'conflict';
  if (merged && merged.violations.length > 0) return 'faulty';
  if (missingApprovals(proposal) > 0) return 'unapproved';
  if (applyAt !== null) return 'scheduled';
  return merged ? 'ready' : 'open';
}

/** The urgency of each standing; 0 is the most urgent. */
export const needs: Readonly<Record<Standing, number>> = {
  conflict: 0,
  faulty: 0,
  stuck: 0,
  unapproved: 1,
  ready: 1,
  open: 2,
  scheduled: 2,
  forNow: 2,
  applied: 2,
  reverted: 2,
  withdrawn: 2,
  failed: 2,
};

/** How the calendar draws each standing. `active`: in force until it is changed back. */
export const phases = {
  open: 'scheduled',
  conflict: 'failed',
  faulty: 'failed',
  unapproved: 'unapproved',
  scheduled: 'scheduled',
  ready: 'scheduled',
  applied: 'ended',
  forNow: 'active',
  stuck: 'failed',
  reverted: 'ended',
  withdrawn: 'ended',
  failed: 'failed',
} as const satisfies Record<Standing, string>;

export type Phase = (typeof phases)[Standing];

/** How many approvals are missing. */
export const missingApprovals = ({ approvals, requiredApprovals }: Pick<ProposalItem, 'approvals' | 'requiredApprovals'>) =>
  Math.max(0, requiredApprovals - approvals.length);
