/** Records of proposed changes to public state. @see docs/contract.md §5.7 */
import type { ProposalState } from '@holdfast/contract';
import type { Author } from './audit.ts';
import type { ProposalFailure, ProposalRefused, Proposer } from './proposal-application.ts';
import type { PublicStateKey } from './public-states.ts';

export type {
  Application,
  ApplicationRefused,
  ProposalFailure,
  ProposalRefused,
  ProposalWrite,
  Proposer,
  Reversion,
} from './proposal-application.ts';

import type { QuotaReached } from './usage.ts';

export interface ProposalKey extends PublicStateKey {
  readonly proposalId: string;
}

/** Who changes a proposal. */
export interface Changer {
  readonly author: Author;
  readonly proposer: Proposer;
}

/** When a proposal is applied, and undone again. */
export interface ProposalTimes {
  readonly applyAt: number | null;
  readonly revertAt: number | null;
}

/** A change as proposed. */
export interface ProposedChange extends ProposalTimes {
  /** Null: there must be no document. */
  readonly baseVersion: number | null;
  /** JSON text of the operations on that version. */
  readonly opsText: string;
  readonly comment: string | null;
}

export interface ProposalEdit extends ProposedChange {
  /** Whether a time is named: then both are set. */
  readonly setsTimes: boolean;
}

/** Hashes of a client's key and of its request. */
export interface RepeatedProposal {
  readonly key: Uint8Array;
  readonly request: Uint8Array;
}

export interface NewProposal extends ProposedChange {
  readonly proposalId: string;
  readonly author: Author;
  readonly proposer: Proposer;
  /** Set if the client may send the request again. */
  readonly repeat: RepeatedProposal | undefined;
}

export interface Approval {
  readonly memberId: string;
  readonly author: Author;
  readonly at: number;
  readonly comment: string | null;
}

/** A stored proposal, without its operations. */
export interface ListedProposal extends PublicStateKey, ProposalTimes {
  readonly proposalId: string;
  /** 1 on creation, one more with each edit. */
  readonly revision: number;
  readonly state: ProposalState;
  readonly baseVersion: number | null;
  readonly comment: string | null;
  readonly author: Author;
  /** Everybody else who has edited it. */
  readonly editors: readonly Author[];
  /** Who last changed its operations. */
  readonly changedBy: Author;
  /** Who last set a time. */
  readonly scheduledBy: Author | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Those of people who may write there now. */
  readonly approvals: readonly Approval[];
  /** How many the project requires now. */
  readonly requiredApprovals: number;
  readonly appliedVersion: number | null;
  readonly appliedAt: number | null;
  readonly appliedBy: Author | null;
  /** The version that it was merged into; 0 if there was no document, null if that is not known. */
  readonly appliedFrom: number | null;
  readonly revertedVersion: number | null;
  readonly revertedAt: number | null;
  readonly failure: ProposalFailure | null;
}

export interface Proposal extends ListedProposal {
  /** JSON text; null once withdrawn. */
  readonly opsText: string | null;
}

/** Limits on open proposals in an environment. */
export interface ProposalLimits {
  readonly open: number;
  readonly ofAuthor: number;
  /** Of all who may not write there. */
  readonly ofReaders: number;
}

export type CreateProposalOutcome =
  | { readonly kind: 'created' }
  /** A proposal was created with the key earlier. */
  | { readonly kind: 'known'; readonly proposalId: string; readonly isSame: boolean }
  | { readonly kind: 'too_many'; readonly of: keyof ProposalLimits }
  | { readonly kind: 'no_project' }
  | TimesRefused
  | QuotaReached;

/** Why a time is not set. */
export type TimesRefused =
  /** It takes the power to write there. */
  | { readonly kind: 'untimely' }
  /** The environment is protected, and the proposal says nothing. */
  | { readonly kind: 'uncommented' };

export type EditProposalOutcome =
  | { readonly kind: 'edited' }
  | { readonly kind: 'too_many' }
  | TimesRefused
  /** It was applied, and approvals are required: not even its `revertAt` changes. */
  | { readonly kind: 'approved' }
  | ProposalRefused
  | QuotaReached;

export type ApproveOutcome =
  | { readonly kind: 'approved' }
  /** An author or editor, or the creator of a service account that is one. */
  | { readonly kind: 'involved' }
  | { readonly kind: 'too_many' }
  | ProposalRefused;

export type EndProposalOutcome = { readonly kind: 'done' } | ProposalRefused;
