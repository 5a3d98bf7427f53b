/** Records of public state: every version of one document for each environment. */
import type { Environment, HistorySetting } from '@holdfast/contract';
import type { TextEdit, ValueEnds } from '@holdfast/json';
import type { Author, ChangedBy } from './audit.ts';
import type { ProjectKey } from './projects.ts';
import type { ApplicationRefused, ProposalWrite } from './proposal-application.ts';
import type { Repeat, Repeated } from './repeats.ts';
import type { QuotaReached } from './usage.ts';
import type { SubscriberIds } from './webhooks.ts';

export type { Author } from './audit.ts';

/** Which earlier versions of a document are kept. The store has no other retention rule. */
export interface VersionRetention {
  readonly versionsMax: number;
  /** Versions replaced at this time or earlier are not kept. */
  readonly keptAfter: number;
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
  readonly edits?: readonly TextEdit[] | undefined;
  readonly ends?: ValueEnds | undefined;
  readonly comment: string | null;
  readonly writtenAt: number;
  /** The author, stored with the version; null if unknown. */
  readonly author: Author | null;
  /** Set if the client may send the write again. */
  readonly repeat?: Repeat | undefined;
  /** Set if the audit trail records the write, in the same step. */
  readonly by?: ChangedBy | undefined;
  /** The webhooks that subscribe to the write as far as the caller knows, if any. Their events are stored in the same step. */
  readonly subscribers?: SubscriberIds | undefined;
  /** The proposal that this version applies or reverts, which is recorded in the same step. */
  readonly application?: ProposalWrite | undefined;
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
