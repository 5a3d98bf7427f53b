/** One reader of a document: how far it has been told, and whether it takes more. */
import type { ChangeEvent } from './events.ts';

/** Takes events for a reader. */
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
  /** What the document had told in all when the reader last took something, in characters. */
  toldMark: number;
}

/** What a reader may miss while it takes nothing, in characters. Beyond, it is told the whole document. */
const missedCharactersMax = 262_144;

/** Whether a reader that takes events again has missed more than is kept for it. */
export const hasMissedTooMuch = (watch: Watch, told: number): boolean => told - watch.toldMark > missedCharactersMax;
