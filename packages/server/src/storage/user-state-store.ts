/** The part of the storage contract that keeps end-user state. */
import type { Awaitable } from '../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';
import type { Page, PageRequest, ProjectKey } from './management-store.ts';
import type { CurrentVersion, Expectation, PublicStateKey, ReadOutcome, WriteOutcome } from './public-state-store.ts';
import type { Repeat } from './repeat-store.ts';

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
  /** The UTF-8 of `stateText`, if the caller has it. Nobody may change it. */
  readonly stateUtf8?: Uint8Array | undefined;
  readonly writtenAt: number;
  /** What the writer says about the change, for the audit trail. Left out: nothing. */
  readonly comment?: string | null;
  /** Given when the client may send the write again. */
  readonly repeat?: Repeat | undefined;
  /** Given when the audit trail records the write, in the same step. */
  readonly by?: ChangedBy | undefined;
}

export interface ListedUserState extends UserState {
  readonly endUserId: string;
  readonly updatedAt: number;
}

export interface UserStatePageRequest extends PageRequest {
  /** Bytes of all states of the page; no bound when left out. */
  readonly bytesMax?: number;
}

export interface UserStateStore {
  /** The current state of an end user. Sees every write that was acknowledged before it began. */
  readUserState(key: UserStateKey): Awaitable<ReadOutcome<UserState>>;
  /**
   * The current versions of many documents, of any accounts, in the order of `keys`. Sees what `readUserState` sees. Over a
   * network it is one statement, whatever the number of keys.
   */
  currentUserVersions(keys: readonly UserStateKey[]): Awaitable<readonly ReadOutcome<CurrentVersion>[]>;
  /**
   * Compares and writes in one step. The first version is 1, each later one is one more. After a deletion the next record of
   * the same end user starts above every version that it ever had, although its id is not kept for that. A write whose
   * expectation holds is still not carried out when the account has no room for it, in end users or in bytes. Of both, guests
   * together may use half. A write that
   * makes a state shorter always has room. Resolves when the write is durable. Writes and deletions of one end user are
   * carried out in the order of the calls. `repeat` is as for `writePublicState`.
   */
  writeUserState(key: UserStateKey, expected: Expectation, next: NewUserState): Promise<WriteOutcome>;
  /**
   * A page of one environment, newest record first. The order of creation never changes while a record exists: pages neither
   * skip nor repeat a surviving record while others are written, created or deleted. `tie` of a position is opaque and is
   * not an end-user id. The cost of a page does not depend on its position. With `bytesMax`, the page ends before the record
   * whose state would make it larger, but has one record at least; the next page begins with that record.
   */
  listUserStates(
    key: PublicStateKey,
    page: UserStatePageRequest,
  ): Awaitable<{ readonly kind: 'page'; readonly page: Page<ListedUserState> } | { readonly kind: 'no_project' }>;
  /**
   * Deletes the state of an end user in all environments of the project at once, and the end user's refresh-token families
   * and authorization codes there. No table and no index keeps anything of the end user.
   */
  deleteEndUser(by: ChangedBy, key: ProjectKey, endUserId: string): Promise<'deleted' | 'absent' | 'no_project'>;
}
