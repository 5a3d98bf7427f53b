/**
 * What happens to proposals at their times. Whichever node is first claims a proposal for a moment, so that another one takes over if it
 * stops; that it happens once is decided where it is written (proposal-applications.ts). Accounts take turns: each has one row, which goes
 * back behind the others with each claim.
 */

import type { ClaimedProposal } from '../../contract/proposal-times.ts';
import type { ProposalFailure, ProposalKey, ProposalTimes } from '../../contract/proposals.ts';
import { ofAccount, ofItsAccount } from '../../contract/read-owner.ts';
import { integerAt, textAt } from '../../rows/columns.ts';
import { environmentAt } from '../../rows/environment-numbers.ts';
import { created } from '../audit/audit-detail.ts';
import { type AuditedSetting, audited, unchanged, type WithAuditEntry, withAuditEntry } from '../audit/audited.ts';
import type { EngineSql } from '../engine-sql.ts';
import { all, first, one, type Steps } from '../steps.ts';
import { type Setting, smallRead, write } from '../verb.ts';
import { lockProposal, proposalStep, refusedStep } from './locked-proposal.ts';

/** Returns the milliseconds since the epoch, by the clock of the database. */
export function* databaseTime({ clock }: Pick<EngineSql, 'clock'>): Steps<number> {
  const row = yield* one(`SELECT ${clock} AS now`);
  return integerAt(row, 'now');
}

/** The times of a proposal in words, for the audit trail. */
export const shownTimes = ({ applyAt, revertAt }: ProposalTimes) => ({
  applyAt: shown(applyAt),
  revertAt: shown(revertAt),
});
const shown = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** When an open proposal is due. */
export const dueAt = ({ applyAt, revertAt }: ProposalTimes): number | null => applyAt ?? revertAt;

/**
 * Updates the turn of a locked account, whose proposals' times have changed. Others that wait stay before it: only `added`, the next time of
 * the changed proposal, makes it earlier. It is not before `earliest`.
 */
export function* takeTurn(accountId: string, added: number | null, earliest = 0): Steps<void> {
  // No row: nothing is to come.
  const next = yield* first(
    'SELECT next_at FROM proposals WHERE account_id = $1 AND next_at IS NOT NULL ORDER BY next_at LIMIT 1',
    [accountId],
  );
  if (next === undefined) {
    yield* endTurn(accountId);
    return;
  }
  // One row, always.
  yield* all(
    `INSERT INTO proposal_turns (account_id, next_at) VALUES ($1, $2)
     ON CONFLICT (account_id) DO UPDATE SET next_at = CASE
       WHEN proposal_turns.next_at <= excluded.next_at THEN excluded.next_at
       WHEN CAST($3 AS bigint) < proposal_turns.next_at THEN CAST($3 AS bigint)
       ELSE proposal_turns.next_at END`,
    [accountId, Math.max(integerAt(next, 'next_at'), earliest), added],
  );
}

function* endTurn(accountId: string): Steps<void> {
  // One row, unless nothing was to come.
  yield* all('DELETE FROM proposal_turns WHERE account_id = $1', [accountId]);
}

function* setNext({ accountId, proposalId }: ProposalKey, at: number | null, earliest?: number): Steps<void> {
  // One row, unless the proposal is gone.
  yield* all('UPDATE proposals SET next_at = $3 WHERE account_id = $1 AND proposal_id = $2', [accountId, proposalId, at]);
  yield* takeTurn(accountId, at, earliest);
}

function* listDue(
  { engine }: Setting,
  limit: number,
): Steps<{ readonly accounts: readonly string[]; readonly nextIn: number | undefined }> {
  // A row for each, and of those that follow, at most as many as requested.
  const rows = yield* all(
    `SELECT account_id, next_at - ${engine.clock} AS due_in FROM proposal_turns ORDER BY next_at LIMIT CAST($1 AS bigint)`,
    [limit],
  );
  const isDue = (row: (typeof rows)[number]) => integerAt(row, 'due_in') <= 0;
  const next = rows.find((row) => !isDue(row));
  return {
    accounts: rows.filter(isDue).map((row) => textAt(row, 'account_id')),
    nextIn: next && integerAt(next, 'due_in'),
  };
}

