import type { PatchOperation } from './patch-operation.ts';

/** A version of public state. */
export interface PublicRecord<State> {
  readonly version: number;
  readonly state: State;
  readonly comment: string | null;
  readonly stateSizeBytes: number;
  /** Whether it comes from the cache because the service could not be reached. A newer version may exist. */
  readonly stale: boolean;
}

/** A version of user state. */
export interface UserRecord<State> {
  readonly version: number;
  readonly state: State;
  /** Whether it comes from the cache because the service could not be reached. A newer version may exist. */
  readonly stale: boolean;
}

/** A version in the history of public state. */
export interface HistoryItem {
  readonly version: number;
  readonly comment: string | null;
  readonly stateSizeBytes: number;
  readonly createdAt: string;
  readonly author:
    | { readonly kind: 'api_key'; readonly id: string; readonly name: string }
    /** The current name; null if there is none, and for a reader with an API key. */
    | { readonly kind: 'developer' | 'service_account'; readonly id: string; readonly name: string | null }
    | null;
}

/** A page of versions; `cursor` leads to the next page. */
export interface HistoryPage {
  readonly items: readonly HistoryItem[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
}

export type { PatchOperation };
