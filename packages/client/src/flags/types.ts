/** Parameters of flags, and what flags need of a client. */
import type { Auth } from '../auth/auth.ts';
import type { AnyHoldfastError } from '../errors.ts';
import type { CallOptions } from '../limits.ts';
import type { Feed } from '../live/feed.ts';
import type { Cache } from '../offline/cache.ts';
import type { FlagValues } from './values.ts';

/** Values for flag rules. For a signed-in player, `targetingKey` is always the player's id. */
export interface FlagContext {
  /** Identifies the player. Percentage splits depend on it. */
  readonly targetingKey?: string | undefined;
  readonly [name: string]: unknown;
}

/** Options of {@link Flags.subscribe}. */
export interface FlagOptions {
  readonly context?: FlagContext;
  /** Ends the subscription. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called when the service refuses; the subscription resumes when somebody else signs in. Called with `network_error` when the code of
   * flags could not be loaded, which ends the subscription.
   */
  readonly onError?: ((error: AnyHoldfastError) => void) | undefined;
  /** After a change, each client asks again at a random time within so many milliseconds, and no more often; 10,000 unless given. */
  readonly spreadMs?: number | undefined;
}

/** Feature flags in public state. The service evaluates them. */
export interface Flags {
  /** Evaluates all flags for a context, once. If the service cannot be reached, the result comes from the cache and is `stale`. */
  evaluate(context?: FlagContext, options?: CallOptions): Promise<FlagValues>;
  /**
   * Calls the listener with all flags for a context, first from the cache if possible, and again when a flag has changed. It follows the
   * stream of public state, or asks each minute if the credential does not allow that. Returns a function that ends the subscription.
   */
  subscribe(listener: (values: FlagValues) => void, options?: FlagOptions): () => void;
}

/** What flags need of a client. */
export interface FlagParts {
  /** The options of the client. */
  readonly options: {
    readonly baseUrl: string;
    readonly cache?: Cache;
    readonly timeoutMs?: number;
    readonly fetch?: typeof fetch;
    readonly schema?: { readonly publicState?: unknown };
    readonly defaults?: { readonly publicState?: unknown };
  };
  /** The path of the evaluation. */
  readonly path: string;
  /** The credential of the player. */
  readonly auth: Auth;
  /** The credential for public state. */
  readonly reader: Auth;
  /** The changes of public state. */
  readonly feed: Pick<Feed<Record<string, unknown>>, 'subscribe'>;
}
