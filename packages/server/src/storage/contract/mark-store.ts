/** The part of the storage contract that knows whether the store went back, to a backup or another earlier moment. */

/** Marks of the installation. */
export interface Marks {
  /** No lower version is assigned (version-floors.ts). 0: the store never went back. */
  readonly versionFloor: number;
  /** When a service noticed that the store went back. 0: never, or `holdfast recovered` has run since. Milliseconds since the epoch. */
  readonly wentBackAt: number;
  /** When sessions were last ended after the store went back; 0: never. Anything issued earlier is rejected. */
  readonly recoveredAt: number;
}

/** What to do about a store that went back without a restore by the operator. */
export const adviceAfterWayBack =
  'new versions start above those that may have been lost; run "holdfast recovered" to end the earlier sessions and tokens';

/** The marks of a store that never went back. */
export const unmarked: Marks = { versionFloor: 0, wentBackAt: 0, recoveredAt: 0 };

/** What is known of the store before it went back, and how far above that versions continue. */
export interface WayBack {
  /** The highest version, or floor, known from outside the store; 0: none. */
  readonly known: number;
  /** How far above the highest version the floor is raised. */
  readonly ahead: number;
  readonly now: number;
}

/** Undefined: versions would be larger than clients represent exactly, and nothing has changed. */
export type RaisedFloor = number | undefined;

export interface MarkStore {
  /** The marks as this process knows them: its own changes immediately, those of others within two seconds. */
  marks(): Marks;
  /** Raises the version floor after the store went back, and records that it did. Returns the floor. */
  noteWentBack(back: WayBack): Promise<RaisedFloor>;
  /**
   * Raises the version floor after the store went back, and ends what was issued before: sessions, tokens, authorization codes, mailed
   * codes, and open invitations. API keys and service account secrets stay. Returns the floor.
   */
  recover(back: WayBack): Promise<RaisedFloor>;
}
