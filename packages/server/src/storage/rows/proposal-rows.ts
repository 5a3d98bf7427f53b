/** Turns rows of proposals into records. */
import { proposalStates } from '@holdfast/contract';
import type { Approval, ListedProposal, ProposalFailure } from '../contract/proposals.ts';
import type { Author } from '../contract/public-states.ts';
import {
  integerAt,
  jsonAt,
  optionalDecodedTextAt,
  optionalIntegerAt,
  optionalJsonAt,
  type Row,
  textAt,
  wordAt,
} from './columns.ts';
import { environmentAt } from './environment-numbers.ts';
import { projectFieldAt } from './project-rows.ts';

/** Returns the proposal of a row, with all approvals that it holds. */
export function toProposal(row: Row): ListedProposal {
  const environment = environmentAt(row);
  return {
    accountId: textAt(row, 'account_id'),
    slug: textAt(row, 'slug'),
    environment,
    proposalId: textAt(row, 'proposal_id'),
    revision: integerAt(row, 'revision'),
    state: wordAt(row, 'state', proposalStates),
    baseVersion: optionalIntegerAt(row, 'base_version'),
    comment: optionalDecodedTextAt(row, 'comment'),
    author: jsonAt<Author>(row, 'author'),
    editors: jsonAt<Author[]>(row, 'editors'),
    changedBy: jsonAt<Author>(row, 'changed_by'),
    createdAt: integerAt(row, 'created_at'),
    updatedAt: integerAt(row, 'updated_at'),
    approvals: jsonAt<Approval[]>(row, 'approvals'),
    requiredApprovals: projectFieldAt(row, 'requiredApprovals')[environment],
    appliedVersion: optionalIntegerAt(row, 'applied_version'),
    // Rows from before migration 26 have no `applied_at`.
    appliedAt:
      row.applied_version === null ? null : optionalIntegerAt(row, row.applied_at === null ? 'ended_at' : 'applied_at'),
    appliedBy: optionalJsonAt<Author>(row, 'applied_by'),
    appliedFrom: optionalIntegerAt(row, 'applied_from'),
    applyAt: optionalIntegerAt(row, 'apply_at'),
    revertAt: optionalIntegerAt(row, 'revert_at'),
    scheduledBy: optionalJsonAt<Author>(row, 'scheduled_by'),
    revertedVersion: optionalIntegerAt(row, 'reverted_version'),
    revertedAt: optionalIntegerAt(row, 'reverted_at'),
    failure: optionalJsonAt<ProposalFailure>(row, 'failure'),
  };
}
