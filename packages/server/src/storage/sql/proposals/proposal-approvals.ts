/** Approvals of proposals. */
import type { Approval, ApproveOutcome, EndProposalOutcome, ProposalKey } from '../../contract/proposals.ts';
import { ofItsAccount } from '../../contract/read-owner.ts';
import { commentBytes, encodeOptional } from '../../rows/stored-texts.ts';
import { created, removed } from '../audit/audit-detail.ts';
import { type AuditedSetting, audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import { all, type Steps } from '../steps.ts';
import { countProposalBytes, type LockedProposal, lockProposal, proposalStep, refusedStep } from './locked-proposal.ts';
import { standingOf, withCountingApprovals } from './proposal-authority.ts';

/** The most approvals that one proposal holds: far more than a project can require. */
const approvalsMax = 20;

function* approve(
  setting: AuditedSetting,
  key: ProposalKey,
  revision: number,
  approval: Approval,
): Steps<WithAuditEntry<ApproveOutcome>> {
  const locked = yield* lockProposal(key);
  const refused = refusedStep(locked, revision);
  if (locked === undefined || refused !== undefined) return unchanged(refused ?? { kind: 'unknown' });
  const approver = { kind: 'member', id: approval.memberId } as const;
  const standing = yield* standingOf(key.accountId, approver, locked.place, setting.by.at);
  if (!standing.mayWrite) return unchanged({ kind: 'forbidden' });
  if (standing.people.some((person) => locked.involved.includes(person))) return unchanged({ kind: 'involved' });
  // Approvals of people who can no longer write there make room.
  const [counting] = yield* withCountingApprovals(key.accountId, [locked.proposal], locked.place);
  const others = (counting?.approvals ?? []).filter(({ memberId }) => memberId !== approval.memberId);
  if (others.length >= approvalsMax) return unchanged({ kind: 'too_many' });
  yield* replace(key, locked, [...others, approval], setting.by.at);
  const { comment } = approval;
  const step = { revision, detail: created({ revision, ...(comment !== null && { comment }) }) };
  return withAuditEntry({ kind: 'approved' }, yield* proposalStep(key, setting.by, 'proposal.approve', step));
}

function* retract(setting: AuditedSetting, key: ProposalKey, memberId: string): Steps<WithAuditEntry<EndProposalOutcome>> {
  const locked = yield* lockProposal(key);
  const refused = refusedStep(locked);
  if (locked === undefined || refused !== undefined) return unchanged(refused ?? { kind: 'unknown' });
  const { approvals, revision } = locked.proposal;
  const others = approvals.filter((approval) => approval.memberId !== memberId);
  if (others.length === approvals.length) return unchanged({ kind: 'done' });
  yield* replace(key, locked, others, setting.by.at);
  const step = { revision, detail: removed({ revision }) };
  return withAuditEntry({ kind: 'done' }, yield* proposalStep(key, setting.by, 'proposal.approve', step));
}

/** Comments of approvals count as storage, like the rest of the proposal. */
function* replace(
  { accountId, proposalId }: ProposalKey,
  { proposal, bytes }: LockedProposal,
  approvals: readonly Approval[],
  at: number,
): Steps<void> {
  const added = commentsOf(approvals) - commentsOf(proposal.approvals);
  // One row, always.
  yield* all(
    'UPDATE proposals SET approvals = $3, updated_at = $4, bytes = $5 WHERE account_id = $1 AND proposal_id = $2',
    [accountId, proposalId, JSON.stringify(approvals), at, bytes + added],
  );
  yield* countProposalBytes(accountId, added);
}

const commentsOf = (approvals: readonly Approval[]): number =>
  approvals.reduce((sum, { comment }) => sum + commentBytes(encodeOptional(comment)), 0);

export const approvalVerbs = {
  /** Adds or replaces the member's approval of a revision. */
  approveProposal: audited(approve, ofItsAccount, { isWithoutEffect: ({ kind }) => kind !== 'approved' }),
  /** Removes the member's approval, if there is one. */
  retractApproval: audited(retract, ofItsAccount, { isWithoutEffect: ({ kind }) => kind !== 'done' }),
};
