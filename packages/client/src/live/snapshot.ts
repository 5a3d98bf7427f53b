import type { AnyHoldfastError } from '../errors.ts';

/** What a listener receives. `Missing` is what `state` is when there is no document: null, or never with defaults. */
export interface Snapshot<State, Missing = null> {
  /** Null when there is no document and no defaults. Do not change it: listeners share it. */
  readonly state: State | Missing;
  /** Null when there is no document, or none is known yet. */
  readonly version: number | null;
  /** Whether the service has not confirmed it: it is the cached document or the defaults. A newer one follows when the service can be reached. */
  readonly stale: boolean;
}

/** What is there while nothing is known: undefined, or never with defaults. */
export type Unknown<Missing> = Missing extends null ? undefined : never;

/** What ends a subscription. */
export interface SubscribeOptions {
  /** Ends the subscription when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called when the service refuses the subscription, which then ends, and for each document that does not fit the schema, which is
   * left out. A response of a proxy is not a refusal: the subscription continues.
   */
  readonly onError?: ((error: AnyHoldfastError) => void) | undefined;
}
