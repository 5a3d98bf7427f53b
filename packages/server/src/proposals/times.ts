/** The times at which a proposal is applied and reverted, as clients set them. */
import { requireFinishedUpgrade } from '../access/finished-upgrade.ts';
import { Refusal } from '../common/requests/refusal.ts';
import type { SentProposal } from '../state/evaluation/merge-request.ts';
import type { Proposal, ProposalTimes } from '../storage/contract/proposals.ts';
import type { Store } from '../storage/store.ts';

type SentTimes = Pick<SentProposal, 'applyAt' | 'revertAt'>;

/** Whether a body names a time, be it null. */
export const namesTime = ({ applyAt, revertAt }: SentTimes): boolean => applyAt !== undefined || revertAt !== undefined;

/**
 * Returns the times of a proposal that has `before`, with those that the body names. Throws `validation_error` unless times that are set are
 * to come within a year and in order, and `upgrade_unfinished` while nodes that do not know them may run.
 */
export async function timesWith(
  store: Pick<Store, 'isUpgradeFinished'>,
  { applyAt, revertAt }: SentTimes,
  before: ProposalTimes,
  now: number,
): Promise<ProposalTimes> {
  const times = {
    applyAt: applyAt === undefined ? before.applyAt : applyAt,
    revertAt: revertAt === undefined ? before.revertAt : revertAt,
  };
  if (applyAt == null && revertAt == null) return times;
  await requireFinishedUpgrade(store, 'proposalTimes');
  requireSoon('applyAt', times.applyAt, now);
  requireSoon('revertAt', times.revertAt, now);
  if (times.applyAt !== null && times.revertAt !== null && times.revertAt <= times.applyAt)
    throw new Refusal('validation_error', 'body: "revertAt" must be after "applyAt"');
  return times;
}

/** Returns the same for an applied proposal, of which only `revertAt` changes: `proposal_ended` for anything else. */
export async function revertTimeWith(
  store: Pick<Store, 'isUpgradeFinished'>,
  { applyAt, revertAt, baseVersion, opsText, comment }: SentProposal,
  before: Proposal,
  now: number,
): Promise<ProposalTimes> {
  const isOther = [applyAt, baseVersion, opsText, comment].some((sent) => sent !== undefined);
  if (isOther || revertAt === undefined || before.revertedVersion !== null) {
    const fault = before.revertedVersion === null ? 'applied: only "revertAt" changes now' : 'applied and reverted';
    throw new Refusal('proposal_ended', `the proposal was ${fault}`);
  }
  const { revertAt: next } = await timesWith(store, { applyAt: undefined, revertAt }, { ...before, applyAt: null }, now);
  return { applyAt: before.applyAt, revertAt: next };
}

function requireSoon(name: string, time: number | null, now: number): void {
  if (time === null) return;
  if (time <= now) throw new Refusal('validation_error', `body: "${name}" must be in the future`);
  const inAYear = new Date(now);
  inAYear.setUTCFullYear(inAYear.getUTCFullYear() + 1);
  if (time > inAYear.getTime()) throw new Refusal('validation_error', `body: "${name}" must be within a year from now`);
}
