/** A schema that the writes of a document have to fit, as it is sent to threads. Plain data. */
import type { ShapeMode } from '@holdfast/contract';

export interface HeldOver {
  /** Another one for another text: versions of one place never come again. */
  readonly name: string;
  readonly schemaText: string;
  readonly mode: Exclude<ShapeMode, 'off'>;
  /** Whether compiling it holds the event loop for a few milliseconds at most. */
  readonly isSmall: boolean;
  /** Whether a player writes, who keeps the rules of change. */
  readonly byPlayer: boolean;
}
