/** Faults in the feature flags of a document to be stored. @see docs/contract.md §5.5 */
import type { Owner } from '../common/fair-queue.ts';
import { pointerOf } from '../schemas/pointer.ts';
import type { PublicViolation } from './validation-request.ts';

export interface FlagFinding {
  /** Empty: the flags as a whole. */
  readonly flag: string;
  readonly message: string;
}

/** The faults in the flags of a document. Refuses `service_unavailable` if too much is waiting. */
export type CheckFlags = (stateText: string, owner: Owner) => Promise<readonly FlagFinding[]>;

/** Returns a check that ignores documents without flags. `check` evaluates, on separate threads. */
export function flagCheck(check: CheckFlags): CheckFlags {
  // Compact JSON text writes the member like this.
  return async (stateText, owner) => (stateText.includes('"flags":') ? check(stateText, owner) : []);
}

/** Findings as violations of a write. */
export const flagViolations = (findings: readonly FlagFinding[]): PublicViolation[] =>
  findings.map(({ flag, message }) => ({
    path: pointerOf(flag === '' ? ['flags'] : ['flags', flag]),
    keyword: 'flags',
    message,
  }));
