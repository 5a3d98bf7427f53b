/** What clients are made from, and what they are. */
import type { AccessTokenOptions, ApiKeyOptions, Auth } from './auth/auth.ts';
import type { GuestOptions } from './auth/guest.ts';
import type { SignInOptions } from './auth/sign-in.ts';
import type { UpgradableGuestOptions } from './auth/upgrade.ts';
import type { PublicState } from './documents/public-state.ts';
import type { UserState } from './documents/user-state.ts';
import type { Flags } from './flags/types.ts';
import type { Snapshot, SubscribeOptions, Unknown } from './live/snapshot.ts';
import type { Cache } from './offline/cache.ts';
import type { Defaults, PublicInput, PublicOf, Schemas, Types, UserInput, UserOf } from './types.ts';

/** The service and the documents that a client is for. */
export interface StateClientOptions<T extends Types = Types, I extends Types = Types> {
  readonly baseUrl: string;
  readonly accountId: string;
  readonly project: string;
  readonly environment: 'development' | 'staging' | 'production';
  /** An API key, an access token, or what {@link createAuth} returns. */
  readonly auth: ApiKeyOptions | AccessTokenOptions | Auth;
  /** Documents are checked against these when they are read, and before they are written. They also say the types of the documents. */
  readonly schema?: Schemas<T, I>;
  /** How long a call may take; 30 seconds unless given here or in the call. */
  readonly timeoutMs?: number;
  /** Keeps documents for when the service cannot be reached: {@link offlineCache}. */
  readonly cache?: Cache;
  /** Instead of the `fetch` of the runtime. */
  readonly fetch?: typeof fetch;
}

/** What {@link createStateClient} returns. */
export interface StateClient<T extends Types = Types, I extends Types = Types> {
  readonly publicState: PublicState<PublicOf<T>, PublicInput<T, I>>;
  readonly userState: UserState<UserOf<T>, UserInput<T, I>>;
  readonly auth: Auth;
}

/** {@link createClient}: as those of {@link createStateClient}, and `auth` can be the options of sign-in, or those of a guest. */
export interface ClientOptions<T extends Types = Types, I extends Types = Types>
  extends Omit<StateClientOptions<T, I>, 'auth'> {
  readonly auth: StateClientOptions['auth'] | SignInOptions | GuestOptions | UpgradableGuestOptions;
  /** Public state is read with this key of the project, whoever is signed in: players may not read it with their tokens. */
  readonly publishableKey?: string;
  /**
   * What public state shows until the service has answered. Afterwards each of its top-level members shows where the document lacks it.
   * Subscriptions and hooks show it. It is never written, and `get` does not show it.
   */
  readonly defaults?: Defaults<T>;
}

/** Says of options that they have defaults. */
export interface HasDefaults {
  readonly defaults: { readonly publicState: object };
}

/** Subscriptions to changes as they happen. `Missing` is what a state is when there is no document: null, or never with defaults. */
export interface Subscribable<State, Missing = null> {
  /**
   * Calls the listener with the cached document, or the defaults, and then with every version in order. All listeners of a
   * document share one stream, those in other tabs too. It connects again by itself, and pauses while the page is hidden or there
   * is no connection. Returns a function that ends the subscription.
   */
  subscribe(listener: (snapshot: Snapshot<State, Missing>) => void, options?: SubscribeOptions): () => void;
  /**
   * Returns what is known now, without waiting: what the listeners got last, otherwise the cached document, otherwise the defaults.
   * Undefined when nothing is known. It is the same object until something changes.
   */
  current(): Snapshot<State, Missing> | Unknown<Missing>;
}

/** What {@link createClient} returns. */
export interface Client<T extends Types = Types, A extends Auth = Auth, I extends Types = Types, Missing = null> {
  readonly publicState: PublicState<PublicOf<T>, PublicInput<T, I>> & Subscribable<PublicOf<T>, Missing>;
  readonly userState: UserState<UserOf<T>, UserInput<T, I>> & Subscribable<UserOf<T>>;
  readonly auth: A;
  /** Feature flags in public state. */
  readonly flags: Flags;
  /** Names the service, project and environment. */
  readonly id: string;
  /**
   * Ends all subscriptions, and what the client keeps open between tabs, so that a process can end. Calls still work. An `auth` that you
   * passed yourself stays as it is.
   */
  close(): void;
}

/** What {@link createClient} takes beside the address of the service and a key. */
export interface KeyedOptions<T extends Types = Types, I extends Types = Types>
  extends Omit<ClientOptions<T, I>, 'baseUrl' | 'accountId' | 'project' | 'environment' | 'publishableKey' | 'auth'> {
  /** Needed when the key reaches several environments, and you do not mean production. */
  readonly environment?: StateClientOptions['environment'];
  /** Who plays. Without it, the client reads with the key. */
  readonly auth?: ClientOptions['auth'];
}
