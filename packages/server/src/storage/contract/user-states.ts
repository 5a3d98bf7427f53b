/** Records of user state. */
import type { TextEdit } from '@holdfast/json';
import type { ChangedBy } from './audit.ts';
import type { PageRequest } from './pages.ts';
import type { Author, HistoryItem, PublicStateKey, VersionRetention } from './public-states.ts';
import type { Repeat } from './repeats.ts';
import type { SubscriberIds } from './webhooks.ts';

export type { VersionRetention } from './public-states.ts';

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
  readonly edits?: readonly TextEdit[] | undefined;
  /** Which versions are kept. If this or `before` is omitted, none are kept, and existing earlier versions are dropped. */
  readonly retention?: VersionRetention | undefined;
  /** Set if the client may send the write again. */
  readonly repeat?: Repeat | undefined;
  /** Set if the audit trail records the write, in the same step. */
  readonly by?: ChangedBy | undefined;
  /**
   * The webhooks that subscribe to new guests, like those of public state. An event of a guest's first state in the project is stored in the
   * same step.
   */
  readonly subscribers?: SubscriberIds | undefined;
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
