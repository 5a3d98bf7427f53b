/** What a write needs to know to apply a proposal. */
import type { ProposalFailureCode, ProposalState } from '@holdfast/contract';
import type { Author, ChangedBy } from './audit.ts';

/** Somebody whose authority the store looks up itself. Ids of members are those of the list of members. */
export interface Proposer {
  readonly kind: 'member' | 'service_account' | 'operator';
  readonly id: string;
}

/** Why a step of a proposal was not carried out. */
export type ProposalRefused =
  | { readonly kind: 'unknown' }
  /** It has another revision. */
  | { readonly kind: 'stale'; readonly revision: number }
  | { readonly kind: 'ended'; readonly state: ProposalState }
  /** Neither its author, nor able to write there. */
  | { readonly kind: 'forbidden' };

interface Step {
  readonly proposalId: string;
  readonly revision: number;
  readonly by: ChangedBy;
}

/** What applies a proposal, in the transaction of the write or without one. */
export interface Application extends Step {
  /** `time`: its time has come, and `applier` set that. */
  readonly cause: 'person' | 'time';
  readonly applier: Proposer;
  readonly author: Author;
  /** Whether an owner applies it without the required approvals. */
  readonly isOverride: boolean;
  readonly comment: string | null;
}

/** What undoes an applied proposal whose time has come. */
export interface Reversion extends Step {
  readonly cause: 'revert';
}

export type ProposalWrite = Application | Reversion;

/** Why a proposal was not applied. Nothing is written. */
export interface ApplicationRefused {
  readonly kind: 'not_applied';
  readonly why:
    | ProposalRefused
    | { readonly kind: 'unapproved'; readonly required: number; readonly given: number }
    /** By the clock of the database, its time has not come or has passed. */
    | { readonly kind: 'not_now' }
    | { readonly kind: 'suspended' }
    /** The environment is protected, and nothing says what the change is for. */
    | { readonly kind: 'uncommented' };
}

/** Why a proposal was not applied or reverted. */
export interface ProposalFailure {
  readonly code: ProposalFailureCode;
  readonly message: string;
  /** JSON Pointers into the current document. */
  readonly conflicts: readonly string[];
}
