/** The webhooks that hear of writes. */
import type { Awaitable } from '../storage/store.ts';

/** Webhooks, as far as this node knows of them. */
export interface Hearers<Key> {
  /**
   * Whether one may subscribe to a write of a document, or to its creation. If so, the store looks for it, and stores an event in the step
   * of the write.
   */
  mayHear(key: Key, isCreation: boolean): Awaitable<boolean>;
  /** Called after such a write. */
  onWritten(): void;
}
