/** Faults in the feature flags of a document before it is stored. @see docs/contract.md §5.5 */

import type { FlagFindingBody } from '@holdfast/contract';
import type { Owner } from '../../common/threads/fair-queue.ts';
import { pointerOf } from '../../schemas/pointer.ts';
import type { PublicViolation } from '../evaluation/validation-request.ts';

/** Resolves with the faults in a document's flags. Refuses `service_unavailable` if too much work is waiting. */
export type CheckFlags = (stateText: string, owner: Owner) => Promise<readonly FlagFindingBody[]>;

/** Returns a check that skips documents without flags. `check` runs on other threads. */
export function flagCheck(check: CheckFlags): CheckFlags {
  // The form of the member in compact JSON text.
  return async (stateText, owner) => (stateText.includes('"flags":') ? check(stateText, owner) : []);
}

/** Converts findings to violations of a write. */
export const flagViolations = (findings: readonly FlagFindingBody[]): PublicViolation[] =>
  findings.map(({ flag, message }) => ({
    path: pointerOf(flag === '' ? ['flags'] : ['flags', flag]),
    keyword: 'flags',
    message,
  }));
