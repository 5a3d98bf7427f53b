import type { AnyHoldfastError } from '../errors.ts';

/** What listeners receive. `Missing` is `state` without a document: null, or never with defaults. */
export interface Snapshot<State, Missing = null> {
  /** Null without a document and defaults. Do not change it: listeners share it. */
  readonly state: State | Missing;
  /** Null if no document exists, or none is known yet. */
  readonly version: number | null;
  /** Whether it is the cached document or the defaults. The confirmed one follows when the service can be reached. */
  readonly stale: boolean;
}

/** What is there while nothing is known: undefined, or never with defaults. */
export type Unknown<Missing> = Missing extends null ? undefined : never;

/** Options of subscriptions. */
export interface SubscribeOptions {
  /** Ends the subscription. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called when the service refuses the subscription, which then ends, and for each document that does not fit the schema, which is
   * skipped. Responses of a proxy are ignored.
   */
  readonly onError?: ((error: AnyHoldfastError) => void) | undefined;
}
