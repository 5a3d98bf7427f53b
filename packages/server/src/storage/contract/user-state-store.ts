/** The part of the storage contract for user state. */
import type { Awaitable } from '../../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';
import type { Page, PageRequest, ProjectKey } from './management-store.ts';
import type { DeletionScope } from './player-store.ts';
import type {
  Author,
  CurrentVersion,
  Edit,
  Expectation,
  HistoryItem,
  PublicStateKey,
  ReadOutcome,
  VersionRetention,
  WriteOutcome,
} from './public-state-store.ts';
import type { Repeat } from './repeat-store.ts';

export type { VersionRetention } from './public-state-store.ts';

export interface UserStateKey extends PublicStateKey {
  readonly playerId: string;
}

/** The author of a version of a user state, never an API key. */
export type UserStateAuthor = Author | { readonly kind: 'operator'; readonly id: string };

/** One version of the state of one player in one environment. */
export interface UserState {
  readonly version: number;
  /** Compact JSON text of the document. */
  readonly stateText: string;
  /** UTF-8 bytes of `stateText`. */
  readonly stateBytes: number;
  /** When it was written. */
  readonly updatedAt: number;
  /** The author; null for the player. */
  readonly author: UserStateAuthor | null;
  readonly comment: string | null;
  /** Whether its predecessor was kept when replaced, even if it has since been dropped as too old. */
  readonly continues: boolean;
}

/** The metadata of a version, without its document. */
export type UserStateHistoryItem = Omit<HistoryItem, 'author'> & Pick<UserState, 'author'>;

export interface NewUserState {
  readonly stateText: string;
  readonly stateBytes: number;
  /** The UTF-8 of `stateText`, if the caller has it. Nobody may change it. */
  readonly stateUtf8?: Uint8Array | undefined;
  readonly writtenAt: number;
  /** The writer; null or omitted for the player. */
  readonly author?: UserStateAuthor | null;
  /**
   * The epoch of the token, if the player writes. Once tokens of that epoch have ended on any node, the write is refused (`token_ended`);
   * this is checked in the same step. If omitted, no token is checked.
   */
  readonly epoch?: number | undefined;
  /** The writer's comment on the change, if any. */
  readonly comment?: string | null;
  /** The version that the write expects, as returned by `readUserState`, for its history. */
  readonly before?: UserState | undefined;
  /** The edits that turn the text of `before` into `stateText`, if the caller knows them. An engine may use them. */
  readonly edits?: readonly Edit[] | undefined;
  /** Which versions are kept. If this or `before` is omitted, none are kept, and existing earlier versions are dropped. */
  readonly retention?: VersionRetention | undefined;
  /** Set if the client may send the write again. */
  readonly repeat?: Repeat | undefined;
  /** Set if the audit trail records the write, in the same step. */
  readonly by?: ChangedBy | undefined;
  /** Whether webhooks may subscribe to new guests. If so, an event of a guest's first state in the project is stored in the same step. */
  readonly isHeard?: boolean | undefined;
}

export type ListedUserState = Pick<UserState, 'version' | 'stateText' | 'stateBytes' | 'updatedAt'> &
  Pick<UserStateKey, 'playerId'>;

export type UserStateHistoryOutcome =
  | { readonly kind: 'history'; readonly items: readonly UserStateHistoryItem[]; readonly hasMore: boolean }
  | { readonly kind: 'no_project' };

/** A user state with kept versions. */
export interface KeptUserState {
  /** Identifies the record within its store. */
  readonly record: readonly (string | number)[];
  /** Undefined if the user state or its project is deleted. */
  readonly key: UserStateKey | undefined;
  readonly currentVersion: number;
  readonly oldestVersion: number;
  readonly oldestReplacedAt: number;
}

export interface UserStatePageRequest extends PageRequest {
  /** The maximum total bytes of states on the page; unlimited if omitted. */
  readonly bytesMax?: number;
}

