import type { PatchOperation } from './patch-operation.ts';

/** A version of public state. */
export interface PublicRecord<State> {
  readonly version: number;
  readonly state: State;
  readonly comment: string | null;
  readonly stateSizeBytes: number;
  /** Whether it comes from the cache, since the service could not be reached: there may be a newer version. */
  readonly stale: boolean;
}

/** The state of an end user. */
export interface UserRecord<State> {
  readonly version: number;
  readonly state: State;
  /** Whether it comes from the cache, since the service could not be reached: there may be a newer version. */
  readonly stale: boolean;
}

/** A version of public state without its document. */
export interface HistoryItem {
  readonly version: number;
  readonly comment: string | null;
  readonly stateSizeBytes: number;
  readonly createdAt: string;
  readonly author:
    | { readonly kind: 'developer'; readonly id: string }
    | { readonly kind: 'api_key' | 'service_account'; readonly id: string; readonly name: string }
    | null;
}

/** Some of the versions; `cursor` leads to the next page. */
export interface HistoryPage {
  readonly items: readonly HistoryItem[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
}

export type { PatchOperation };
