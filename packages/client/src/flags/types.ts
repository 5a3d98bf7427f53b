/** What flags are asked with, and what they need of a client. */
import type { Auth } from '../auth/auth.ts';
import type { AnyHoldfastError } from '../errors.ts';
import type { CallOptions } from '../limits.ts';
import type { Feed } from '../live/feed.ts';
import type { Cache } from '../offline/cache.ts';
import type { FlagValues } from './values.ts';

/** What the rules of the flags can look at. For a player who is signed in, the service takes the player's id as `targetingKey`. */
export interface FlagContext {
  /** Whom the flags are evaluated for: splits by percentage go by it. */
  readonly targetingKey?: string | undefined;
  readonly [name: string]: unknown;
}

/** What {@link Flags.subscribe} takes. */
export interface FlagOptions {
  readonly context?: FlagContext;
  /** Ends the subscription when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Called when the service refuses. The subscription begins again when somebody else signs in. */
  readonly onError?: ((error: AnyHoldfastError) => void) | undefined;
  /**
   * After a change of the document, each client asks again at a random time within so many milliseconds, so that not all of them ask at
   * once, and no more often than that; 10,000 unless given.
   */
  readonly spreadMs?: number | undefined;
}

/** Feature flags in public state, evaluated by the service. */
export interface Flags {
  /** Evaluates all flags for a context, once. If the service cannot be reached, the result is from the cache, and `stale`. */
  evaluate(context?: FlagContext, options?: CallOptions): Promise<FlagValues>;
  /**
   * Calls the listener with all flags for a context, from the cache if they are there, and again when one of them has changed. It learns
   * of changes by the stream of public state, or asks each minute if the credential does not allow that. Returns a function that ends
   * the subscription.
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
  /** Who plays. */
  readonly auth: Auth;
  /** Who reads public state. */
  readonly reader: Auth;
  /** The changes of public state. */
  readonly feed: Pick<Feed<Record<string, unknown>>, 'subscribe'>;
}
