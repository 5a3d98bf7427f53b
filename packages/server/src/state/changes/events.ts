/**
 * The events that readers of a document get, and which one comes next for a reader.
 *
 * @see docs/contract.md §4.9
 */

/** The operations that lead from one version to the next one sent. Made once and shared by all watches. */
export interface Change {
  readonly type: 'change';
  readonly version: number;
  /** JSON text of the object that describes the change. */
  readonly data: string;
}

/** The whole document: if a watch begins or has fallen behind (`snapshot`), and after a deletion (`reset`). */
export interface Whole {
  readonly type: 'snapshot' | 'reset';
  /** 0: no document. */
  readonly version: number;
  /** Compact JSON text; null: no document. */
  readonly stateText: string | null;
}

export type ChangeEvent = Change | Whole;

/** The position of a reader: at a version, at none yet (`begin`), or at one that the document cannot have come from (`elsewhere`). */
export type Position = number | 'begin' | 'elsewhere';

/** A reader that is further behind gets the whole document. */
export const behindMax = 50;

/** Characters of changes that a reader may miss while it takes nothing. Over this, it gets the whole document. */
const missedCharactersMax = 262_144;

/** Whether a reader that takes events again has missed more than is sent one by one. */
export const isTooFarBehind = (characters: number): boolean => characters > missedCharactersMax;

/**
 * Returns which event comes next for a reader of a document whose current version is `version`, 0 for none. Readers below `resetAt` have
 * seen a deleted document.
 */
export function eventAfter(position: Position, version: number, resetAt: number): ChangeEvent['type'] | 'none' {
  if (position === version) return 'none';
  if (position === 'begin') return 'snapshot';
  if (position === 'elsewhere' || version === 0 || resetAt > position) return 'reset';
  if (position > version) return 'none';
  return version - position > behindMax ? 'snapshot' : 'change';
}
