/**
 * Applying and reverting proposals. Whether that may be is decided in the transaction that stores the version, before it; the proposal's step
 * is recorded after it. So a version is written exactly once, and never without its record.
 */
import { isSuspended } from '../../../access/rules/account-status.ts';
import { isBlank } from '../../../common/text/shown-text.ts';
import { stepAt } from '../../contract/proposal-times.ts';
import type { Application, ApplicationRefused, ProposalWrite, Reversion } from '../../contract/proposals.ts';
import type { PublicStateKey } from '../../contract/public-states.ts';
import { ofItsAccount } from '../../contract/read-owner.ts';
import { optionalIntegerAt } from '../../rows/columns.ts';
import { environmentNumbers } from '../../rows/environment-numbers.ts';
import { type AuditEntry, record } from '../audit/audit.ts';
import { created } from '../audit/audit-detail.ts';
import { type AuditedSetting, audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import type { EngineSql, ProjectRowKey } from '../engine-sql.ts';
import { lockAccount } from '../locks.ts';
import { first, one, type Steps } from '../steps.ts';
import { type LockedProposal, lockProposal, proposalStep, refusedStep } from './locked-proposal.ts';
import { standingOf, withCountingApprovals } from './proposal-authority.ts';
import { databaseTime, takeTurn } from './proposal-times.ts';

type Why = ApplicationRefused['why'];
type ClockSql = Pick<EngineSql, 'clock'>;

/** The versions before and after a write. */
interface Versions {
  /** 0: there was no document. */
  readonly from: number;
  readonly version: number;
}

/** Returns why the proposal is not applied or reverted; undefined if the version may be stored. Locks the account and the proposal. */
export function* checkProposalWrite(
  engine: ClockSql,
  key: PublicStateKey,
  write: ProposalWrite,
): Steps<ApplicationRefused | undefined> {
  yield* lockAccount(key.accountId);
  const locked = yield* lockProposal({ ...key, proposalId: write.proposalId });
  const why =
    locked === undefined
      ? ({ kind: 'unknown' } as const)
      : write.cause === 'revert'
        ? yield* whyNotReverted(engine, locked, write)
        : yield* whyNotApplied(engine, locked, write);
  return why && { kind: 'not_applied', why };
}

function* whyNotApplied(engine: ClockSql, locked: LockedProposal, application: Application): Steps<Why | undefined> {
  const { revision, applier, isOverride, by } = application;
  const refused = refusedStep(locked, revision);
  if (refused !== undefined) return refused;
  const { accountId } = locked.proposal;
  const untimely = yield* whyNotNow(engine, locked, application);
  if (untimely !== undefined) return untimely;
  if (locked.place.isProtected && isBlank(application.comment ?? locked.proposal.comment ?? ''))
    return { kind: 'uncommented' };
  const { mayWrite, isOwner } = yield* standingOf(accountId, applier, locked.place, by.at);
  if (!mayWrite || (isOverride && !isOwner)) return { kind: 'forbidden' };
  const [proposal = locked.proposal] = yield* withCountingApprovals(accountId, [locked.proposal], locked.place);
  const { requiredApprovals: required, approvals } = proposal;
  return isOverride || approvals.length >= required ? undefined : { kind: 'unapproved', required, given: approvals.length };
}

/** What no request has checked before: the times, and what may have changed since they were set. */
function* whyNotNow(engine: ClockSql, locked: LockedProposal, { cause }: Application): Steps<Why | undefined> {
  const { proposal } = locked;
  if (cause === 'person' && proposal.revertAt === null) return undefined;
  const now = yield* databaseTime(engine);
  if (cause === 'person') return isOver(proposal.revertAt, now) ? { kind: 'not_now' } : undefined;
  if (stepAt(proposal, now) !== 'apply') return { kind: 'not_now' };
  return (yield* isAccountSuspended(proposal.accountId)) ? { kind: 'suspended' } : undefined;
}

function* whyNotReverted(engine: ClockSql, locked: LockedProposal, { revision }: Reversion): Steps<Why | undefined> {
  const { proposal } = locked;
  if (revision !== proposal.revision) return { kind: 'stale', revision: proposal.revision };
  if (proposal.state !== 'applied' || proposal.revertedVersion !== null) return { kind: 'ended', state: proposal.state };
  if (!isOver(proposal.revertAt, yield* databaseTime(engine))) return { kind: 'not_now' };
  return (yield* isAccountSuspended(proposal.accountId)) ? { kind: 'suspended' } : undefined;
}

const isOver = (time: number | null, now: number): boolean => time !== null && time <= now;

function* isAccountSuspended(accountId: string): Steps<boolean> {
  // It is locked.
  const row = yield* one('SELECT suspended_at FROM accounts WHERE account_id = $1', [accountId]);
  return isSuspended({ suspendedAt: optionalIntegerAt(row, 'suspended_at') });
}

/** Records that the proposal became a version, or was undone by one, in the transaction that stores it. */
export function* recordProposalWrite(key: PublicStateKey, write: ProposalWrite, versions: Versions): Steps<void> {
  yield* record(key.accountId, write.by, yield* recordStep(key, write, versions));
}

function* recordStep(key: PublicStateKey, write: ProposalWrite, { from, version }: Versions): Steps<AuditEntry> {
  const { proposalId, revision, by } = write;
  const ofProposal = [key.accountId, proposalId, version, by.at] as const;
  const isRevert = write.cause === 'revert';
  // One row, always: it is locked.
  const times = isRevert
    ? yield* first(
        `UPDATE proposals SET reverted_version = $3, reverted_at = $4, updated_at = $4, ended_at = $4, failure = NULL, next_at = NULL
         WHERE account_id = $1 AND proposal_id = $2 RETURNING apply_at, revert_at`,
        ofProposal,
      )
    : yield* first(
        `UPDATE proposals SET state = 'applied', applied_version = $3, applied_at = $4, applied_from = $5, applied_by = $6,
           updated_at = $4, ended_at = CASE WHEN revert_at IS NULL THEN CAST($4 AS bigint) ELSE NULL END, failure = NULL,
           next_at = revert_at
         WHERE account_id = $1 AND proposal_id = $2 RETURNING apply_at, revert_at`,
        [...ofProposal, from, JSON.stringify(write.author)],
      );
  if (times !== undefined && (times.apply_at !== null || times.revert_at !== null))
    yield* takeTurn(key.accountId, isRevert ? null : optionalIntegerAt(times, 'revert_at'));
  const comment = isRevert ? null : write.comment;
  const detail = created({ version, revision, ...(comment !== null && { comment }) });
  const action = isRevert ? 'proposal.revert' : write.isOverride ? 'proposal.override' : 'proposal.apply';
  return yield* proposalStep({ ...key, proposalId }, by, action, { revision, detail });
}

function* settle(
  { engine }: AuditedSetting,
  key: PublicStateKey,
  write: ProposalWrite,
  version: number,
): Steps<WithAuditEntry<{ readonly kind: 'done' | 'changed' } | ApplicationRefused>> {
  const refused = yield* checkProposalWrite(engine, key, write);
  if (refused !== undefined) return unchanged(refused);
  const { accountId, slug } = key;
  // It is locked.
  const project = yield* one('SELECT project_id FROM projects WHERE account_id = $1 AND slug = $2', [accountId, slug]);
  const projectId = project.project_id as ProjectRowKey['projectId'];
  const document = { accountId, slug, projectId, environment: environmentNumbers[key.environment] };
  if ((yield* engine.lockPublicState(document)) !== version) return unchanged({ kind: 'changed' });
  return withAuditEntry({ kind: 'done' }, yield* recordStep(key, write, { from: version, version }));
}

export const applicationVerbs = {
  /** Records the proposal as applied or reverted by `version`, which that would not change, unless the document has `changed` since. */
  settleProposal: audited(settle, ofItsAccount, { isWithoutEffect: ({ kind }) => kind !== 'done' }),
};
