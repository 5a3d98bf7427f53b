/** The part of the storage contract that keeps public state: every version of one document for each environment. */
import type { Environment, HistorySetting } from '@holdfast/contract';
import type { ValueEnds } from '@holdfast/json';
import type { Awaitable } from '../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';
import type { Edit } from './history/edits.ts';
import type { ProjectKey } from './management-store.ts';
import type { Repeat, Repeated } from './repeat-store.ts';
import type { VersionRetention } from './retention.ts';
import type { QuotaReached } from './usage-store.ts';

export interface PublicStateKey extends ProjectKey {
  readonly environment: Environment;
}

/** One stored version of public state. An engine may hand out the same object again as long as it is the current one. */
export interface PublicState {
  readonly version: number;
  /** Compact JSON text of the document. */
  readonly stateText: string;
  /** UTF-8 bytes of `stateText`. */
  readonly stateBytes: number;
  readonly comment: string | null;
  /** What patches have found out about the text. An engine that keeps the record in memory keeps this with it. */
  readonly ends?: ValueEnds | undefined;
}

/**
 * Who wrote a version: a developer by the subject of the token, or an API key or a service account by its id and by the name that it had
 * then.
 */
export type Author =
  | { readonly kind: 'developer'; readonly id: string }
  | { readonly kind: 'api_key' | 'service_account'; readonly id: string; readonly name: string };

export interface NewPublicState {
  readonly stateText: string;
  readonly stateBytes: number;
  /** The UTF-8 of `stateText`, if the caller has it. Nobody may change it. */
  readonly stateUtf8?: Uint8Array | undefined;
  /** The version that the write expects, as this store gave it, if the caller has read it. An engine may use it. */
  readonly before?: Pick<PublicState, 'version' | 'stateText'> | undefined;
  /** What made `stateText` of the text of the version that the write expects, if the caller knows. An engine may use it. */
  readonly edits?: readonly Edit[] | undefined;
  readonly ends?: ValueEnds | undefined;
  readonly comment: string | null;
  readonly writtenAt: number;
  /** Null: not known. It is kept with the version. */
  readonly author: Author | null;
  /** Given when the client may send the write again. */
  readonly repeat?: Repeat | undefined;
  /** Given when the audit trail records the write, in the same step. */
  readonly by?: ChangedBy | undefined;
}

/** What is kept of a version beside its document. */
export interface HistoryItem {
  readonly version: number;
  readonly stateBytes: number;
  readonly comment: string | null;
  readonly writtenAt: number;
  /** Null: not known, as with every version from before authors were kept. */
  readonly author: Author | null;
}

export type HistoryOutcome =
  | { readonly kind: 'history'; readonly items: readonly HistoryItem[]; readonly hasMore: boolean }
  | { readonly kind: 'no_project' };

/** What a write expects of the current record: a certain version, or that there is none. */
export type Expectation = { readonly kind: 'version'; readonly version: number } | { readonly kind: 'absent' };

export type ReadOutcome<Record> =
  | { readonly kind: 'present'; readonly record: Record }
  | { readonly kind: 'absent' }
  | { readonly kind: 'no_project' };

/** Which version of a record is current, without its document. */
export interface CurrentVersion {
  readonly version: number;
  /** The same for all versions of a record, and another one for a record that was created after a deletion of this one. */
  readonly recordId: string;
}

export type WriteOutcome =
  | { readonly kind: 'written'; readonly version: number }
  | { readonly kind: 'conflict'; readonly currentVersion: number | null }
  | { readonly kind: 'no_project' }
  | QuotaReached
  | Repeated
  | PlayerEnded
  | TokenEnded;

/** Nothing is written for somebody who has become another player. Of user state only. */
export interface PlayerEnded {
  readonly kind: 'ended';
}

/** Nothing is written by a token of a player whose tokens of that epoch have ended. Of user state only. */
export interface TokenEnded {
  readonly kind: 'token_ended';
}

/** A project that keeps some versions of its public state only. */
export interface BoundedHistory extends ProjectKey {
  readonly keeps: HistorySetting;
}

export interface PublicStateStore {
  /** The current version. A read sees every write that was acknowledged before it began, and never goes back in time. */
  readPublicState(key: PublicStateKey): Awaitable<ReadOutcome<PublicState>>;
  /**
   * The current versions of many documents, of any accounts, in the order of `keys`. Sees what `readPublicState` sees. Over a
   * network it is one statement, whatever the number of keys.
   */
  currentPublicVersions(keys: readonly PublicStateKey[]): Awaitable<readonly ReadOutcome<CurrentVersion>[]>;
  /** One version by number; `absent` when there is no such version. */
  readPublicStateVersion(key: PublicStateKey, version: number): Awaitable<ReadOutcome<PublicState>>;
  /**
   * Versions below `before` (or from the newest on when null), newest first: as many as fit into `charactersMax` of state
   * text, but at least one; empty when none is left. Versions never change, so a caller can page through history at its own
   * pace and the store holds nothing for it.
   */
  listPublicStateVersions(
    key: PublicStateKey,
    portion: { readonly before: number | null; readonly charactersMax: number },
  ): Awaitable<{ readonly kind: 'versions'; readonly versions: readonly PublicState[] } | { readonly kind: 'no_project' }>;
  /**
   * What is kept of the versions below `before` (or from the newest on when null) beside their documents, newest first, and
   * whether any follow. The documents are not read: a page of large ones costs what a page of small ones costs, and it does
   * not matter how far back it lies.
   */
  listPublicStateHistory(
    key: PublicStateKey,
    page: { readonly before: number | null; readonly itemsMax: number },
  ): Awaitable<HistoryOutcome>;
  /**
   * Compares and writes in one step. The first version of a key is 1, or one above every version that a deleted project of
   * this key had; each later version is one more. Earlier versions stay. A write whose expectation holds is still not
   * carried out when its bytes exceed what the account may store. Resolves when the write is durable. Writes of one key are
   * carried out in the order of the calls.
   *
   * With `repeat`, a write whose key is known is not carried out, whatever it expects (`repeated`). Otherwise its key is kept
   * in the same step as what it writes, and only when it writes.
   */
  writePublicState(key: PublicStateKey, expected: Expectation, next: NewPublicState): Promise<WriteOutcome>;
  /** Those among the next projects that keep some versions only, after a position that is opaque; null begins and ends. */
  listBoundedHistories(
    after: string | null,
  ): Awaitable<{ readonly projects: readonly BoundedHistory[]; readonly next: string | null }>;
  /**
   * Drops some of the oldest versions that are not kept any more, and returns how many; 0: no more can go now. The current version stays,
   * and so does what a version that is kept is stored as edits of.
   */
  dropPublicStateVersions(key: PublicStateKey, keeps: VersionRetention): Promise<number>;
}
