/**
 * The names of records in the cache: of an account, a project in it, the state of one of its environments, an end user
 * there.
 */
import type { ProjectKey, PublicState, PublicStateKey } from '../store.ts';
import type { UserState, UserStateKey } from '../user-state-store.ts';

/** A record whose text takes most of its room. */
export interface TextRecord {
  readonly stateText: string;
}

declare const recordOf: unique symbol;
/** The name of a record. Its type knows the type of the record. */
export type RecordName<Record extends TextRecord> = string & { readonly [recordOf]?: Record };

export const accountName = (accountId: string): string => accountId;
export const projectName = (key: ProjectKey): string => `${key.accountId}/${key.slug}`;
export function stateName(key: PublicStateKey): RecordName<PublicState> {
  let name = stateNames.get(key);
  if (name === undefined) {
    name = `${key.accountId}/${key.slug}/${key.environment}`;
    stateNames.set(key, name);
  }
  return name;
}
/** The same key object is used again and again. Joining and hashing its name takes longer than everything else. */
const stateNames = new WeakMap<PublicStateKey, RecordName<PublicState>>();

export const userStateName = (key: UserStateKey): RecordName<UserState> =>
  `${key.accountId}/${key.slug}/${key.environment}/${key.endUserId}`;
/** The sign-in settings of a project. */
export const endUserAuthName = (key: ProjectKey): RecordName<TextRecord> => `${key.accountId}/${key.slug}/auth`;