export interface UserStateStore {
  /** The current state of a player. Sees every write acknowledged before it began. */
  readUserState(key: UserStateKey): Awaitable<ReadOutcome<UserState>>;
  /**
   * The current versions of many documents, of any accounts, in the order of `keys`. Sees what `readUserState` sees. Over a network this
   * takes one statement, regardless of the number of keys.
   */
  currentUserVersions(keys: readonly UserStateKey[]): Awaitable<readonly ReadOutcome<CurrentVersion>[]>;
  /**
   * Compares and writes in one step. The first version is 1, each later one is one more. After a deletion, the player's next record starts
   * above every version it ever had, although the player's id is not stored for this. Even if its expectation holds, a write is refused if
   * it would exceed the account's limit of players or bytes. Guests together may use half of each limit. A write that shortens a state
   * always fits: if the replaced version cannot be kept, all earlier versions are dropped. Resolves when the write is durable. Writes and
   * deletions of one player are carried out in the order of the calls. `repeat` is as for `writePublicState`.
   */
  writeUserState(key: UserStateKey, expected: Expectation, next: NewUserState): Promise<WriteOutcome>;
  /**
   * A page of one environment, newest record first. The order of creation never changes while a record exists: pages neither skip nor
   * repeat a surviving record while others are written, created or deleted. `tie` of a position is opaque and not a player id. The cost of
   * a page does not depend on its position. With `bytesMax`, the page ends before the record whose state would exceed it, but has at least
   * one record; the next page begins with that record.
   */
  listUserStates(
    key: PublicStateKey,
    page: UserStatePageRequest,
  ): Awaitable<{ readonly kind: 'page'; readonly page: Page<ListedUserState> } | { readonly kind: 'no_project' }>;
  /**
   * A page of a user state's versions below `before` (null: from the current version), newest first, without their documents. Empty if
   * nothing is stored.
   */
  listUserStateHistory(
    key: UserStateKey,
    page: { readonly before: number | null; readonly itemsMax: number; readonly retention: VersionRetention },
  ): Awaitable<UserStateHistoryOutcome>;
  /** One version of a user state by number; `absent` if it is not kept. */
  readUserStateVersion(key: UserStateKey, version: number, retention: VersionRetention): Awaitable<ReadOutcome<UserState>>;
  /**
   * A user state's versions below `before` (null: from the current version), newest first: as many as fit into `charactersMax` of state
   * text, but at least one. Empty if no version is left.
   */
  listUserStateVersions(
    key: UserStateKey,
    portion: { readonly before: number | null; readonly charactersMax: number; readonly retention: VersionRetention },
  ): Awaitable<{ readonly kind: 'versions'; readonly versions: readonly UserState[] } | { readonly kind: 'no_project' }>;
  /** Some of the user states with kept versions, after an opaque position. Null begins the list, and marks its end. */
  listKeptUserStates(
    after: string | null,
  ): Awaitable<{ readonly userStates: readonly KeptUserState[]; readonly next: string | null }>;
  /**
   * Drops user state versions that are no longer kept; all of them if `retention` is null because the user state itself is deleted. Returns
   * the number dropped.
   */
  dropUserStateVersions(
    userStates: readonly { readonly userState: KeptUserState; readonly retention: VersionRetention | null }[],
  ): Promise<number>;
  /**
   * Deletes the oldest versions of a player's user states, one slice of each long history per call, until the rest can be deleted in one
   * step. Returns the number deleted; 0 if no history is long.
   */
  shortenHistories(scope: DeletionScope, playerId: string): Promise<number>;
  /**
   * Deletes a player's state in all environments of the project in one step, with the player's refresh-token families and authorization
   * codes there. No trace of the player stays in any table or index.
   */
  deleteUserStates(by: ChangedBy, key: ProjectKey, playerId: string): Promise<'deleted' | 'absent' | 'no_project'>;
}

/** The verbs of frequent requests, which each engine implements itself. */
export type EngineUserStates = Pick<
  UserStateStore,
  'readUserState' | 'currentUserVersions' | 'writeUserState' | 'listUserStates'
>;
