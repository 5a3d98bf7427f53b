/**
 * The events that a document's readers receive, and the choice of a reader's next event.
 *
 * @see docs/contract.md §4.9
 */

/** The operations from one version to the next one sent. Made once and shared by all watches. */
export interface Change {
  readonly type: 'change';
  readonly version: number;
  /** The change as a JSON object. */
  readonly data: string;
}

/** The whole document: when a watch begins or has fallen behind (`snapshot`), and after a deletion (`reset`). */
export interface Whole {
  readonly type: 'snapshot' | 'reset';
  /** 0 if there is no document. */
  readonly version: number;
  /** Compact JSON text; null if there is no document. */
  readonly stateText: string | null;
}

export type ChangeEvent = Change | Whole;

/**
 * Returns the change, with the JSON text of its operations. If `operations` is undefined, they are omitted, and the client reads the
 * document again.
 */
export function changeOf(from: number, version: number, operations: string | undefined): Change {
  const rest = operations === undefined ? '"refetch":true' : `"ops":${operations}`;
  return { type: 'change', version, data: `{"version":${version},"from":${from},${rest}}` };
}

/** A reader's position: at a version, before its first event (`begin`), or at a version outside the document's history (`elsewhere`). */
export type Position = number | 'begin' | 'elsewhere';

/** A reader that is more versions behind gets the whole document. */
export const behindMax = 50;

/** Characters of changes that a paused reader may miss. Over this, it gets the whole document. */
const missedCharactersMax = 262_144;

/** Whether a resuming reader has missed more characters than are sent as separate changes. */
export const isTooFarBehind = (characters: number): boolean => characters > missedCharactersMax;

/**
 * Returns a reader's next event when the document's current version is `version`, or 0 for none. Readers below `resetAt` have seen a
 * deleted document.
 */
export function eventAfter(position: Position, version: number, resetAt: number): ChangeEvent['type'] | 'none' {
  if (position === version) return 'none';
  if (position === 'begin') return 'snapshot';
  if (position === 'elsewhere' || version === 0 || resetAt > position) return 'reset';
  if (position > version) return 'none';
  return version - position > behindMax ? 'snapshot' : 'change';
}
