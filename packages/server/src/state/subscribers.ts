/** The webhooks that subscribe to writes. */
import type { Awaitable } from '../common/async/awaitable.ts';
import type { SubscriberIds } from '../storage/contract/webhooks.ts';

/** Webhooks, as far as this node knows of them. */
export interface Subscribers<Key> {
  /**
   * Those that subscribe to a write of a document, or to its creation; undefined if there are none. The store looks for them again, and stores
   * their events in the step of the write.
   */
  idsOf(key: Key, isCreation: boolean): Awaitable<SubscriberIds | undefined>;
  /** Called after such a write. */
  onWritten(): void;
}
