/** A schema that the writes of a document have to fit, as it is sent to threads. Plain data. */
import type { SchemaMode } from '@holdfast/contract';

export interface ActiveSchema {
  /** Another one for another text: versions of one place never come again. */
  readonly name: string;
  readonly schemaText: string;
  readonly mode: Exclude<SchemaMode, 'off'>;
  /** Whether it may be small enough for the main thread, which a thread decides when it has compiled it. */
  readonly isSmall: boolean;
  /** Whether a player writes, who keeps the rules of change. */
  readonly byPlayer: boolean;
}
