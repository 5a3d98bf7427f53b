/** What writes of state tell those who watch. */
import type { Announcement } from './events.ts';

export interface Announcements<Key> {
  /** The number of documents that are watched. While there are none, nothing needs to be told. */
  readonly size: number;
  /** A write has become durable; undefined: the document may have changed, as after a write whose outcome is unknown. */
  announce(key: Key, written: Announcement | undefined): void;
}

export const nobodyWatches: Announcements<unknown> = { size: 0, announce: () => {} };
