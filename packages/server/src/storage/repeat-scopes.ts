/** Which document a repeated write is about. */
import type { PublicStateKey } from './public-state-store.ts';
import { environmentNames } from './rows.ts';
import type { UserStateKey } from './user-state-store.ts';

/** Returns the scope of the public state of an environment. A project that is created again has different scopes. */
export const publicScope = ({ accountId, slug, environment }: PublicStateKey, projectCreatedAt: number): string =>
  JSON.stringify(['public', accountId, slug, projectCreatedAt, environment]);

/** Returns the scope of the state of a player in an environment. */
export const userScope = ({ accountId, slug, environment, playerId }: UserStateKey, projectCreatedAt: number): string =>
  JSON.stringify(['user', accountId, slug, projectCreatedAt, environment, playerId]);

/** Returns the scopes of all states of a player in a project. */
export const userScopes = (key: Omit<UserStateKey, 'environment'>, projectCreatedAt: number): string[] =>
  environmentNames.map((environment) => userScope({ ...key, environment }, projectCreatedAt));
