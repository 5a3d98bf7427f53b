/**
 * State writes on their way to the writer thread: values in a fixed order, without their names. Measured: copying a write with its names
 * takes three times as long. The names are written out below, since reading a write by a list of them takes 220 to 280 ns instead of 40.
 */

import type { NewPublicState } from '../../contract/public-states.ts';
import type { NewUserState } from '../../contract/user-states.ts';
import type { ReplacedUserState } from '../../history/replaced-user-state.ts';
import type { EnvironmentNumber } from '../../rows/environment-numbers.ts';

/** A state as a string, or as UTF-8 in shared memory. */
export type StateArgument = string | Uint8Array;

/** The values of a write of public state. */
export type PublicStateValues = Parameters<typeof publicStateWrite>;
/** The values of a write of user state. */
export type UserStateValues = Parameters<typeof userStateWrite>;
/** A conditional write of public state. Its state, depth and checksum are a `StoredText`. */
export type PublicStateWrite = ReturnType<typeof publicStateWrite>;
/** A conditional write of user state. */
export type UserStateWrite = ReturnType<typeof userStateWrite>;

/**
 * Returns the write with these values. `expectedVersion` is null if there must be no current version; `versionFloor` is the installation's
 * floor, with which the text was encoded (version-floors.ts).
 */
export function publicStateWrite(
  accountId: string,
  slug: string,
  environment: EnvironmentNumber,
  expectedVersion: number | null,
  state: StateArgument,
  depth: number,
  checksum: number,
  stateBytes: number,
  comment: string | null,
  writtenAt: number,
  author: string | null,
  storageBytesMax: number,
  versionFloor: number,
  repeat: NewPublicState['repeat'],
  by: NewPublicState['by'],
  subscribers: NewPublicState['subscribers'],
  application: NewPublicState['application'],
) {
  return {
    accountId,
    slug,
    environment,
    expectedVersion,
    state,
    depth,
    checksum,
    stateBytes,
    comment,
    writtenAt,
    author,
    storageBytesMax,
    versionFloor,
    repeat,
    by,
    subscribers,
    application,
  };
}

/**
 * Returns the write with these values. `comment` is in stored form. `replaced` is the row to keep for the current version; if missing,
 * earlier versions are dropped. The others are as for public state.
 */
export function userStateWrite(
  accountId: string,
  slug: string,
  environment: EnvironmentNumber,
  playerId: string,
  expectedVersion: number | null,
  state: StateArgument,
  stateBytes: number,
  writtenAt: number,
  author: string | null,
  comment: string | null,
  playersMax: number,
  storageBytesMax: number,
  versionFloor: number,
  epoch: NewUserState['epoch'],
  repeat: NewUserState['repeat'],
  by: NewUserState['by'],
  replaced: ReplacedUserState | undefined,
  retention: NewUserState['retention'],
  subscribers: NewUserState['subscribers'],
) {
  return {
    accountId,
    slug,
    environment,
    playerId,
    expectedVersion,
    state,
    stateBytes,
    writtenAt,
    author,
    comment,
    playersMax,
    storageBytesMax,
    versionFloor,
    epoch,
    repeat,
    by,
    replaced,
    retention,
    subscribers,
  };
}
