/** One reader of a document: its position, and whether it takes more. */
import type { ChangeEvent } from './events.ts';

/** Receives the events of a reader. */
export interface Sink {
  /** Returns whether it takes another one now. If not, `ready` of the watch says when it does. */
  take(event: ChangeEvent): boolean;
}

/** Where a reader is: at a version, at none yet (`begin`), or at one that the document cannot have come from (`elsewhere`). */
export type Position = number | 'begin' | 'elsewhere';

export interface Watch {
  position: Position;
  readonly sink: Sink;
  isReady: boolean;
  /** The characters of all changes of the document when the reader last took one. */
  toldMark: number;
}

/** Characters that a reader may miss while it takes nothing. Beyond that, it gets the whole document. */
const missedCharactersMax = 262_144;

/** Whether a reader that takes events again has missed more than is kept for it. */
export const hasMissedTooMuch = (watch: Watch, told: number): boolean => told - watch.toldMark > missedCharactersMax;
