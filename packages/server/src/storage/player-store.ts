/**
 * The part of the storage contract that knows players: the identities by which they signed in, who is blocked, when their tokens ended, and
 * how they are found.
 */
import type { Environment } from '@holdfast/contract';
import type { Awaitable } from '../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';
import type { ProjectKey } from './management-store.ts';

/** What an identity provider says of somebody who signs in. */
export interface SignedIn {
  readonly subject: string;
  readonly provider: string;
  readonly email: string | null;
  readonly name: string | null;
}

/** Somebody who has signed in to a project of an account, by one provider. */
export interface Identity extends SignedIn {
  readonly createdAt: number;
  /** Null: not since identities are kept. */
  readonly lastSignedInAt: number | null;
}

export interface NewPlayerBlock {
  readonly reason: string | null;
  /** When it ends by itself; null: it does not. */
  readonly until: number | null;
  /** Whether the block is stored even for an unknown id. A store that went back does not know players who came later. */
  readonly isRepeated?: boolean;
}
export interface PlayerBlock extends Omit<NewPlayerBlock, 'isRepeated'> {
  readonly blockedAt: number;
}

/** Where tokens end: null is all projects of the account, or all environments of the project. */
export interface EndingScope {
  readonly accountId: string;
  readonly slug: string | null;
  readonly environment: Environment | null;
}

/** What of a player is deleted: all environments of a project where `environment` is null. */
export interface DeletionScope extends ProjectKey {
  readonly environment: Environment | null;
  /** Given when the player asks for it: nothing is deleted once tokens of that epoch have ended. Left out: nobody's token decides. */
  readonly token?: { readonly environment: Environment; readonly epoch: number };
  /** Kept by the record of the erasure: a hash of the id by a key that the store does not have. Left out: nothing is kept. */
  readonly idHash?: string;
}

export interface PlayerKey extends ProjectKey {
  readonly environment: Environment;
  readonly playerId: string;
}

/** Whether somebody may have tokens, and of which epoch. */
export interface PlayerAccess {
  /** Tokens of an earlier epoch are good no more. 0 where none has ended. */
  readonly epoch: number;
  readonly isBlocked: boolean;
}

/** What a node remembers of all players of a project, so that it need not ask for each. */
export interface PlayerRestrictions {
  /** When tokens of any of them last ended; null: not within the life of a token. */
  readonly lastEndedAt: number | null;
  readonly hasBlocks: boolean;
}

/** A user state, as the list of players shows it. */
export interface PlayerState {
  readonly environment: Environment;
  readonly version: number;
  readonly updatedAt: number;
  readonly stateBytes: number;
  /** Null: not known. */
  readonly createdAt: number | null;
}

/** All that is known of a player of a project. */
export interface PlayerRecord {
  readonly playerId: string;
  readonly identities: readonly Identity[];
  readonly states: readonly PlayerState[];
  readonly block: PlayerBlock | null;
}

/** By what a player is found: the id of somebody with a state in the project, or of somebody who has signed in; an address; a name. */
export const playerKeyKinds = ['state', 'id', 'email', 'name'] as const;
export type PlayerKeyKind = (typeof playerKeyKinds)[number];

/** A place in the order of all keys: keys first, then kinds, then what is unique. */
export interface KeyPosition {
  readonly key: Uint8Array;
  readonly kind: PlayerKeyKind;
  readonly tie: readonly [string, string];
}

export interface PlayerStore {
  /**
   * Keeps who signs in as an identity of the account, and returns the player whom that is. `blocked` keeps nothing. In one step with the
   * look for blocks.
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
  /** The player whose refresh-token family this is or was; undefined when nobody knows it any more, or it is that of a developer. */
  findPlayerOfFamily(familyId: string): Awaitable<PlayerKey | undefined>;

  /**
   * Some of the players with a key that begins with a text, in the order of those keys, from a position on; each player once. `next` is
   * where to go on, null when there is nothing more. It may hold fewer than `itemsMax` although more follow, so that its cost does not
   * depend on how many players there are.
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
  /** Undefined when nobody has the id: no state in the project, no sign-in in its account, no block. */
  findPlayer(key: ProjectKey, playerId: string, now: number): Awaitable<PlayerRecord | undefined>;

  /** Blocks a player and ends the player's tokens and sessions in the project, or changes the block. `unknown`: nobody has the id. */
  blockPlayer(
    by: ChangedBy,
    key: ProjectKey,
    playerId: string,
    block: NewPlayerBlock,
  ): Promise<PlayerBlock | 'unknown' | 'no_project'>;
  unblockPlayer(by: ChangedBy, key: ProjectKey, playerId: string): Promise<'done' | 'no_project'>;
  /** Ends all sessions of a player in the project with their tokens, also of somebody who has nothing stored. */
  endPlayerSessions(by: ChangedBy, key: ProjectKey, playerId: string): Promise<'done' | 'no_project'>;
  /** Records that somebody took all data of a player. */
  recordPlayerExport(by: ChangedBy, key: ProjectKey, playerId: string): Promise<'done' | 'no_project'>;
  /**
   * Deletes all that a project, or one of its environments, has of a player, and ends the player's tokens there, whether or not anything is
   * stored. The identity goes when no project of the account has a state of it, and none blocks it: then the player is nobody. A block stays.
   * `links_left`: all of that, but there may be former guests whose rows still name the player, for `unlinkErased`.
   */
  deletePlayer(
    by: ChangedBy,
    scope: DeletionScope,
    playerId: string,
  ): Promise<'deleted' | 'links_left' | 'no_project' | 'token_ended'>;
  /** Lets former guests name a player no more who is nobody now, some thousands of them. Returns whether there may be others. */
  unlinkErased(accountId: string, playerId: string): Promise<boolean>;
  /** Deletes some of what has ended: blocks, and ends of tokens before a time at which all tokens of then have expired. */
  sweepPlayers(now: number): Promise<number>;
}
