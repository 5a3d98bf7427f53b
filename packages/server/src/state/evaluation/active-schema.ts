/** The schema that writes of a document must fit, as plain data that can be sent to threads. */
import type { SchemaMode } from '@holdfast/contract';

export interface ActiveSchema {
  /** Unique to each text, since versions of one document never repeat. */
  readonly name: string;
  readonly schemaText: string;
  readonly mode: Exclude<SchemaMode, 'off'>;
  /** Whether the schema may be small enough for the main thread; a thread decides that once it has compiled it. */
  readonly isSmall: boolean;
  /** Whether the writer is a player, to whom the rules of change apply. */
  readonly byPlayer: boolean;
}
