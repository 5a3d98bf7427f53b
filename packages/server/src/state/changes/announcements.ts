/** Announces this node's writes to the watchers of documents. */

/** A version that a write on this node has stored. */
export interface Announcement {
  readonly version: number;
  readonly stateText: string;
  /** Whether the document did not exist before. */
  readonly isCreation: boolean;
}

/** Announces state writes to the watchers of documents. */
export interface Announcements<Key> {
  /** The watched documents, by name. If there are none, no announcement is needed. */
  readonly watched: ReadonlyMap<string, unknown>;
  /**
   * Reports that a write has become durable. Pass undefined if the document may have changed, for example after a write with an unknown
   * outcome.
   */
  announce(key: Key, written: Announcement | undefined): void;
}

export const noAnnouncements: Announcements<unknown> = { watched: new Map(), announce: () => {} };
