/** Records of players: their identities, blocks, ended tokens, and search. */
import type { Environment } from '@holdfast/contract';
import type { ProjectKey } from './projects.ts';

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
