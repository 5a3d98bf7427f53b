/** What a write needs to know to apply a proposal. */
import type { ProposalState } from '@holdfast/contract';
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

/** What applies a proposal, in the transaction of the write or without one. */
export interface Application {
  readonly proposalId: string;
  readonly revision: number;
  readonly applier: Proposer;
  readonly author: Author;
  /** Whether an owner applies it without the required approvals. */
  readonly isOverride: boolean;
  readonly comment: string | null;
  readonly by: ChangedBy;
}

/** Why a proposal was not applied. Nothing is written. */
export interface ApplicationRefused {
  readonly kind: 'not_applied';
  readonly why: ProposalRefused | { readonly kind: 'unapproved'; readonly required: number; readonly given: number };
}
