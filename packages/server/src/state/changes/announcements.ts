/** How writes of state announce themselves to the watchers of documents. */
import type { Announcement } from './events.ts';

export interface Announcements<Key> {
  /** The documents that are watched, by name. While there are none, nothing needs to be announced. */
  readonly watched: ReadonlyMap<string, unknown>;
  /** A write has become durable; undefined: the document may have changed, as after a write whose outcome is unknown. */
  announce(key: Key, written: Announcement | undefined): void;
}

export const nobodyWatches: Announcements<unknown> = { watched: new Map(), announce: () => {} };
