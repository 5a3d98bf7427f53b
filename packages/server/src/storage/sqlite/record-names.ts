/** The names of records in memory: of an account, of a project in it, of the state of one of its environments. */
import type { ProjectKey, PublicState, PublicStateKey } from '../store.ts';
import type { UserState, UserStateKey } from '../user-state-store.ts';

/** Whatever has a text that counts. */
export interface TextRecord {
  readonly stateText: string;
}

declare const recordOf: unique symbol;
/** The name of a record, which knows the type of what it names. */
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
/** The same key comes again and again as the same object, and joining and hashing its name takes longer than all the rest. */
const stateNames = new WeakMap<PublicStateKey, RecordName<PublicState>>();

export const userStateName = (key: UserStateKey): RecordName<UserState> =>
  `${key.accountId}/${key.slug}/${key.environment}/${key.endUserId}`;
/** The sign-in settings of a project. */
export const endUserAuthName = (key: ProjectKey): RecordName<TextRecord> => `${key.accountId}/${key.slug}/auth`;
