/** The part of the storage contract that merges a guest into a player who can sign in. */
import type { Awaitable } from '../../common/awaitable.ts';
import type { PlayerEnded, TokenEnded } from './public-state-store.ts';
import type { Repeat, Repeated } from './repeat-store.ts';
import type { QuotaReached } from './usage-store.ts';
import type { UserStateKey, VersionRetention } from './user-state-store.ts';

export interface NewMerge {
  /** Where the two user states were compared; `playerId` is the survivor. */
  readonly key: UserStateKey;
  readonly guestId: string;
  /** The epoch of the survivor's token. Nothing is merged once tokens of that epoch have ended. */
  readonly epoch: number;
  /** The compared versions; null for none. */
  readonly ifVersion: number | null;
  readonly fromVersion: number | null;
  /** The survivor's new state there. */
  readonly stateText: string;
  readonly stateBytes: number;
  readonly writtenAt: number;
  /** Which earlier versions of the user state are kept. */
  readonly keeps: VersionRetention;
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
  /** The guest has a user state, but neither has one there. */
  | { readonly kind: 'no_user_state' }
  /** The account has no room for that much more. */
  | QuotaReached
  /** The guest has signed up, or was merged. */
  | { readonly kind: 'guest_upgraded' }
  /** One of them is blocked in a project of the account. */
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
   * User states that only the guest has move. The guest is retired: none of its later writes is carried out, on any node.
   */
  mergeGuest(merge: NewMerge): Promise<MergeOutcome>;
  /** Whether a player has a user state in any project of an account. */
  hasUserStates(accountId: string, playerId: string): Awaitable<boolean>;
}
