/** Turns rows of proposals into records. */
import { type Environment, proposalStates } from '@holdfast/contract';
import { StoreFault } from '../contract/errors.ts';
import type { Approval, ListedProposal, ProposalFailure } from '../contract/proposals.ts';
import type { Author } from '../contract/public-states.ts';
import { integerAt, jsonAt, optionalIntegerAt, optionalJsonAt, type Row, textAt, wordAt } from './columns.ts';
import { environmentNames, environmentNumbers } from './environment-numbers.ts';
import { projectFieldAt } from './project-rows.ts';
import { decodeOptional } from './stored-texts.ts';

/** Returns the environment whose number is in a row. */
export function environmentAt(row: Row): Environment {
  const name = environmentNames.find((candidate) => environmentNumbers[candidate] === row.environment);
  if (name === undefined) throw new StoreFault('cannot use a row of the database: it is of no environment');
  return name;
}

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
    comment: decodeOptional(row.comment),
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
