/** The part of the storage contract that keeps end-user state and what an environment knows of its end users. */
import type { Awaitable } from './awaitable.ts';
import type { Page, PageRequest, ProjectKey } from './management-store.ts';
import type { Expectation, PublicStateKey, ReadOutcome, WriteOutcome } from './public-state-store.ts';

export interface UserStateKey extends PublicStateKey {
  readonly endUserId: string;
}

/** The current state of one end user in one environment; earlier versions are not kept. */
export interface UserState {
  readonly version: number;
  /** Compact JSON text of the document. */
  readonly stateText: string;
  /** UTF-8 bytes of `stateText`. */
  readonly stateBytes: number;
}

export interface NewUserState {
  readonly stateText: string;
  readonly stateBytes: number;
  /** Those bytes, where the caller has them; nobody writes to them. */
  readonly stateUtf8?: Uint8Array | undefined;
  readonly writtenAt: number;
}

export interface ListedUserState extends UserState {
  readonly endUserId: string;
  readonly updatedAt: number;
}

export interface UserStateStore {
  /** The current state of an end user. Sees every write that was acknowledged before it began. */
  readUserState(key: UserStateKey): Awaitable<ReadOutcome<UserState>>;
  /**
   * Compares and writes in one step. The first version is 1, each later one is one more; after a deletion the next record
   * of the same end user starts above every version that it ever had, without its id being kept for that. A write whose
   * expectation holds but which the account has no room for, in end users or in bytes, is not carried out; one that makes
   * a state shorter always has room. Resolves after the write is durable. Writes and deletions of one end user are carried
   * out in the order in which they were asked for here.
   */
  writeUserState(key: UserStateKey, expected: Expectation, next: NewUserState): Promise<WriteOutcome>;
  /**
   * A page of one environment, newest record first by creation, which never changes while a record lives: pages neither
   * skip nor repeat a surviving record while others are written, created or deleted. `tie` of a position is opaque and no
   * end-user id. The cost of a page does not depend on how far back it is.
   */
  listUserStates(
    key: PublicStateKey,
    page: PageRequest,
  ): Awaitable<{ readonly kind: 'page'; readonly page: Page<ListedUserState> } | { readonly kind: 'no_project' }>;
  /**
   * Deletes the state of an end user in all environments of the project at once, and its refresh-token families and
   * authorization codes there. Nothing of the end user is left in any table or index.
   */
  deleteEndUser(key: ProjectKey, endUserId: string): Promise<'deleted' | 'absent' | 'no_project'>;
}
