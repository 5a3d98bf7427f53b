/** A schema that the writes of a document must fit, as sent to threads. Plain data. */
import type { SchemaMode } from '@holdfast/contract';

export interface ActiveSchema {
  /** Different for each text: versions of one document never repeat. */
  readonly name: string;
  readonly schemaText: string;
  readonly mode: Exclude<SchemaMode, 'off'>;
  /** Whether it may be small enough for the main thread, which a thread decides once it has compiled it. */
  readonly isSmall: boolean;
  /** Whether the writer is a player, so the rules of change apply. */
  readonly byPlayer: boolean;
}
