/** The part of the storage contract for public state: every version of one document for each environment. */
import type { Environment, HistorySetting } from '@holdfast/contract';
import type { ValueEnds } from '@holdfast/json';
import type { Awaitable } from '../../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';
import type { Author } from './author.ts';
import type { ProjectKey } from './management-store.ts';
import type { Application, ApplicationRefused } from './proposal-application.ts';
import type { Repeat, Repeated } from './repeat-store.ts';
import type { QuotaReached } from './usage-store.ts';

export type { Author } from './author.ts';

/** Which earlier versions of a document are kept. The store has no other retention rule. */
export interface VersionRetention {
  readonly versionsMax: number;
  /** Versions replaced at this time or earlier are not kept. */
  readonly keptAfter: number;
}

/** Replaces the UTF-16 code units of a text from `start` to `end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

export interface PublicStateKey extends ProjectKey {
  readonly environment: Environment;
}

/** One stored version of public state. An engine may return the same object again while it is the current one. */
export interface PublicState {
  readonly version: number;
  /** Compact JSON text of the document. */
  readonly stateText: string;
  /** UTF-8 bytes of `stateText`. */
  readonly stateBytes: number;
  readonly comment: string | null;
  /** Facts about the text that patches have found. An engine that caches the record also caches these. */
  readonly ends?: ValueEnds | undefined;
}

export interface NewPublicState {
  readonly stateText: string;
  readonly stateBytes: number;
  /** The UTF-8 of `stateText`, if the caller has it. Nobody may change it. */
  readonly stateUtf8?: Uint8Array | undefined;
  /** The version that the write expects, as read from this store, if the caller has it. An engine may use it. */
  readonly before?: Pick<PublicState, 'version' | 'stateText'> | undefined;
  /** The edits that turn the expected version's text into `stateText`, if the caller knows them. An engine may use them. */
  readonly edits?: readonly Edit[] | undefined;
  readonly ends?: ValueEnds | undefined;
  readonly comment: string | null;
  readonly writtenAt: number;
  /** The author, stored with the version; null if unknown. */
  readonly author: Author | null;
  /** Set if the client may send the write again. */
  readonly repeat?: Repeat | undefined;
  /** Set if the audit trail records the write, in the same step. */
  readonly by?: ChangedBy | undefined;
  /** Whether webhooks may subscribe to the write. If so, their events are stored in the same step. */
  readonly isHeard?: boolean | undefined;
  /** The proposal that this version applies, which ends in the same step. */
  readonly application?: Application | undefined;
}

/** The metadata of a version, without its document. */
export interface HistoryItem {
  readonly version: number;
  readonly stateBytes: number;
  readonly comment: string | null;
  readonly writtenAt: number;
  /** Null if unknown, as for every version from before authors were stored. */
  readonly author: Author | null;
}

export type HistoryOutcome =
  | { readonly kind: 'history'; readonly items: readonly HistoryItem[]; readonly hasMore: boolean }
  | { readonly kind: 'no_project' };

/** The state of the record that a write expects: a certain version, or no record. */
export type Expectation = { readonly kind: 'version'; readonly version: number } | { readonly kind: 'absent' };

export type ReadOutcome<Record> =
  | { readonly kind: 'present'; readonly record: Record }
  | { readonly kind: 'absent' }
  | { readonly kind: 'no_project' };

/** Which version of a record is current, without its document. */
export interface CurrentVersion {
  readonly version: number;
  /** The same for all versions of a record. A record created after a deletion gets a new id. */
  readonly recordId: string;
}

export type WriteOutcome =
  | { readonly kind: 'written'; readonly version: number }
  | { readonly kind: 'conflict'; readonly currentVersion: number | null }
  | { readonly kind: 'no_project' }
  | QuotaReached
  | Repeated
  | PlayerEnded
  | TokenEnded
  | ApplicationRefused;

/** The player has become a different player; nothing is written. User state only. */
export interface PlayerEnded {
  readonly kind: 'ended';
}

/** The tokens of the player's epoch have ended; nothing is written. User state only. */
export interface TokenEnded {
  readonly kind: 'token_ended';
}

/** A project that keeps only some versions of its public state. */
export interface BoundedHistory extends ProjectKey {
  readonly retention: HistorySetting;
}

export interface PublicStateStore {
  /** The current version. A read sees every write acknowledged before it began, and never goes back in time. */
  readPublicState(key: PublicStateKey): Awaitable<ReadOutcome<PublicState>>;
  /**
   * The current versions of many documents, of any accounts, in the order of `keys`. Sees what `readPublicState` sees. Over a network this
   * takes one statement, regardless of the number of keys.
   */
  currentPublicVersions(keys: readonly PublicStateKey[]): Awaitable<readonly ReadOutcome<CurrentVersion>[]>;
  /** One version by number; `absent` if there is no such version. */
  readPublicStateVersion(key: PublicStateKey, version: number): Awaitable<ReadOutcome<PublicState>>;
  /**
   * Versions below `before` (null: from the newest), newest first: as many as fit into `charactersMax` of state text, but at least one.
   * Empty if no version is left. Versions never change, so a caller can page through history at its own pace, and the store keeps nothing
   * open for it.
   */
  listPublicStateVersions(
    key: PublicStateKey,
    portion: { readonly before: number | null; readonly charactersMax: number },
  ): Awaitable<{ readonly kind: 'versions'; readonly versions: readonly PublicState[] } | { readonly kind: 'no_project' }>;
  /**
   * The metadata of the versions below `before` (null: from the newest), newest first, and whether more follow. Documents are not read, so
   * the cost of a page depends neither on their size nor on its position.
   */
  listPublicStateHistory(
    key: PublicStateKey,
    page: { readonly before: number | null; readonly itemsMax: number },
  ): Awaitable<HistoryOutcome>;
  /**
   * Compares and writes in one step. The first version of a key is 1, or one above every version of a deleted project with this key; each
   * later version is one more. Earlier versions stay. Even if its expectation holds, a write is refused if it exceeds the account's
   * storage. Resolves when the write is durable. Writes of one key are carried out in the order of the calls.
   *
   * With `repeat`, a write whose key is known is not carried out, whatever it expects (`repeated`). Otherwise the key is stored in the same
   * step as the write, if the write succeeds.
   *
   * With `application`, nothing is written unless the proposal may be applied (`not_applied`).
   */
  writePublicState(key: PublicStateKey, expected: Expectation, next: NewPublicState): Promise<WriteOutcome>;
  /** Some of the projects that keep only some versions, after an opaque position. Null begins the list, and marks its end. */
  listBoundedHistories(
    after: string | null,
  ): Awaitable<{ readonly projects: readonly BoundedHistory[]; readonly next: string | null }>;
  /**
   * Drops some of the oldest versions that are no longer kept. Returns the number dropped; 0 if no more can be dropped now. The current
   * version stays, and so do versions on which a kept version is based.
   */
  dropPublicStateVersions(key: PublicStateKey, retention: VersionRetention): Promise<number>;
}
