import type { AnyHoldfastError } from '../errors.ts';

/** What a listener receives. */
export interface Snapshot<State> {
  /** Null when there is no document. Do not change it: listeners share it. */
  readonly state: State | null;
  readonly version: number | null;
  /** Whether it comes from the cache: a newer one follows when the service can be reached. */
  readonly stale: boolean;
}

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
