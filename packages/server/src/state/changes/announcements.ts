/** Announces writes on this node to the watchers of documents. */

/** A version that a write on this node has stored. */
export interface Announcement {
  readonly version: number;
  readonly stateText: string;
  /** Whether there was no document before. */
  readonly isCreation: boolean;
}

/** Writes of state announce themselves here to the watchers of documents. */
export interface Announcements<Key> {
  /** The documents that are watched, by name. If there are none, no announcement is needed. */
  readonly watched: ReadonlyMap<string, unknown>;
  /**
   * Reports that a write has become durable; undefined: the document may have changed, for example if the outcome of a write is unknown.
   */
  announce(key: Key, written: Announcement | undefined): void;
}

export const noAnnouncements: Announcements<unknown> = { watched: new Map(), announce: () => {} };
