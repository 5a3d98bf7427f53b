/** Records of the installation as a whole: rollback of the store, time, upgrades, and size. */

import { dayMilliseconds } from '../../common/time/durations.ts';

/** Marks of the installation. */
export interface Marks {
  /** No lower version is assigned (version-floors.ts). 0: the store never went back. */
  readonly versionFloor: number;
  /** When a service noticed that the store went back. 0: never, or `holdfast recovered` has run since. Milliseconds since the epoch. */
  readonly rolledBackAt: number;
  /** When sessions were last ended after the store went back; 0: never. Anything issued earlier is rejected. */
  readonly recoveredAt: number;
}

/** Advice for a store that went back without a restore by the operator. */
export const adviceAfterRollback =
  'new versions start above those that may have been lost; run "holdfast recovered" to end the earlier sessions and tokens';

/** The marks of a store that never went back. */
export const unmarked: Marks = { versionFloor: 0, rolledBackAt: 0, recoveredAt: 0 };

/** The highest version known from before the store went back, and how far above it versions continue. */
export interface Rollback {
  /** The highest version, or floor, known from outside the store; 0 if none is known. */
  readonly known: number;
  /** How far above the highest version the floor is raised. */
  readonly ahead: number;
  readonly now: number;
}

/** The new floor; undefined, with nothing changed, if versions would be larger than clients represent exactly. */
export type RaisedFloor = number | undefined;

/** A clock further ahead of the mark is not believed. */
export const clockLeadMilliseconds = dayMilliseconds;
/** How long the service must run before such a clock is believed after all. */
export const clockTrialMilliseconds = dayMilliseconds;

/**
 * A database clock that differs from the machine's by more than this causes a warning: the service follows it, but other programs on the
 * machine do not.
 */
export const clockOffsetMilliseconds = 5_000;

export interface ClockMark {
  /** Milliseconds since the epoch; 0 in a database older than the mark. */
  readonly servedAt: number;
  /** How long the service has run while its clock was not believed, across restarts and all nodes. */
  readonly waitedMilliseconds: number;
}

/** The disk space of a store. Null values are unknown to the engine. */
export interface StoreBytes {
  readonly database: number | null;
  /** The write-ahead log. */
  readonly log: number | null;
}

/** Approximate numbers of records. */
export interface RecordCounts {
  readonly accounts: number;
  readonly projects: number;
  /** Users of the built-in identity provider. */
  readonly users: number;
  /** Players with state; each counts once in a project. */
  readonly players: number;
  readonly publicDocuments: number;
  readonly userDocuments: number;
}
