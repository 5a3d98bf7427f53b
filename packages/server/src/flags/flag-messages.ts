/** The messages between the main thread and a thread for flags. */
import type { FlagFindingBody } from '@holdfast/contract';
import type { FlagOutcome, TimedFlagQuery } from './evaluate.ts';

export interface FlagEvaluation extends TimedFlagQuery {
  readonly kind: 'evaluation';
  /** Names a document and its version. */
  readonly document: string;
  /** The text of the document, if the thread has reported that it does not have it. */
  readonly text: string | undefined;
}

/** Asks for the faults in the flags of a document that is not stored. */
export interface FlagCheck {
  readonly kind: 'check';
  readonly text: string;
  /** Indexes of flags that took too long before. */
  readonly skipped: readonly number[];
}

export type FlagRequest = FlagEvaluation | FlagCheck;

export interface FlagFindings {
  readonly kind: 'checked';
  readonly findings: readonly FlagFindingBody[];
}

export type FlagReply =
  | { readonly kind: 'ready' /** Tells the times of the thread. */; readonly timesFile: string | undefined }
  | { readonly kind: 'unknown_document' }
  | FlagFindings
  | FlagOutcome;

/** The data that a thread gets when it starts. */
export interface FlagThreadSetup {
  /** Memory of its `WorkNotes`. */
  readonly notesBuffer: SharedArrayBuffer;
  /** Whether the thread has low priority. */
  readonly isOfLowPriority: boolean;
}
