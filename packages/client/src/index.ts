/**
 * For browsers, Node, Deno, Bun, Cloudflare Workers, React Native and service workers.
 *
 * @packageDocumentation
 */
export type { AccessTokenOptions, ApiKeyOptions, Auth } from './auth/auth.ts';
export type { User } from './auth/claims.ts';
export { createGuest, type GuestAuth, type GuestAuthOptions, type GuestOptions } from './auth/guest.ts';
export type { Merged, MergeFailure, MergeSaves, Save } from './auth/merge.ts';
export {
  type AuthOptions,
  createAuth,
  type SignedIn,
  type SignInAuth,
  type SignInOptions,
  type SignInRequest,
} from './auth/sign-in.ts';
export {
  createUpgradableGuest,
  type UpgradableAuth,
  type UpgradableAuthOptions,
  type UpgradableGuestOptions,
} from './auth/upgrade.ts';
export { createClient, createStateClient } from './client.ts';
export type {
  Client,
  ClientOptions,
  KeyedOptions,
  StateClient,
  StateClientOptions,
  Subscribable,
} from './client-types.ts';
export type { Change, UpdateOptions } from './documents/document.ts';
export type { PublicState, PublicUpdateOptions, WriteOptions } from './documents/public-state.ts';
export type { HistoryItem, HistoryPage, PatchOperation, PublicRecord, UserRecord } from './documents/records.ts';
export type { UserState } from './documents/user-state.ts';
export {
  type AnyHoldfastError,
  type ClientErrorCode,
  HoldfastError,
  type HoldfastErrorCode,
  isHoldfastError,
  type QuotaErrorCode,
  type ServiceErrorCode,
  type SignInErrorCode,
  type Violation,
} from './errors.ts';
export type { FlagContext, FlagOptions, Flags } from './flags/types.ts';
export type { Flag, FlagValues } from './flags/values.ts';
export type { CallOptions } from './limits.ts';
export type { Snapshot, SubscribeOptions } from './live/feed.ts';
export { type Cache, type CacheOptions, offlineCache } from './offline/cache.ts';
export { indexedDbStorage } from './offline/indexed-db.ts';
export { defineMutators, type Mutator, type Mutators, type VersionedMutator } from './offline/mutators.ts';
export { openQueue } from './offline/queue.ts';
export type { QueuedChange } from './offline/queue-list.ts';
export type { Queue, Queued, QueueOptions } from './offline/queue-types.ts';
export type { QueueView } from './offline/queue-view.ts';
export type { Settled } from './offline/settled.ts';
export type { StandardSchema } from './schema.ts';
export { browserStorage, memoryStorage, type TextStorage } from './storage.ts';
export type { Defaults, Schemas, Types } from './types.ts';