function* claim({ engine, account }: Setting, accountId: string, milliseconds: number): Steps<ClaimedProposal | undefined> {
  if (account === undefined) {
    yield* endTurn(accountId);
    return undefined;
  }
  const at = yield* databaseTime(engine);
  // No row: nothing is to come.
  const row = yield* first(
    `SELECT slug, environment, proposal_id, next_at FROM proposals WHERE account_id = $1 AND next_at IS NOT NULL
     ORDER BY next_at LIMIT 1`,
    [accountId],
  );
  if (row === undefined || integerAt(row, 'next_at') > at) {
    yield* takeTurn(accountId, null);
    return undefined;
  }
  const proposalId = textAt(row, 'proposal_id');
  const key = { accountId, slug: textAt(row, 'slug'), environment: environmentAt(row), proposalId };
  const locked = yield* lockProposal(key);
  yield* setNext(key, locked === undefined ? null : at + milliseconds, at);
  return locked && { proposal: { ...locked.proposal, opsText: locked.opsText }, scheduler: locked.scheduler, at };
}

function* postpone({ engine }: Setting, key: ProposalKey, milliseconds: number): Steps<void> {
  const locked = yield* lockProposal(key);
  if (locked?.isComing === true) yield* setNext(key, (yield* databaseTime(engine)) + milliseconds);
}

function* fail(
  { engine, by }: AuditedSetting,
  key: ProposalKey,
  failed: { readonly revision: number; readonly failure: ProposalFailure; readonly milliseconds: number },
): Steps<WithAuditEntry<'failed' | 'unchanged'>> {
  const { revision, failure, milliseconds } = failed;
  const locked = yield* lockProposal(key);
  if (locked?.isComing !== true || locked.proposal.revision !== revision) return unchanged('unchanged');
  const isEnd = refusedStep(locked) === undefined;
  const before = locked.proposal.failure;
  // One row, always.
  yield* all(
    `UPDATE proposals SET failure = $3, state = CASE WHEN state = 'open' THEN 'failed' ELSE state END,
       ended_at = CASE WHEN state = 'open' THEN CAST($4 AS bigint) ELSE ended_at END, updated_at = $4
     WHERE account_id = $1 AND proposal_id = $2`,
    [key.accountId, key.proposalId, JSON.stringify(failure), by.at],
  );
  yield* setNext(key, isEnd ? null : (yield* databaseTime(engine)) + milliseconds);
  // A revert that fails again for the same reason is no news.
  if (before?.code === failure.code && before.message === failure.message) return unchanged('failed');
  const { code, message } = failure;
  const step = { revision, detail: created({ revision, failure: { code, message } }) };
  return withAuditEntry('failed', yield* proposalStep(key, by, 'proposal.fail', step));
}

/** The failure of proposals whose times a restore has paused. */
const paused: ProposalFailure = {
  code: 'too_late',
  message: 'the data was restored from an earlier time: set the times of the proposal again to resume them',
  conflicts: [],
};

/** Pauses all times: what was to happen may have happened after the data was copied. */
export function* pauseTimes(): Steps<void> {
  // A row for each proposal with a time to come.
  yield* all('UPDATE proposals SET next_at = NULL, failure = $1 WHERE next_at IS NOT NULL', [JSON.stringify(paused)]);
  // A row for each account with one.
  yield* all('DELETE FROM proposal_turns');
}

export const proposalTimeVerbs = {
  /**
   * The accounts with a proposal that is due, those first that waited longest, at most `limit`; and in how many milliseconds the next one
   * follows, undefined if none does or is listed.
   */
  listDueProposals: smallRead(listDue),
  /**
   * Claims the account's proposal that has been due for longest; undefined if none is due. Unless it ends, it is due again after
   * `milliseconds`. Other accounts come before the account's next proposal.
   */
  claimDueProposal: write(claim, { locks: ofAccount }),
  /** Makes a claimed proposal due again after `milliseconds`. */
  postponeProposal: write(postpone, { locks: ofItsAccount }),
  /** Ends an open proposal as failed. One to revert keeps the failure, and is due again after `milliseconds`. */
  failProposal: audited(fail, ofItsAccount, { isWithoutEffect: (outcome) => outcome === 'unchanged' }),
};
