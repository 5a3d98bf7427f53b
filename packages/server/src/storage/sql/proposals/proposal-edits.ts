/** Edits and withdrawals of proposals. */

import { isBlank } from '../../../common/text/shown-text.ts';
import type { AuditDetail } from '../../contract/audit.ts';
import type {
  Changer,
  EditProposalOutcome,
  EndProposalOutcome,
  ProposalEdit,
  ProposalKey,
  ProposalTimes,
  ProposedChange,
  TimesRefused,
} from '../../contract/proposals.ts';
import { ofItsAccount } from '../../contract/read-owner.ts';
import { commentBytes, encodeOptional } from '../../rows/stored-texts.ts';
import { differing, removed } from '../audit/audit-detail.ts';
import { type AuditedSetting, audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import { all, type Steps } from '../steps.ts';
import { storageQuota } from '../usage/storage-quota.ts';
import {
  authorKeyOf,
  countProposalBytes,
  type LockedProposal,
  lockProposal,
  mayChange,
  proposalStep,
  refusedStep,
} from './locked-proposal.ts';
import { standingOf, type WrittenPlace } from './proposal-authority.ts';
import { dueAt, shownTimes, takeTurn } from './proposal-times.ts';

/** The most people who may edit one proposal: those who have edited it may not approve it. */
const editorsMax = 50;

export const bytesOf = (opsText: string, comment: string | null): number =>
  Buffer.byteLength(opsText) + commentBytes(comment);

export const hasTimes = ({ applyAt, revertAt }: ProposalTimes): boolean => applyAt !== null || revertAt !== null;

/** The fields of a change, for the audit trail. */
export const shownChange = (change: ProposedChange) => ({
  baseVersion: change.baseVersion,
  ...(change.comment !== null && { comment: change.comment }),
  ...(hasTimes(change) && shownTimes(change)),
});

/** Returns why somebody may not set the times of a change, or change what happens at them. */
export function refusedTimes(
  change: ProposalTimes & Pick<ProposedChange, 'comment'>,
  { mayWrite }: { readonly mayWrite: boolean },
  { isProtected }: WrittenPlace,
): TimesRefused | undefined {
  if (!mayWrite) return { kind: 'untimely' };
  return isProtected && hasTimes(change) && isBlank(change.comment ?? '') ? { kind: 'uncommented' } : undefined;
}

/** The columns that name who set these times. */
export const schedulerOf = (times: ProposalTimes, { author, proposer }: Changer): readonly (string | null)[] =>
  hasTimes(times) ? [JSON.stringify(author), JSON.stringify(proposer)] : [null, null];

function* edit(
  setting: AuditedSetting,
  key: ProposalKey,
  revision: number,
  changer: Changer,
  next: ProposalEdit,
): Steps<WithAuditEntry<EditProposalOutcome>> {
  const locked = yield* lockProposal(key);
  if (locked?.proposal.state === 'applied') return yield* editRevert(setting, key, locked, { revision, changer, next });
  const refused = refusedStep(locked, revision);
  if (locked === undefined || refused !== undefined) return unchanged(refused ?? { kind: 'unknown' });
  const { author, proposer } = changer;
  const { proposal, place } = locked;
  if (!(yield* mayChange(locked, author, proposer, setting.by.at))) return unchanged({ kind: 'forbidden' });
  const standing = yield* standingOf(key.accountId, proposer, place, setting.by.at);
  const isTimed = next.setsTimes || hasTimes(proposal);
  const untimely = isTimed ? refusedTimes(next, standing, place) : undefined;
  if (untimely !== undefined) return unchanged(untimely);
  const editors = editorsWith(locked, changer);
  if (editors.length > editorsMax) return unchanged({ kind: 'too_many' });
  const bytes = bytesOf(next.opsText, encodeOptional(next.comment));
  const quota = yield* storageQuota(setting, key.accountId, bytes - locked.bytes);
  if (quota !== undefined && bytes > locked.bytes) return unchanged(quota);
  const isChanged = next.opsText !== locked.opsText || next.baseVersion !== proposal.baseVersion;
  // One row, always.
  yield* all(
    `UPDATE proposals SET revision = revision + 1, base_version = $3, ops = $4, comment = $5, editors = $6, changed_by = $7,
       involved = $8, approvals = '[]', updated_at = $9, bytes = $10
     WHERE account_id = $1 AND proposal_id = $2`,
    [
      key.accountId,
      key.proposalId,
      next.baseVersion,
      next.opsText,
      encodeOptional(next.comment),
      JSON.stringify(editors),
      JSON.stringify(isChanged ? author : proposal.changedBy),
      JSON.stringify([...new Set([...locked.involved, ...standing.people])]),
      setting.by.at,
      bytes,
    ],
  );
  if (next.setsTimes) yield* setTimes(locked, next, changer, dueAt(next));
  yield* countProposalBytes(key.accountId, bytes - locked.bytes);
  const detail: AuditDetail = {
    ...differing(
      { ...proposal, ...shownTimes(proposal) },
      { ...shownChange(next), ...shownTimes(next), revision: revision + 1 },
    ),
    ...(next.opsText !== locked.opsText && { ops: {} }),
  };
  const step = { revision: revision + 1, detail };
  return withAuditEntry({ kind: 'edited' }, yield* proposalStep(key, setting.by, 'proposal.edit', step));
}

const editorsWith = ({ proposal, authorKey }: LockedProposal, { author }: Changer) => {
  const isKnown = [authorKey, ...proposal.editors.map(authorKeyOf)].includes(authorKeyOf(author));
  return isKnown ? proposal.editors : [...proposal.editors, author];
};

/** Changes when an applied proposal is reverted. What approvals decided, nobody changes alone. */
function* editRevert(
  setting: AuditedSetting,
  key: ProposalKey,
  locked: LockedProposal,
  { revision, changer, next }: { readonly revision: number; readonly changer: Changer; readonly next: ProposalEdit },
): Steps<WithAuditEntry<EditProposalOutcome>> {
  const { proposal, place } = locked;
  if (proposal.revision !== revision) return unchanged({ kind: 'stale', revision: proposal.revision });
  if (proposal.revertedVersion !== null) return unchanged({ kind: 'ended', state: 'applied' });
  const standing = yield* standingOf(key.accountId, changer.proposer, place, setting.by.at);
  const times = { applyAt: proposal.applyAt, revertAt: next.revertAt };
  const untimely = refusedTimes({ ...proposal, ...times }, standing, place);
  if (untimely !== undefined) return unchanged(untimely);
  if (proposal.requiredApprovals > 0) return unchanged({ kind: 'approved' });
  // One row, always.
  yield* all(
    `UPDATE proposals SET revision = revision + 1, updated_at = $3, failure = NULL,
       ended_at = CASE WHEN CAST($4 AS bigint) IS NULL THEN CAST($3 AS bigint) ELSE NULL END
     WHERE account_id = $1 AND proposal_id = $2`,
    [key.accountId, key.proposalId, setting.by.at, next.revertAt],
  );
  yield* setTimes(locked, times, changer, next.revertAt);
  const detail = differing({ ...proposal, ...shownTimes(proposal) }, { ...shownTimes(times), revision: revision + 1 });
  const step = { revision: revision + 1, detail };
  return withAuditEntry({ kind: 'edited' }, yield* proposalStep(key, setting.by, 'proposal.edit', step));
}

function* setTimes(
  { proposal }: LockedProposal,
  times: ProposalTimes,
  changer: Changer,
  nextAt: number | null,
): Steps<void> {
  const { accountId, proposalId } = proposal;
  // One row, always.
  yield* all(
    `UPDATE proposals SET apply_at = $3, revert_at = $4, next_at = $5, scheduled_by = $6, scheduler = $7, failure = NULL
     WHERE account_id = $1 AND proposal_id = $2`,
    [accountId, proposalId, times.applyAt, times.revertAt, nextAt, ...schedulerOf(times, changer)],
  );
  yield* takeTurn(accountId, nextAt);
}

function* withdraw(
  setting: AuditedSetting,
  key: ProposalKey,
  { author, proposer }: Changer,
): Steps<WithAuditEntry<EndProposalOutcome>> {
  const locked = yield* lockProposal(key);
  const refused = refusedStep(locked);
  if (locked === undefined || refused !== undefined) return unchanged(refused ?? { kind: 'unknown' });
  if (!(yield* mayChange(locked, author, proposer, setting.by.at))) return unchanged({ kind: 'forbidden' });
  const bytes = commentBytes(encodeOptional(locked.proposal.comment));
  // One row, always.
  yield* all(
    `UPDATE proposals SET state = 'withdrawn', ops = NULL, approvals = '[]', updated_at = $3, ended_at = $3, bytes = $4,
       next_at = NULL
     WHERE account_id = $1 AND proposal_id = $2`,
    [key.accountId, key.proposalId, setting.by.at, bytes],
  );
  if (locked.isComing) yield* takeTurn(key.accountId, null);
  yield* countProposalBytes(key.accountId, bytes - locked.bytes);
  const { revision } = locked.proposal;
  const step = { revision, detail: removed({ revision }) };
  return withAuditEntry({ kind: 'done' }, yield* proposalStep(key, setting.by, 'proposal.withdraw', step));
}

export const editVerbs = {
  /**
   * Replaces the change if the revision is the current one, and drops all approvals. Of an applied proposal that is not reverted, only
   * `revertAt` is replaced.
   */
  editProposal: audited(edit, ofItsAccount, {
    isWithoutEffect: ({ kind }) => kind !== 'edited',
    charactersOf: (_key, _revision, _editor, { opsText }) => opsText.length,
  }),
  /** Ends the proposal and drops its operations. */
  withdrawProposal: audited(withdraw, ofItsAccount, { isWithoutEffect: ({ kind }) => kind !== 'done' }),
};
