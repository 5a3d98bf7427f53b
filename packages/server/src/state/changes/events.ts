/**
 * The events that watchers of a document get.
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

/** Operations above this many characters are left out, and the document has to be read again. */
export const operationsCharactersMax = 16_384;

/** `operations` is the JSON text of the operations; undefined when they are left out. */
export function changeOf(from: number, version: number, operations: string | undefined): Change {
  const rest = operations === undefined ? '"refetch":true' : `"ops":${operations}`;
  return { type: 'change', version, data: `{"version":${version},"from":${from},${rest}}` };
}
