/** The part of the storage contract that merges a guest into a player who can sign in. */
import type { Awaitable } from '../common/awaitable.ts';
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
  /** The versions that were compared; null for none. */
  readonly ifVersion: number | null;
  readonly fromVersion: number | null;
  /** What the survivor's state becomes there. */
  readonly stateText: string;
  readonly stateBytes: number;
  readonly writtenAt: number;
  /** Which earlier versions of the user state are kept. */
  readonly keeps: VersionRetention;
  /** Given when the client may send the merge again. */
  readonly repeat?: Repeat | undefined;
}

export type MergeOutcome =
  /** `version` is the survivor's. `slugs` are the projects in which a user state has changed. */
  | { readonly kind: 'merged'; readonly version: number; readonly slugs: readonly string[] }
  /** One of the user states is another one by now. Nothing has changed, as with everything below. */
  | { readonly kind: 'conflict'; readonly currentVersion: number | null }
  /** The guest has no user state in any project of the account. */
  | { readonly kind: 'nothing' }
  /** The guest has a user state, but neither has one there. */
  | { readonly kind: 'no_user_state' }
  /** The account may not store as much more. */
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
   * Merges a guest into a player, in all projects and environments of the account, in one step. Where both have a user state, the guest's becomes
   * the next version of the survivor's, and after it comes the one that stays: `stateText` where the two were compared, the survivor's own
   * elsewhere. What only the guest has moves. The guest is retired: no write of it is carried out afterwards, on any node.
   */
  mergeGuest(merge: NewMerge): Promise<MergeOutcome>;
  /** Whether a player has a user state in any project of an account. */
  hasUserStates(accountId: string, playerId: string): Awaitable<boolean>;
}
