/** The times of proposals: which are still to come, and when what they do can be seen. */
import type { CallResult } from '@holdfast/contract/call';

export type Timed = Pick<CallResult<'listProposals'>['items'][number], 'state' | 'applyAt' | 'revertAt' | 'revertedAt'>;

const rereadMs = 15_000;
/** A step is taken within two seconds of its time. It is looked for after one, then this often, for as long as it can be late. */
const stepMs = 1_000;
const stepLateMsMax = 10_000;

/** The times that are still to come: null for those that are over, or not set. */
export function comingTimes({ state, applyAt, revertAt, revertedAt }: Timed) {
  const isOpen = state === 'open';
  const isInForce = state === 'applied' && revertedAt === null;
  return { apply: isOpen ? applyAt : null, revert: isOpen || isInForce ? revertAt : null };
}

/** After how many milliseconds proposals are read again: soon after the next step of one. */
export function rereadIn(proposals: readonly Timed[], now: number = Date.now()): number {
  const waits = proposals
    .map(comingTimes)
    .flatMap(({ apply, revert }) => [apply, revert])
    .filter((time) => time !== null)
    .map((time) => Date.parse(time) - now + stepMs)
    .filter((wait) => wait > -stepLateMsMax)
    .map((wait) => Math.max(wait, stepMs));
  return Math.min(rereadMs, ...waits);
}
