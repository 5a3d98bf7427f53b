/**
 * Applies and reverts proposals at their times, on every node: a node claims one for a moment, so that another takes over if it stops. That a
 * step is taken once, and only while it may be, is decided where its version is stored. Accounts take turns.
 */
import { proposalFailures } from '@holdfast/contract';
import { createDueWork, type DueWork } from '../common/async/due-work.ts';
import { randomIdentifier } from '../common/ids/base62.ts';
import { Refusal } from '../common/requests/refusal.ts';
import { QuotaRefusal } from '../limits/quota-refusal.ts';
import type { Actor, ChangedBy } from '../storage/contract/audit.ts';
import { type ClaimedProposal, stepAt } from '../storage/contract/proposal-times.ts';
import type { ProposalFailure, Proposer } from '../storage/contract/proposals.ts';
import { type Store, StoreUnavailable } from '../storage/store.ts';
import type { Applier } from './apply.ts';

export interface SchedulerParts {
  readonly store: Pick<
    Store,
    'listDueProposals' | 'claimDueProposal' | 'failProposal' | 'postponeProposal' | 'findProposal'
  >;
  readonly applier: Pick<Applier, 'tryToApply' | 'tryToRevert'>;
  /** Called with a fault of the store or the program. */
  readonly onFault: (error: unknown) => void;
}

/** Another node takes over from one that stopped after this. A step that takes longer may be begun twice, and is taken once. */
const claimMilliseconds = 1_000;
/** How long a proposal may keep losing to other writes. */
const racesMilliseconds = 2_000;
/** The pause before a revert that failed, or a fault of the program, is tried again, at first and at most. */
const retryMilliseconds = 60_000;
const retryMillisecondsMax = 60 * retryMilliseconds;
/** Steps under way on one node, and those of one account. */
const runningMax = 16;
const ofAccountMax = 4;
/** More than accounts that can have their share. */
const accountsMax = 32;

/** Returns the scheduler. It does nothing before it is started. */
export function createScheduler(parts: SchedulerParts): DueWork {
  const { store, onFault } = parts;
  return createDueWork<string>({
    runningMax,
    sharesOf: (accountId) => [{ name: accountId, max: ofAccountMax }],
    async look() {
      const { accounts, nextIn } = await store.listDueProposals(accountsMax);
      return { due: accounts, nextIn };
    },
    async carryOut(accountId, wake) {
      const claimed = await store.claimDueProposal(accountId, claimMilliseconds);
      if (claimed === undefined) return;
      wake();
      await takeStep(parts, claimed);
    },
    onFault,
  });
}

/** Takes the step for which a proposal is due, or stores why it is not taken. */
async function takeStep(parts: SchedulerParts, claimed: ClaimedProposal): Promise<void> {
  const { store } = parts;
  const { proposal } = claimed;
  const clock = clockFrom(claimed.at);
  try {
    const failure = await failureOf(parts, claimed, clock);
    if (failure === undefined) return;
    const { revision } = proposal;
    const [key, at] = [keyOf(claimed), clock()];
    const milliseconds = retryAfter(at - (proposal.revertAt ?? at));
    await store.failProposal(changedBy(claimed, at), key, { revision, failure, milliseconds });
  } catch (error) {
    // While the database cannot be reached, it is tried again as soon as the claim is over.
    if (!(error instanceof StoreUnavailable)) await store.postponeProposal(keyOf(claimed), retryMilliseconds);
    throw error;
  }
}

/** The pause before a revert is tried again: as long as it is overdue. What is in its way may stay there, and each try costs as much. */
const retryAfter = (overdue: number): number => Math.min(Math.max(overdue, retryMilliseconds), retryMillisecondsMax);

