/**
 * The part of the storage contract for players: the identities that they signed in with, who is blocked, when their tokens ended, and how
 * to find them.
 */
import type { Environment } from '@holdfast/contract';
import type { Awaitable } from '../../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';
import type { ProjectKey } from './management-store.ts';

/** What an identity provider says about somebody who signs in. */
export interface SignedIn {
  readonly subject: string;
  readonly provider: string;
  readonly email: string | null;
  readonly name: string | null;
}

/** Somebody who has signed in to a project of an account, through one provider. */
export interface Identity extends SignedIn {
  readonly createdAt: number;
  /** Null: not since identities are stored. */
  readonly lastSignedInAt: number | null;
}

export interface NewPlayerBlock {
  readonly reason: string | null;
  /** When it expires; null: never. */
  readonly until: number | null;
  /** Whether the block is stored even for an unknown id. A store that went back does not know players who came later. */
  readonly isRepeated?: boolean;
}
export interface PlayerBlock extends Omit<NewPlayerBlock, 'isRepeated'> {
  readonly blockedAt: number;
}

/** Where tokens end: null means all projects of the account, or all environments of the project. */
export interface RevocationScope {
  readonly accountId: string;
  readonly slug: string | null;
  readonly environment: Environment | null;
}

/** What of a player is deleted: all environments of a project if `environment` is null. */
export interface DeletionScope extends ProjectKey {
  readonly environment: Environment | null;
  /** Set if the player asks for it: nothing is deleted once tokens of that epoch have ended. Left out: no token is checked. */
  readonly token?: { readonly environment: Environment; readonly epoch: number };
  /** Stored in the audit record of the erasure: a hash of the id by a key that the store does not have. Left out: nothing is stored. */
  readonly idHash?: string;
}

export interface PlayerKey extends ProjectKey {
  readonly environment: Environment;
  readonly playerId: string;
}

/** Whether somebody may have tokens, and of which epoch. */
export interface PlayerAccess {
  /** Tokens of an earlier epoch are rejected. 0 if none has ended. */
  readonly epoch: number;
  readonly isBlocked: boolean;
}

/** What a node remembers about all players of a project, to avoid asking for each. */
export interface PlayerRestrictions {
  /** When tokens of any of them last ended; null: not within the lifetime of a token. */
  readonly lastEndedAt: number | null;
  readonly hasBlocks: boolean;
}

/** A user state, as shown in the list of players. */
export interface PlayerState {
  readonly environment: Environment;
  readonly version: number;
  readonly updatedAt: number;
  readonly stateBytes: number;
  /** Null: unknown. */
  readonly createdAt: number | null;
}

/** Everything known about a player of a project. */
export interface PlayerRecord {
  readonly playerId: string;
  readonly identities: readonly Identity[];
  readonly states: readonly PlayerState[];
  readonly block: PlayerBlock | null;
}

/** What finds a player: the id of somebody with a state in the project, or of somebody who has signed in; an address; a name. */
export const playerKeyKinds = ['state', 'id', 'email', 'name'] as const;
export type PlayerKeyKind = (typeof playerKeyKinds)[number];

/** A position in the order of all keys: by key, then kind, then tie. */
export interface KeyPosition {
  readonly key: Uint8Array;
  readonly kind: PlayerKeyKind;
  readonly tie: readonly [string, string];
}

export interface PlayerStore {
  /**
   * Stores whoever signs in as an identity of the account, and returns that identity's player. `blocked` stores nothing. Blocks are checked
   * in the same step.
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
  /** The player of a current or former refresh-token family; undefined if it is no longer known, or a developer's. */
  findPlayerOfFamily(familyId: string): Awaitable<PlayerKey | undefined>;

  /**
   * Some of the players with a key that begins with a text, in key order, from a position; each player once. `next` is where to continue,
   * null at the end. A page may hold fewer than `itemsMax` even if more follow, so that its cost does not depend on the number of players.
   */
  listPlayers(
    key: ProjectKey,
    search: {
      readonly prefix: string;
      readonly kinds: readonly PlayerKeyKind[];
      readonly after: KeyPosition | null;
      readonly itemsMax: number;
    },
    now: number,
  ): Awaitable<{ readonly players: readonly PlayerRecord[]; readonly next: KeyPosition | null }>;
  /** Undefined if nobody has the id: no state in the project, no sign-in in its account, no block. */
  findPlayer(key: ProjectKey, playerId: string, now: number): Awaitable<PlayerRecord | undefined>;

  /** Blocks a player and ends the player's tokens and sessions in the project, or changes the block. `unknown`: nobody has the id. */
  blockPlayer(
    by: ChangedBy,
    key: ProjectKey,
    playerId: string,
    block: NewPlayerBlock,
  ): Promise<PlayerBlock | 'unknown' | 'no_project'>;
  unblockPlayer(by: ChangedBy, key: ProjectKey, playerId: string): Promise<'done' | 'no_project'>;
  /** Ends all sessions and tokens of a player in the project, even of one with nothing stored. */
  endPlayerSessions(by: ChangedBy, key: ProjectKey, playerId: string): Promise<'done' | 'no_project'>;
  /** Records that somebody exported all data of a player. */
  recordPlayerExport(by: ChangedBy, key: ProjectKey, playerId: string): Promise<'done' | 'no_project'>;
  /**
   * Deletes everything that a project, or one of its environments, has of a player, and ends the player's tokens there, whether or not
   * anything is stored. The identity is deleted if no project of the account has a state of it or blocks it: the player is then nobody. A
   * block stays. `links_left`: all of that is done, but rows of former guests may still name the player, for `unlinkErased`.
   */
  deletePlayer(
    by: ChangedBy,
    scope: DeletionScope,
    playerId: string,
  ): Promise<'deleted' | 'links_left' | 'no_project' | 'token_ended'>;
  /** Removes links from former guests, some thousands of them, to a player who is nobody now. Returns whether there may be others. */
  unlinkErased(accountId: string, playerId: string): Promise<boolean>;
  /** Deletes some of what is over: expired blocks, and ends of tokens that have all expired since. */
  sweepPlayers(now: number): Promise<number>;
}
