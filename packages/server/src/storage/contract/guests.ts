/** Guests: their ids and share, and how they become players who can sign in. */
import { guestIdPrefix } from '@holdfast/contract';
import type { PlayerEnded, TokenEnded } from './public-states.ts';
import type { Repeat, Repeated } from './repeats.ts';
import type { QuotaReached } from './usage.ts';
import type { UserStateKey, VersionRetention } from './user-states.ts';

const digits = 22;
const pattern = new RegExp(`^${guestIdPrefix}[0-9A-Za-z]{${digits}}$`);

/** Whether a player id is a guest id. Identity providers never assign such ids. */
export const isGuestId = (playerId: string): boolean => pattern.test(playerId);

/** The same for a stored id, as a `GLOB` pattern of SQLite and as a regular expression of PostgreSQL. */
export const storedGuestId = {
  sqlite: `"${guestIdPrefix}${'[0-9A-Za-z]'.repeat(digits)}"`,
  postgres: `^"${guestIdPrefix}[0-9A-Za-z]{${digits}}"$`,
} as const;

/** All guests together may use one part of so many of an account's limit; the rest is for players who sign in. */
const partsOfLimit = 2;
export const partOfGuests = (limit: number): number => Math.floor(limit / partsOfLimit);
/** SQL: the part of a limit that is an integer. */
export const partOfGuestsSql = (limit: string): string => `${limit} / ${partsOfLimit}`;

export type LinkOutcome =
  /** The code was spent, and the family added. `subject` is the player of the family. */
  | { readonly kind: 'linked' | 'in_use'; readonly subject: string }
  /** The guest's key is retired, and it was linked to another identity. Nothing was spent. */
  | { readonly kind: 'guest_upgraded' }
  | { readonly kind: 'replayed' | 'unknown' | 'ended' }
  /** The guest is blocked in a project of the account. */
  | { readonly kind: 'blocked' };

export interface NewMerge {
  /** Where the two user states were compared; `playerId` is the survivor. */
  readonly key: UserStateKey;
  readonly guestId: string;
  /** The epoch of the survivor's token. Nothing is merged once tokens of that epoch have ended. */
  readonly epoch: number;
  /** The compared versions; null if there was no user state. */
  readonly ifVersion: number | null;
  readonly fromVersion: number | null;
  /** The survivor's new state at `key`. */
  readonly stateText: string;
  readonly stateBytes: number;
  readonly writtenAt: number;
  /** Which earlier versions of the user state are kept. */
  readonly retention: VersionRetention;
  /** Set if the client may send the merge again. */
  readonly repeat?: Repeat | undefined;
}

export type MergeOutcome =
  /** `version` is the survivor's. `slugs` are the projects with a changed user state. */
  | { readonly kind: 'merged'; readonly version: number; readonly slugs: readonly string[] }
  /** One of the user states has changed since. Nothing is written, as in all cases below. */
  | { readonly kind: 'conflict'; readonly currentVersion: number | null }
  /** The guest has no user state in any project of the account. */
  | { readonly kind: 'nothing' }
  /** The guest has a user state elsewhere, but neither player has one at `key`. */
  | { readonly kind: 'no_user_state' }
  /** The account does not have enough room. */
  | QuotaReached
  /** The guest has signed up, or was merged. */
  | { readonly kind: 'guest_upgraded' }
  /** The guest or the survivor is blocked in a project of the account. */
  | { readonly kind: 'blocked' }
  | { readonly kind: 'no_project' }
  /** The survivor has become another player. */
  | PlayerEnded
  | TokenEnded
  | Repeated;
