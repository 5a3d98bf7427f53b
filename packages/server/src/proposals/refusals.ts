/** Refusals of proposals. */
import { openProposalsMax, openProposalsOfAuthorMax, openProposalsOfReadersMax } from '@holdfast/contract';
import { Refusal, suspendedAccount } from '../common/requests/refusal.ts';
import { type QuotaRefusal, quotaReached } from '../limits/quota-refusal.ts';
import { uncommented } from '../state/evaluation/comment.ts';
import type {
  ApplicationRefused,
  EditProposalOutcome,
  ProposalLimits,
  ProposalRefused,
  TimesRefused,
} from '../storage/contract/proposals.ts';

export const limits: ProposalLimits = {
  open: openProposalsMax,
  ofAuthor: openProposalsOfAuthorMax,
  ofReaders: openProposalsOfReadersMax,
};

const whose: Readonly<Record<keyof ProposalLimits, string>> = {
  open: 'the environment has',
  ofAuthor: 'you have',
  ofReaders: 'people without write access have',
};

/** The refusal of a step of a proposal. */
export function refusedProposal(refused: ProposalRefused): Refusal {
  switch (refused.kind) {
    case 'unknown':
      return new Refusal('not_found', 'the environment has no such proposal');
    case 'ended':
      return new Refusal('proposal_ended', `the proposal ${refused.state === 'failed' ? 'has' : 'was'} ${refused.state}`);
    case 'forbidden':
      return new Refusal(
        'forbidden',
        'only its author, or somebody with write access to the environment, can change the proposal',
      );
    case 'stale':
      return new Refusal('version_conflict', `the proposal has revision ${refused.revision} now: read it again`, {
        details: { currentVersion: refused.revision },
      });
  }
}

/** The refusal of an application, which wrote nothing. */
export function notApplied({ why }: ApplicationRefused): Refusal {
  switch (why.kind) {
    case 'unapproved':
      return new Refusal(
        'approval_required',
        `the proposal needs ${why.required} ${why.required === 1 ? 'approval' : 'approvals'} and has ${why.given}`,
      );
    case 'not_now':
      return new Refusal('proposal_ended', 'the revertAt of the proposal has passed: set a later one, or null');
    case 'suspended':
      return suspendedAccount();
    case 'uncommented':
      return uncommented();
    default:
      return refusedProposal(why);
  }
}

/** The refusal of one more proposal. */
export const tooManyOpen = (of: keyof ProposalLimits): Refusal =>
  new Refusal('limit_reached', `${whose[of]} ${limits[of]} open proposals in this environment: withdraw one first`);

/** The refusal of a proposal whose base is not kept. */
export const baseGone = (version: number | null): Refusal =>
  new Refusal(
    'base_gone',
    version === null
      ? 'the document has been created since: propose the change on its current version'
      : `version ${version} is no longer kept, or does not exist yet: propose the change on the current version`,
  );

/** The refusal of a proposal whose values have changed since. */
export const mergeConflict = (conflicts: readonly string[]): Refusal =>
  new Refusal(
    'merge_conflict',
    `the document has changed where the proposal changes it: ${conflicts[0] === '' ? 'as a whole' : conflicts[0]}`,
    { details: { conflicts } },
  );

/** The refusal of times. */
export const refusedTimes = ({ kind }: TimesRefused): Refusal =>
  kind === 'uncommented'
    ? uncommented()
    : new Refusal(
        'forbidden',
        'times, and a proposal with a time, are set by those with write access to the environment: ask one of them, or leave them out',
      );

/** The refusal of an edit. */
export function refusedEdit(outcome: Exclude<EditProposalOutcome, { readonly kind: 'edited' }>): Refusal | QuotaRefusal {
  switch (outcome.kind) {
    case 'quota':
      return quotaReached(outcome);
    case 'too_many':
      return new Refusal('limit_reached', 'too many people have edited this proposal: propose the change again');
    case 'untimely':
    case 'uncommented':
      return refusedTimes(outcome);
    case 'approved':
      return new Refusal(
        'approval_required',
        'changes in this environment need approval by other people, the time of a revert too: propose the inverse instead',
      );
    default:
      return refusedProposal(outcome);
  }
}
