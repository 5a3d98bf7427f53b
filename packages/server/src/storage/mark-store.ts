/** The part of the storage contract that knows whether the store went back: to a backup, or to another earlier moment. */

/** Marks of the installation. */
export interface Marks {
  /** No version below it is given out (version-floors.ts). 0: the store never went back. */
  readonly versionFloor: number;
  /** When a service saw that the store went back. 0: never, or `holdfast recovered` has run since. Milliseconds since the epoch. */
  readonly wentBackAt: number;
  /** When sessions were last ended since the store went back; 0: never. What was issued before is of no use. */
  readonly recoveredAt: number;
}

/** What an operator does about a store that went back by itself. */
export const adviceAfterWayBack =
  'new versions start above those that may have been lost; run "holdfast recovered" to end the earlier sessions and tokens';

/** The marks of a store that never went back. */
export const unmarked: Marks = { versionFloor: 0, wentBackAt: 0, recoveredAt: 0 };

/** What is known of the store as it was before it went back, and how far above that versions go on. */
export interface WayBack {
  /** The highest version, or floor, that is known from elsewhere than the store; 0: none. */
  readonly known: number;
  /** How far above the highest version the floor is raised. */
  readonly ahead: number;
  readonly now: number;
}

/** Undefined: versions would be larger than clients hold exactly, and nothing has changed. */
export type RaisedFloor = number | undefined;

export interface MarkStore {
  /** The marks as this process knows them: at once those that it has set, within two seconds those that others have. */
  marks(): Marks;
  /** Raises the floor of versions after the store went back, and notes that it did. Gives the floor. */
  noteWentBack(back: WayBack): Promise<RaisedFloor>;
  /**
   * Raises the floor of versions after the store went back, and ends what was issued before: sessions, tokens, authorization codes, codes
   * that were mailed, and open invitations. API keys and secrets of service accounts stay. Gives the floor.
   */
  recover(back: WayBack): Promise<RaisedFloor>;
}