/** Takes the step. Returns why it was not taken; undefined if it was, or is no longer to be taken, or will be tried again soon. */
async function failureOf(
  parts: SchedulerParts,
  claimed: ClaimedProposal,
  clock: () => number,
): Promise<ProposalFailure | undefined> {
  const isApplied = claimed.proposal.state === 'applied';
  const step = isApplied ? 'revert' : stepAt(claimed.proposal, claimed.at);
  if (step === 'wait') return undefined;
  if (step === 'too_late') return tooLate;
  try {
    for (let { proposal } = claimed; ; ) {
      const by = changedBy(claimed, clock());
      const written = await tryStep(parts.applier, { ...claimed, proposal }, by);
      if (written !== undefined) return undefined;
      if (clock() - claimed.at > racesMilliseconds) return lostRaces;
      const found = await parts.store.findProposal(keyOf(claimed));
      if (found === undefined || found.state !== proposal.state || found.revision !== proposal.revision) return undefined;
      proposal = found;
    }
  } catch (error) {
    return toFailure(error);
  }
}

function tryStep(applier: SchedulerParts['applier'], claimed: ClaimedProposal, by: ChangedBy) {
  const { proposal, scheduler } = claimed;
  const { proposalId, revision, scheduledBy } = proposal;
  if (proposal.state === 'applied') return applier.tryToRevert(proposal, { cause: 'revert', proposalId, revision, by });
  if (scheduler === null || scheduledBy === null) throw new Refusal('forbidden', 'it is not known who set its time');
  const common = { proposalId, revision, by, isOverride: false, comment: null };
  return applier.tryToApply(proposal, { ...common, cause: 'time', applier: scheduler, author: scheduledBy });
}

const tooLate: ProposalFailure = {
  code: 'too_late',
  message: 'it was not applied within an hour of applyAt, or before revertAt',
  conflicts: [],
};
const lostRaces: ProposalFailure = {
  code: 'lost_races',
  message: 'other writes kept getting in first: propose it again, or apply it by hand',
  conflicts: [],
};

/** Characters of pointers that a failure keeps. The first is always kept. */
const conflictsCharactersMax = 4_096;

/** Returns the failure of a refusal; undefined if it is tried again, or the proposal has changed meanwhile. Throws what is a fault. */
function toFailure(error: unknown): ProposalFailure | undefined {
  if (error instanceof QuotaRefusal) return { code: 'validation_error', message: error.message, conflicts: [] };
  if (!(error instanceof Refusal)) throw error;
  const { message, details } = error;
  switch (error.code) {
    case 'not_found':
    case 'proposal_ended':
    case 'version_conflict':
    case 'service_unavailable':
      return undefined;
    case 'base_gone':
      return {
        code: 'merge_conflict',
        message: 'the versions that it is compared with are no longer kept',
        conflicts: [''],
      };
    default: {
      const code = proposalFailures.find((known) => known === error.code);
      if (code === undefined) throw error;
      return { code, message, conflicts: shortened((details?.conflicts as readonly string[] | undefined) ?? []) };
    }
  }
}

function shortened(conflicts: readonly string[]): readonly string[] {
  let characters = 0;
  return conflicts.filter((pointer, index) => {
    characters += pointer.length;
    return index === 0 || characters <= conflictsCharactersMax;
  });
}

/** Whoever set a time did what happens then. */
const changedBy = ({ scheduler }: ClaimedProposal, at: number): ChangedBy => ({
  actor: actorOf(scheduler ?? { kind: 'operator', id: 'operator' }),
  requestId: `time-${randomIdentifier()}`,
  at,
});

const actorOf = ({ kind, id }: Proposer): Actor => ({ kind: kind === 'member' ? 'developer' : kind, id, name: null });

const keyOf = ({ proposal: { accountId, slug, environment, proposalId } }: ClaimedProposal) => ({
  accountId,
  slug,
  environment,
  proposalId,
});

/** A clock that goes on from a time of the database. */
function clockFrom(at: number): () => number {
  const begun = performance.now();
  return () => Math.round(at + performance.now() - begun);
}
