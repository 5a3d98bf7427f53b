/** Outcomes of conditional writes on their way from the writer thread. A number takes less time to copy than an object. */
import type { WriteOutcome } from '../../contract/public-states.ts';

/** Outcomes that are too rare to need a number. */
type RareOutcome = Exclude<WriteOutcome, { readonly kind: 'written' | 'conflict' | 'no_project' }>;

/**
 * The written version; 0 or below for a conflict, with the current version negated, and 0 if there is none; null if the project does not
 * exist.
 */
export type EncodedWriteOutcome = number | null | RareOutcome;

/** Encodes an outcome for the main thread. */
export function encodeWriteOutcome(outcome: WriteOutcome): EncodedWriteOutcome {
  switch (outcome.kind) {
    case 'written':
      return outcome.version;
    case 'conflict':
      return outcome.currentVersion === null ? 0 : -outcome.currentVersion;
    case 'no_project':
      return null;
    default:
      return outcome;
  }
}

/** Decodes an outcome. */
export function decodeWriteOutcome(encoded: EncodedWriteOutcome): WriteOutcome {
  if (encoded === null) return { kind: 'no_project' };
  if (typeof encoded === 'object') return encoded;
  if (encoded > 0) return { kind: 'written', version: encoded };
  return { kind: 'conflict', currentVersion: encoded === 0 ? null : -encoded };
}
