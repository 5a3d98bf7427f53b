/** The part of the storage contract for players: their identities, blocks, ended tokens, and search. */
import type { Environment } from '@holdfast/contract';
import type { Awaitable } from '../../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';
import type { ProjectKey } from './management-store.ts';

/** The claims of an identity provider about a player who signs in. */
export interface SignedIn {
  readonly subject: string;
  readonly provider: string;
  readonly email: string | null;
  readonly name: string | null;
}

/** A player's identity at one provider, known from a sign-in to a project of the account. */
export interface Identity extends SignedIn {
  readonly createdAt: number;
  /** Null if there was no sign-in since identities have been stored. */
  readonly lastSignedInAt: number | null;
}

export interface NewPlayerBlock {
  readonly reason: string | null;
  /** When the block expires; null for never. */
  readonly until: number | null;
  /** Whether the block is stored even for an unknown id. A store that went back does not know later players. */
  readonly isRepeated?: boolean;
}
export interface PlayerBlock extends Omit<NewPlayerBlock, 'isRepeated'> {
  readonly blockedAt: number;
}

/** The scope in which tokens end: null means all projects of the account, or all environments of the project. */
export interface RevocationScope {
  readonly accountId: string;
  readonly slug: string | null;
  readonly environment: Environment | null;
}

/** The scope of a player's deletion: all environments of the project if `environment` is null. */
export interface DeletionScope extends ProjectKey {
  readonly environment: Environment | null;
  /**
   * The token, if the player requests the deletion: nothing is deleted once tokens of its epoch have ended. If omitted, no token is
   * checked.
   */
  readonly token?: { readonly environment: Environment; readonly epoch: number };
  /**
   * For the audit record of the erasure: a hash of the id, keyed with a key that the store does not have. If omitted, no hash is stored.
   */
  readonly idHash?: string;
}

export interface PlayerKey extends ProjectKey {
  readonly environment: Environment;
  readonly playerId: string;
}

/** Whether a player may have tokens, and of which epoch. */
export interface PlayerAccess {
  /** Tokens of an earlier epoch are rejected. 0 if no token has ended. */
  readonly epoch: number;
  readonly isBlocked: boolean;
}

/** Facts about all players of a project, which a node remembers to avoid a query for each player. */
export interface PlayerRestrictions {
  /** When tokens of any player last ended; null if not within a token's lifetime. */
  readonly lastEndedAt: number | null;
  readonly hasBlocks: boolean;
}

/** A user state, as shown in the list of players. */
export interface PlayerState {
  readonly environment: Environment;
  readonly version: number;
  readonly updatedAt: number;
  readonly stateBytes: number;
  /** Null if unknown. */
  readonly createdAt: number | null;
}

/** Everything known about a player of a project. */
export interface PlayerRecord {
  readonly playerId: string;
  readonly identities: readonly Identity[];
  readonly states: readonly PlayerState[];
  readonly block: PlayerBlock | null;
}

/**
 * The keys that find a player: the id of a player with a state in the project (`state`) or who has signed in (`id`), an address, a name, or
 * the rest of either from one of its words on (`word`).
 */
export const playerKeyKinds = ['state', 'id', 'email', 'name', 'word'] as const;
export type PlayerKeyKind = (typeof playerKeyKinds)[number];

/** A position in the order of all keys: by key, then kind, then tie. */
export interface KeyPosition {
  readonly key: Uint8Array;
  readonly kind: PlayerKeyKind;
  readonly tie: readonly [string, string];
}

/** The migration since which players are found by words. */
export const playerWordsSince = 25;

export interface PlayerStore {
  /**
   * Stores the identity that signs in to the account, and returns its player. If the player is `blocked`, nothing is stored. Blocks are
   * checked in the same step.
   */
  admitPlayer(
    key: ProjectKey,
    person: SignedIn,
    at: number,
  ): Promise<
    | { readonly kind: 'admitted'; readonly playerId: string }
    | { readonly kind: 'blocked' }
    | { readonly kind: 'no_project' }
  >;
  findPlayerAccess(key: PlayerKey, now: number): Awaitable<PlayerAccess>;
  readPlayerRestrictions(key: ProjectKey, now: number): Awaitable<PlayerRestrictions>;
  /** The player of a current or former refresh-token family; undefined if the family is no longer known or belongs to a developer. */
  findPlayerOfFamily(familyId: string): Awaitable<PlayerKey | undefined>;

  /**
   * Some of the players with a key that begins with a given text, in key order, from a position; each player once. With `isInProject`, only
   * those with a state of the project or a sign-in to it. `next` is the position to continue from, null at the end. A page may hold fewer
   * than `itemsMax` players even if more follow, so that its cost does not depend on the number of players.
   */
  listPlayers(
    key: ProjectKey,
    search: {
      readonly prefix: string;
      readonly kinds: readonly PlayerKeyKind[];
      readonly isInProject?: boolean;
      readonly after: KeyPosition | null;
      readonly itemsMax: number;
    },
    now: number,
  ): Awaitable<{ readonly players: readonly PlayerRecord[]; readonly next: KeyPosition | null }>;
  /** Finds a player; undefined if the id has no state in the project, no sign-in in its account and no block. */
  findPlayer(key: ProjectKey, playerId: string, now: number): Awaitable<PlayerRecord | undefined>;

  /** Blocks a player and ends the player's tokens and sessions in the project, or changes the block. `unknown` if no player has the id. */
  blockPlayer(
    by: ChangedBy,
    key: ProjectKey,
    playerId: string,
    block: NewPlayerBlock,
  ): Promise<PlayerBlock | 'unknown' | 'no_project'>;
  unblockPlayer(by: ChangedBy, key: ProjectKey, playerId: string): Promise<'done' | 'no_project'>;
  /** Ends all sessions and tokens of a player in the project, even if nothing is stored of the player. */
  endPlayerSessions(by: ChangedBy, key: ProjectKey, playerId: string): Promise<'done' | 'no_project'>;
  /** Records that all data of a player was exported. */
  recordPlayerExport(by: ChangedBy, key: ProjectKey, playerId: string): Promise<'done' | 'no_project'>;
  /**
   * Deletes all data of a player in a project or one of its environments, and ends the player's tokens there, whether or not anything is
   * stored. The identity is also deleted if no project of the account has a state or block for it. Blocks stay. `links_left`: all of this
   * is done, but rows of former guests may still name the player, for `unlinkErased` to remove.
   */
  deletePlayer(
    by: ChangedBy,
    scope: DeletionScope,
    playerId: string,
  ): Promise<'deleted' | 'links_left' | 'no_project' | 'token_ended'>;
  /** Removes links from former guests to an erased player, some thousands per call. Returns whether more may be left. */
  unlinkErased(accountId: string, playerId: string): Promise<boolean>;
  /** Some of the accounts after an account id whose players are not yet found by words; null begins the list, and marks its end. */
  listWordlessAccounts(
    after: string | null,
  ): Awaitable<{ readonly accountIds: readonly string[]; readonly next: string | null }>;
  /**
   * Makes the search words of some of an account's players again, continuing where the last call stopped. Returns whether all are made.
   * Called once no program runs that changes players without their words.
   */
  fillPlayerWords(accountId: string): Promise<boolean>;
  /** Forgets who has signed in to a project that is about to be deleted, some hundreds per call. Returns the number forgotten. */
  forgetProjectPlayers(key: ProjectKey): Promise<number>;
  /** Deletes some expired records: expired blocks, and token endings whose tokens have all expired since. */
  sweepPlayers(now: number): Promise<number>;
}
