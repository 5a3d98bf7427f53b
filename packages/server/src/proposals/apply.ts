/**
 * Applies proposals and reverts them: merges one into the current document, and writes the result as one version.
 *
 * @see docs/contract.md §5.7
 */

import { stateCharactersMax } from '@holdfast/contract';
import { requireFinishedUpgrade } from '../access/finished-upgrade.ts';
import { Refusal } from '../common/requests/refusal.ts';
import { requireComment } from '../state/evaluation/comment.ts';
import type { Evaluator } from '../state/evaluation/evaluator.ts';
import type { PublicStates } from '../state/public-state.ts';
import type { WrittenState } from '../state/state-writer.ts';
import { tooLarge } from '../state/validation/refusals.ts';
import type { Application, Proposal, ProposalKey, ProposalWrite, Reversion } from '../storage/contract/proposals.ts';
import type { PublicState, PublicStateKey } from '../storage/contract/public-states.ts';
import type { Store } from '../storage/store.ts';
import { changerOf, requireOverride } from './changers.ts';
import { type MergeNow, Merger } from './merged.ts';
import type { Asking } from './proposals.ts';
import { baseGone, mergeConflict, notApplied, refusedProposal } from './refusals.ts';

export interface ApplierParts {
  readonly store: Pick<Store, 'findProposal' | 'settleProposal' | 'readPublicStateVersion' | 'isUpgradeFinished'>;
  readonly states: PublicStates;
  readonly evaluator: Pick<Evaluator, 'merge'>;
}

export interface ApplyRequest extends Asking {
  readonly revision: number;
  readonly isOverride: boolean;
  readonly comment: string | null;
  readonly isProtected: boolean;
}

/** How often the merge is repeated after another write. */
const roundsMax = 20;

export class Applier {
  readonly #parts: ApplierParts;
  readonly #merger: Merger;

  constructor(parts: ApplierParts) {
    this.#parts = parts;
    this.#merger = new Merger(parts);
  }

  /**
   * Applies a revision and returns the version that it became. Refuses `not_found`, `version_conflict`, `proposal_ended`, `forbidden`,
   * `sign_in_again`, `approval_required`, `base_gone`, `merge_conflict`, `validation_error`, quotas, and `service_unavailable` while other
   * writes keep getting in first.
   */
  async apply(key: ProposalKey, request: ApplyRequest): Promise<PublicState | WrittenState> {
    const { principal, by, revision, isOverride, comment } = request;
    await requireFinishedUpgrade(this.#parts.store, 'proposals');
    if (isOverride) requireOverride(principal, comment, by.at);
    const { author, proposer: applier } = changerOf(principal);
    const { proposalId } = key;
    const application: Application = { cause: 'person', proposalId, revision, applier, author, isOverride, comment, by };
    for (let round = 0; round < roundsMax; round++) {
      const proposal = await this.#find(key, application);
      if (request.isProtected) requireComment(comment ?? proposal.comment);
      const written = await this.tryToApply(proposal, application);
      if (written !== undefined) return written;
    }
    throw new Refusal('service_unavailable', 'other writes keep getting in first: repeat the request');
  }

  /** The proposal, if this can be applied as far as can be seen now. The store decides again when it writes. */
  async #find(key: ProposalKey, { revision, isOverride }: Application): Promise<Proposal> {
    const proposal = await this.#parts.store.findProposal(key);
    if (proposal === undefined) throw refusedProposal({ kind: 'unknown' });
    const { state, approvals, requiredApprovals: required } = proposal;
    if (state !== 'open') throw refusedProposal({ kind: 'ended', state });
    if (proposal.revision !== revision) throw refusedProposal({ kind: 'stale', revision: proposal.revision });
    const given = approvals.length;
    if (!isOverride && given < required)
      throw notApplied({ kind: 'not_applied', why: { kind: 'unapproved', required, given } });
    return proposal;
  }

  /** Applies an open proposal; undefined if another write was faster. Refuses like `apply`. */
  async tryToApply(proposal: Proposal, application: Application): Promise<PublicState | WrittenState | undefined> {
    const { baseVersion, opsText } = proposal;
    if (opsText === null) throw new TypeError('an open proposal has operations');
    const merge = await this.#merger.merge(documentOf(proposal), { baseVersion, opsText });
    return this.#write(proposal, merge, application, application.comment ?? proposal.comment);
  }

  /** Reverts an applied proposal; undefined if another write was faster. Refuses like `apply`. */
  async tryToRevert(proposal: Proposal, reversion: Reversion): Promise<PublicState | WrittenState | undefined> {
    const { appliedFrom, appliedVersion, comment } = proposal;
    const merge = await this.#merger.mergeBack(
      documentOf(proposal),
      appliedFrom === 0 ? null : appliedFrom,
      appliedVersion,
    );
    return this.#write(proposal, merge, reversion, comment);
  }

  async #write(
    proposal: Proposal,
    { current, merged }: MergeNow,
    write: ProposalWrite,
    comment: string | null,
  ): Promise<PublicState | WrittenState | undefined> {
    const { store, states } = this.#parts;
    const key = documentOf(proposal);
    if (merged === undefined) throw baseGone(proposal.baseVersion);
    if (merged.conflicts.length > 0) throw mergeConflict(merged.conflicts);
    if (merged.isUnchanged && current !== null) {
      const outcome = await store.settleProposal(write.by, key, write, current.version);
      if (outcome.kind === 'not_applied') throw notApplied(outcome);
      return outcome.kind === 'done' ? current : undefined;
    }
    const characters = merged.stateText.length;
    if (characters > stateCharactersMax)
      throw tooLarge(write.cause === 'person' ? 'validation_error' : 'patch_state_too_large', characters);
    try {
      return await states.replace(key, {
        precondition: current === null ? { kind: 'absent' } : { kind: 'version', version: String(current.version) },
        body: Buffer.from(`{"state":${merged.stateText},"comment":${JSON.stringify(comment)}}`),
        author: proposal.changedBy,
        repeat: undefined,
        application: { write, refusalOf: notApplied },
      });
    } catch (error) {
      // The next round finds out whether the document or the proposal has changed.
      if (error instanceof Refusal && error.code === 'version_conflict') return undefined;
      throw error;
    }
  }
}

const documentOf = ({ accountId, slug, environment }: PublicStateKey): PublicStateKey => ({ accountId, slug, environment });
