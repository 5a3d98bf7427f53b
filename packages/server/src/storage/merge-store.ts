/** The part of the storage contract that merges a guest into a player who can sign in. */
import type { Awaitable } from '../common/awaitable.ts';
import type { PlayerEnded, TokenEnded } from './public-state-store.ts';
import type { Repeat, Repeated } from './repeat-store.ts';
import type { QuotaReached } from './usage-store.ts';
import type { SaveRetention, UserStateKey } from './user-state-store.ts';

export interface NewMerge {
  /** Where the two saves were compared; `endUserId` is the survivor. */
  readonly key: UserStateKey;
  readonly guestId: string;
  /** The epoch of the survivor's token. Nothing is merged once tokens of that epoch have ended. */
  readonly epoch: number;
  /** The versions that were compared; null for none. */
  readonly ifVersion: number | null;
  readonly fromVersion: number | null;
  /** What the survivor's save becomes there. */
  readonly stateText: string;
  readonly stateBytes: number;
  readonly writtenAt: number;
  /** Which earlier versions of the save are kept. */
  readonly keeps: SaveRetention;
  /** Given when the client may send the merge again. */
  readonly repeat?: Repeat | undefined;
}

export type MergeOutcome =
  /** `version` is the survivor's. `slugs` are the projects in which a save has changed. */
  | { readonly kind: 'merged'; readonly version: number; readonly slugs: readonly string[] }
  /** One of the saves is another one by now. Nothing has changed, as with everything below. */
  | { readonly kind: 'conflict'; readonly currentVersion: number | null }
  /** The guest has no save in any project of the account. */
  | { readonly kind: 'nothing' }
  /** The guest has a save, but neither has one there. */
  | { readonly kind: 'no_save' }
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
   * Merges a guest into a player, in all projects and environments of the account, in one step. Where both have a save, the guest's becomes
   * the next version of the survivor's, and after it comes the one that stays: `stateText` where the two were compared, the survivor's own
   * elsewhere. What only the guest has moves. The guest is retired: no write of it is carried out afterwards, on any node.
   */
  mergeGuest(merge: NewMerge): Promise<MergeOutcome>;
  /** Whether an end user has a save in any project of an account. */
  hasSaves(accountId: string, endUserId: string): Awaitable<boolean>;
}
