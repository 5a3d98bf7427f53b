/** The webhooks that hear of writes. */
import type { Awaitable } from '../common/awaitable.ts';

/** Webhooks, as far as this node knows of them. */
export interface Hearers<Key> {
  /**
   * The ids of those that subscribe to a write of a document, or to its creation, in order and comma-separated; undefined if there are none.
   * The store looks for them again, and stores their events in the step of the write.
   */
  idsOf(key: Key, isCreation: boolean): Awaitable<string | undefined>;
  /** Called after such a write. */
  onWritten(): void;
}
