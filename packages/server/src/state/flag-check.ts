/** What is wrong with the feature flags of a document that would be stored. @see docs/contract.md §5.5 */
import type { Owner } from '../common/fair-queue.ts';
import { pointerOf } from '../schemas/pointer.ts';
import type { PublicViolation } from './validation-request.ts';

export interface FlagFinding {
  /** Empty: the flags as a whole. */
  readonly flag: string;
  readonly message: string;
}

/** What is wrong with the flags of a document. Refuses `service_unavailable` when too much is waiting. */
export type CheckFlags = (stateText: string, owner: Owner) => Promise<readonly FlagFinding[]>;

/** Returns a check that leaves documents without flags alone. `check` evaluates, on threads of its own. */
export function flagCheck(check: CheckFlags): CheckFlags {
  // A member of compact JSON text stands there like this.
  return async (stateText, owner) => (stateText.includes('"flags":') ? check(stateText, owner) : []);
}

/** Findings as violations of a write. */
export const flagViolations = (findings: readonly FlagFinding[]): PublicViolation[] =>
  findings.map(({ flag, message }) => ({
    path: pointerOf(flag === '' ? ['flags'] : ['flags', flag]),
    keyword: 'flags',
    message,
  }));
