/** What the main thread and a thread for flags say to each other. */
import type { FlagOutcome, FlagQuestion } from './evaluate.ts';

export interface FlagRequest extends FlagQuestion {
  /** Names a document and its version. */
  readonly document: string;
  /** The text of the document, when the thread has said that it does not know it. */
  readonly text: string | undefined;
}

export type FlagReply =
  | { readonly kind: 'ready' /** Tells the times of the thread. */; readonly timesFile: string | undefined }
  | { readonly kind: 'unknown_document' }
  | FlagOutcome;

/** What a thread is given when it starts. */
export interface FlagThreadSetup {
  /** Memory of its `WorkNotes`. */
  readonly notesBuffer: SharedArrayBuffer;
  /** It leaves processor time to everybody else. */
  readonly isOfLowPriority: boolean;
}
