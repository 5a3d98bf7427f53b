import type { Owner } from '../auth/owner.ts';
import type { Internals } from '../documents/document.ts';
import type { Cache } from '../offline/cache.ts';
import type { StandardSchema } from '../schema.ts';
import type { Endpoint } from './connection.ts';
import type { Snapshot, SubscribeOptions } from './snapshot.ts';

/** The document to follow, and its address. */
export interface FeedOptions<State> {
  readonly endpoint: Endpoint;
  readonly document: Internals<State>;
  readonly schema: StandardSchema<State> | undefined;
  readonly cache: Cache | undefined;
}

/** From the start of listening until it ends or somebody else signs in. */
export interface Run {
  readonly signal: AbortSignal;
  abort(): void;
  /** The user; null until known. */
  owner: Owner;
}

/** Receives the snapshots of a document. */
export interface Listener<State> {
  readonly tell: (snapshot: Snapshot<State>) => void;
  readonly onError: SubscribeOptions['onError'];
}
