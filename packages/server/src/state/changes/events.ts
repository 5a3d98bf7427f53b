/**
 * The events that watchers of a document get, and the announcements that they come from.
 *
 * @see docs/contract.md §4.9
 */

/** The operations that lead from one version to the next one that is sent. Made once and shared by all watches. */
export interface Change {
  readonly type: 'change';
  readonly version: number;
  /** JSON text of the object that describes the change. */
  readonly data: string;
}

/** The whole document: where a watch begins or has fallen behind (`snapshot`), and after a deletion (`reset`). */
export interface Whole {
  readonly type: 'snapshot' | 'reset';
  /** 0: there is no document. */
  readonly version: number;
  /** Compact JSON text; null: there is no document. */
  readonly stateText: string | null;
}

export type ChangeEvent = Change | Whole;

/** A version that a write on this node has stored. */
export interface Announcement {
  readonly version: number;
  readonly stateText: string;
  /** Whether there was no document before. */
  readonly isCreation: boolean;
}

/** How writes of state announce themselves to the watchers of documents. */
export interface Announcements<Key> {
  /** The documents that are watched, by name. While there are none, nothing needs to be announced. */
  readonly watched: ReadonlyMap<string, unknown>;
  /** A write has become durable; undefined: the document may have changed, as after a write whose outcome is unknown. */
  announce(key: Key, written: Announcement | undefined): void;
}

export const nobodyWatches: Announcements<unknown> = { watched: new Map(), announce: () => {} };

/** Operations above this many characters are left out, and the document has to be read again. */
export const operationsCharactersMax = 16_384;

/** `operations` is the JSON text of the operations; undefined when they are left out. */
export function changeOf(from: number, version: number, operations: string | undefined): Change {
  const rest = operations === undefined ? '"refetch":true' : `"ops":${operations}`;
  return { type: 'change', version, data: `{"version":${version},"from":${from},${rest}}` };
}
