/**
 * Applying proposals. Whether a proposal may be applied is decided in the transaction that stores the version, before it; the proposal's end
 * is recorded after it. So a version is written exactly once, and never without its record.
 */
import type { Application, ApplicationRefused } from '../contract/proposals.ts';
import type { PublicStateKey } from '../contract/public-states.ts';
import { type AuditEntry, record } from './audit.ts';
import { created } from './audit-detail.ts';
import { audited, unchanged, type WithAuditEntry, withAuditEntry } from './audited.ts';
import { holdProposal, proposalStep, refusedStep } from './held-proposal.ts';
import { lockAccount } from './lock-account.ts';
import { standingOf, withCountingApprovals } from './proposal-authority.ts';
import { all, type Steps } from './steps.ts';
import type { Setting } from './verb.ts';

/** Returns why the proposal is not applied; undefined if the version may be stored. Locks the account and the proposal. */
export function* checkApplication(
  key: PublicStateKey,
  { proposalId, revision, applier, isOverride, by }: Application,
): Steps<ApplicationRefused | undefined> {
  yield* lockAccount(key.accountId);
  const held = yield* holdProposal({ ...key, proposalId });
  const refused = refusedStep(held, revision);
  if (held === undefined || refused !== undefined) return { kind: 'not_applied', why: refused ?? { kind: 'unknown' } };
  const { mayWrite, isOwner } = yield* standingOf(key.accountId, applier, held.place, by.at);
  if (!mayWrite || (isOverride && !isOwner)) return { kind: 'not_applied', why: { kind: 'forbidden' } };
  const [proposal = held.proposal] = yield* withCountingApprovals(key.accountId, [held.proposal], held.place);
  const { requiredApprovals: required, approvals } = proposal;
  if (isOverride || approvals.length >= required) return undefined;
  return { kind: 'not_applied', why: { kind: 'unapproved', required, given: approvals.length } };
}

/** Records that the proposal became a version, in the transaction that stores it. */
export function* recordApplication(key: PublicStateKey, application: Application, version: number): Steps<void> {
  yield* end(key, application, version);
  yield* record(key.accountId, application.by, yield* stepOf(key, application, version));
}

function* end({ accountId }: PublicStateKey, { proposalId, author, by }: Application, version: number): Steps<void> {
  // One row, always: it is locked.
  yield* all(
    `UPDATE proposals SET state = 'applied', applied_version = $3, applied_by = $4, updated_at = $5, ended_at = $5
     WHERE account_id = $1 AND proposal_id = $2`,
    [accountId, proposalId, version, JSON.stringify(author), by.at],
  );
}

function* stepOf(key: PublicStateKey, application: Application, version: number): Steps<AuditEntry> {
  const { proposalId, isOverride, revision, comment, by } = application;
  const action = isOverride ? 'proposal.override' : 'proposal.apply';
  const detail = created({ version, revision, ...(comment !== null && { comment }) });
  return yield* proposalStep({ ...key, proposalId }, by, action, { revision, detail });
}

function* settle(
  _: Setting,
  key: PublicStateKey,
  application: Application,
  version: number,
): Steps<WithAuditEntry<{ readonly kind: 'done' } | ApplicationRefused>> {
  const refused = yield* checkApplication(key, application);
  if (refused !== undefined) return unchanged(refused);
  yield* end(key, application, version);
  return withAuditEntry({ kind: 'done' }, yield* stepOf(key, application, version));
}

export const applicationVerbs = {
  /** Ends the proposal as applied by `version`, which it would not change. */
  settleProposal: audited(settle, { isWithoutEffect: ({ kind }) => kind !== 'done' }),
};
