/** The names of records that an engine may keep in memory: of an account, a project in it, and what lies in that. */
import type { ProjectKey } from './management-store.ts';
import type { UserState, UserStateKey } from './user-state-store.ts';

export const accountName = (accountId: string): string => accountId;
export const projectName = (key: ProjectKey): string => `${key.accountId}/${key.slug}`;
/** The sign-in settings of a project. */
export const playerAuthName = (key: ProjectKey): string => `${key.accountId}/${key.slug}/auth`;

/** A record whose text takes most of its room. */
export interface TextRecord {
  readonly stateText: string;
}

declare const recordOf: unique symbol;
/**
 * The name of a state in the cache: of one of the environments of a project, or of a player there. Its type says which type the
 * record has.
 */
export type RecordName<Record extends TextRecord> = string & { readonly [recordOf]?: Record };

export const userStateName = (key: UserStateKey): RecordName<UserState> =>
  `${key.accountId}/${key.slug}/${key.environment}/${key.playerId}`;

/** The name of a player, under which its changes in all environments stand in one order. */
export const playerName = ({ accountId, slug }: ProjectKey, playerId: string): string =>
  `${accountId}/${slug}/user/${playerId}`;
