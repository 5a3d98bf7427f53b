/** The part of the storage contract about guests: their ids and share, and how they become players who can sign in. */
import { guestIdPrefix } from '@holdfast/contract';
import type { Awaitable } from '../../common/awaitable.ts';
import type { PlayerEnded, TokenEnded } from './public-state-store.ts';
import type { Repeat, Repeated } from './repeat-store.ts';
import type { RefreshFamily } from './sign-in-store.ts';
import type { QuotaReached } from './usage-store.ts';
import type { UserStateKey, VersionRetention } from './user-state-store.ts';

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

export interface PlayerLinkStore {
  /**
   * The player that a subject now stands for: the player with the same id, if nothing was linked. A guest whose key is retired also stands
   * for a player, perhaps with the same id. Undefined while the guest's key is valid.
   */
  findLinkedPlayer(accountId: string, subject: string): Awaitable<string | undefined>;
  /**
   * Spends a code as `redeemAuthorizationCode` does. If the signed-in identity is unused, it becomes the guest's sign-in method in the same
   * step, the family belongs to the guest, and the sign-ins of the identity's previous player end. An identity is unused if its player has
   * no state in the account and no other sign-in method. The guest's states then count as a player's.
   */
  redeemCodeLinking(
    codeHash: Uint8Array,
    family: RefreshFamily,
    secretHash: Uint8Array,
    guest: { readonly guestId: string; readonly epoch: number },
    now: number,
  ): Promise<LinkOutcome>;
}

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

export interface MergeStore {
  /**
   * Merges a guest into a player, in all projects and environments of the account, in one step. Where both have a user state, the guest's
   * becomes the survivor's next version, followed by the final one: `stateText` where the two were compared, the survivor's own elsewhere.
   * User states that only the guest has move. The guest is retired: later writes by the guest are refused on every node.
   */
  mergeGuest(merge: NewMerge): Promise<MergeOutcome>;
  /** Whether a player has a user state in any project of an account. */
  hasUserStates(accountId: string, playerId: string): Awaitable<boolean>;
}
