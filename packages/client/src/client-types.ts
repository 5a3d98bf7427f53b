/** Options and types of clients. */
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

/** The service, project and credential of a client. */
export interface StateClientOptions<T extends Types = Types, I extends Types = Types> {
  readonly baseUrl: string;
  readonly accountId: string;
  readonly project: string;
  readonly environment: 'development' | 'staging' | 'production';
  /** An API key, an access token, or the result of {@link createAuth}. */
  readonly auth: ApiKeyOptions | AccessTokenOptions | Auth;
  /** Check documents when they are read and before they are written, and give their types. */
  readonly schema?: Schemas<T, I>;
  /** Timeout of each call; 30 seconds unless given here or in the call. */
  readonly timeoutMs?: number;
  /** Keeps documents for offline use: {@link offlineCache}. */
  readonly cache?: Cache;
  /** Replaces the runtime's `fetch`. */
  readonly fetch?: typeof fetch;
}

/** What {@link createStateClient} returns. */
export interface StateClient<T extends Types = Types, I extends Types = Types> {
  readonly publicState: PublicState<PublicOf<T>, PublicInput<T, I>>;
  readonly userState: UserState<UserOf<T>, UserInput<T, I>>;
  readonly auth: Auth;
}

/** Options of {@link createClient}. `auth` can also be sign-in or guest options. */
export interface ClientOptions<T extends Types = Types, I extends Types = Types>
  extends Omit<StateClientOptions<T, I>, 'auth'> {
  readonly auth: StateClientOptions['auth'] | SignInOptions | GuestOptions | UpgradableGuestOptions;
  /** Reads public state, whoever is signed in. Player tokens cannot read it. */
  readonly publishableKey?: string;
  /**
   * Shown as public state until the service answers. Afterwards, each top-level member fills in where the document lacks it. Visible in
   * subscriptions and hooks, not in `get`; never written.
   */
  readonly defaults?: Defaults<T>;
}

/** Says of options that they have defaults. */
export interface HasDefaults {
  readonly defaults: { readonly publicState: object };
}

/** Options with a known way to sign in. */
export interface HasAuth<A> {
  readonly auth: A;
}

/** Subscriptions. `Missing` is the state without a document: null, or never with defaults. */
export interface Subscribable<State, Missing = null> {
  /**
   * Calls the listener with the cached document or the defaults, then with every version in order. All listeners of a document share one
   * stream, even across tabs. The stream reconnects automatically, and pauses while the page is hidden or offline. Returns a function that
   * ends the subscription.
   */
  subscribe(listener: (snapshot: Snapshot<State, Missing>) => void, options?: SubscribeOptions): () => void;
  /**
   * Returns what is known without waiting: what listeners got last, otherwise the cached document, the defaults, or undefined. The object
   * stays the same until something changes.
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
  /** Identifies the service, project and environment. */
  readonly id: string;
  /**
   * Ends all subscriptions and channels between tabs, so that a process can exit. Calls still work. An `auth` object that you passed stays
   * open.
   */
  close(): void;
}

/** Options of {@link createClient} with an address and a key. */
export interface KeyedOptions<T extends Types = Types, I extends Types = Types>
  extends Omit<ClientOptions<T, I>, 'baseUrl' | 'accountId' | 'project' | 'environment' | 'publishableKey' | 'auth'> {
  /** Needed when the key has several environments and you do not mean production. */
  readonly environment?: StateClientOptions['environment'];
  /** Without it, the client reads with the key. */
  readonly auth?: ClientOptions['auth'];
}

/** Both forms of the arguments of {@link createClient}, with more specific options. */
export type Given<T extends Types, I extends Types, More> =
  | [options: ClientOptions<T, I> & More]
  | [baseUrl: string, publishableKey: string, options: KeyedOptions<T, I> & More];
