/** The names of records that an engine may cache: an account, a project in it, and the records of a project. */
import type { ProjectKey } from '../contract/projects.ts';
import type { PublicStateKey } from '../contract/public-states.ts';
import type { UserState, UserStateKey } from '../contract/user-states.ts';

export const accountName = (accountId: string): string => accountId;

/** The same key object is used repeatedly. Joining and hashing its name takes longer than everything else. */
const projectNames = new WeakMap<ProjectKey, string>();

/** Returns the name of a project, unique among all accounts. */
export function projectName(key: ProjectKey): string {
  let name = projectNames.get(key);
  if (name === undefined) {
    name = `${key.accountId}/${key.slug}`;
    projectNames.set(key, name);
  }
  return name;
}

/** The sign-in settings of a project. */
export const playerAuthName = (key: ProjectKey): string => `${key.accountId}/${key.slug}/auth`;

/** A record that consists mostly of its text. */
export interface TextRecord {
  readonly stateText: string;
}

declare const recordOf: unique symbol;
/** The name of a state in the cache: of a project's environment, or of a player there. Its type carries the record's type. */
export type RecordName<Record extends TextRecord> = string & { readonly [recordOf]?: Record };

/** Remembered like the names of projects. */
const publicStateNames = new WeakMap<PublicStateKey, string>();

/** Returns the name of an environment of a project, unique among all accounts. */
export function publicStateName(key: PublicStateKey): string {
  let name = publicStateNames.get(key);
  if (name === undefined) {
    name = `${key.accountId}/${key.slug}/${key.environment}`;
    publicStateNames.set(key, name);
  }
  return name;
}

export const userStateName = (key: UserStateKey): RecordName<UserState> =>
  `${key.accountId}/${key.slug}/${key.environment}/${key.playerId}`;

/** The name of a player, under which the player's changes in all environments are queued together. */
export const playerName = ({ accountId, slug }: ProjectKey, playerId: string): string =>
  `${accountId}/${slug}/user/${playerId}`;
