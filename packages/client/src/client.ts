import { type AccessTokenOptions, type ApiKeyOptions, type Auth, accessTokenAuth, apiKeyAuth } from './auth/auth.ts';
import { createGuest, type GuestAuth, type GuestOptions } from './auth/guest.ts';
import { createAuth, type SignInAuth, type SignInOptions } from './auth/sign-in.ts';
import { createUpgradableGuest, type UpgradableAuth, type UpgradableGuestOptions } from './auth/upgrade.ts';
import { type Internals, internals } from './documents/document.ts';
import { createPublicState, type PublicState } from './documents/public-state.ts';
import type { UserRecord } from './documents/records.ts';
import { createSharedState } from './documents/shared-state.ts';
import type { UserState } from './documents/user-state.ts';
import { Feed, type Snapshot, type SubscribeOptions } from './live/feed.ts';
import type { Cache } from './offline/cache.ts';
import type { StandardSchema } from './schema.ts';
import { baseUrlOf, fetchOf, invalid, segmentOf } from './service.ts';
import { createTransport } from './transport.ts';

/** The types of the two documents. */
export interface Types {
  readonly publicState?: unknown;
  readonly userState?: unknown;
}

type PublicOf<T extends Types> = T extends { readonly publicState: infer State } ? State : Record<string, unknown>;
type UserOf<T extends Types> = T extends { readonly userState: infer State } ? State : Record<string, unknown>;

/** The service and the documents that a client is for. */
export interface StateClientOptions<T extends Types = Types> {
  readonly baseUrl: string;
  readonly accountId: string;
  readonly project: string;
  readonly environment: 'development' | 'staging' | 'production';
  /** An API key, an access token, or what {@link createAuth} returns. */
  readonly auth: ApiKeyOptions | AccessTokenOptions | Auth;
  /** Documents are checked against these when they are read, and before they are written. */
  readonly schema?: {
    readonly publicState?: StandardSchema<PublicOf<T>>;
    readonly userState?: StandardSchema<UserOf<T>>;
  };
  /** How long a call may take; 30 seconds unless given here or in the call. */
  readonly timeoutMs?: number;
  /** Keeps documents for when the service cannot be reached: {@link offlineCache}. */
  readonly cache?: Cache;
  /** Instead of the `fetch` of the runtime. */
  readonly fetch?: typeof fetch;
}

/** What {@link createStateClient} returns. */
export interface StateClient<T extends Types = Types> {
  readonly publicState: PublicState<PublicOf<T>>;
  readonly userState: UserState<UserOf<T>>;
  readonly auth: Auth;
}

/** {@link createClient}: as those of {@link createStateClient}, and `auth` can be the options of sign-in, or those of a guest. */
export interface ClientOptions<T extends Types = Types> extends Omit<StateClientOptions<T>, 'auth'> {
  readonly auth: StateClientOptions['auth'] | SignInOptions | GuestOptions | UpgradableGuestOptions;
  /** Public state is read with this key of the project, whoever is signed in: players may not read it with their tokens. */
  readonly publishableKey?: string;
}

/** Subscriptions to changes as they happen. */
export interface Subscribable<State> {
  /**
   * Calls the listener with the document, from the cache when there is one, and then with every version in order. All
   * listeners of a document share one stream, those in other tabs too. It connects again by itself, and pauses while the
   * page is hidden or there is no connection. Returns a function that ends the subscription.
   */
  subscribe(listener: (snapshot: Snapshot<State>) => void, options?: SubscribeOptions): () => void;
}

/** What {@link createClient} returns. */
export interface Client<T extends Types = Types, A extends Auth = Auth> {
  readonly publicState: PublicState<PublicOf<T>> & Subscribable<PublicOf<T>>;
  readonly userState: UserState<UserOf<T>> & Subscribable<UserOf<T>>;
  readonly auth: A;
  /** Names the service, project and environment. */
  readonly id: string;
}

/**
 * A client for state only, and the smallest one: it has no subscriptions, and sign-in only if you pass an `auth` that has it. Throws
 * `invalid_request` when an option is missing.
 */
export function createStateClient<T extends Types = Types>(options: StateClientOptions<T>): StateClient<T> {
  const baseUrl = baseUrlOf(options?.baseUrl);
  const { schema, cache, timeoutMs } = options;
  const fetch = fetchOf(options.fetch);
  const auth = authOf(options.auth);
  const transport = createTransport({ baseUrl, auth, fetch });
  const [publicPath, userPath] = [pathOf(options, 'public'), pathOf(options, 'user')];
  const send = cache ? cache.wrap(transport, auth, baseUrl, [publicPath, userPath]) : transport;
  const common = { auth, send, timeoutMs };
  const publicState = createPublicState({ ...common, path: publicPath, schema: schema?.publicState });
  const userState = createSharedState<UserOf<T>, UserRecord<UserOf<T>>>({
    ...common,
    path: userPath,
    schema: schema?.userState,
  });
  return { publicState, userState, auth };
}

const pathOf = ({ accountId, project, environment }: Omit<StateClientOptions, 'auth' | 'schema'>, kind: string): string =>
  `/v1/${segmentOf('accountId', accountId)}/projects/${segmentOf('project', project)}/${kind}-state/${segmentOf('environment', environment)}`;

function authOf(given: StateClientOptions['auth']): Auth {
  if (typeof given !== 'object' || given === null) throw invalid('auth has to say who the client acts for');
  if ('apiKey' in given) return apiKeyAuth(given);
  return 'accessToken' in given && !('authorization' in given) ? accessTokenAuth(given) : (given as Auth);
}

/** Makes an `auth` of the options of sign-in or of a guest. */
function authFor<T extends Types>(options: ClientOptions<T>, given: ClientOptions<T>['auth']): StateClientOptions['auth'] {
  if (given && 'guest' in given) {
    return 'redirectUri' in given ? createUpgradableGuest({ ...options, ...given }) : createGuest({ ...options, ...given });
  }
  return given && 'redirectUri' in given ? createAuth({ ...options, ...given }) : given;
}

/** A client for everything: state, sign-in and changes as they happen. Throws `invalid_request` when an option is missing. */
export function createClient<T extends Types = Types>(
  options: ClientOptions<T> & { readonly auth: UpgradableGuestOptions | UpgradableAuth },
): Client<T, UpgradableAuth>;
export function createClient<T extends Types = Types>(
  options: ClientOptions<T> & { readonly auth: SignInOptions | SignInAuth },
): Client<T, SignInAuth>;
export function createClient<T extends Types = Types>(
  options: ClientOptions<T> & { readonly auth: GuestOptions | GuestAuth },
): Client<T, GuestAuth>;
export function createClient<T extends Types = Types>(options: ClientOptions<T>): Client<T>;
export function createClient<T extends Types = Types>(options: ClientOptions<T>): Client<T> {
  const baseUrl = baseUrlOf(options?.baseUrl);
  const { auth: given, publishableKey, schema, cache } = options;
  const fetch = fetchOf(options.fetch);
  const state = createStateClient<T>({ ...options, auth: authFor(options, given) });
  const { userState, auth } = state;
  const shared =
    publishableKey === undefined ? state : createStateClient<T>({ ...options, auth: { apiKey: publishableKey } });
  const { publicState } = shared;
  const feedOf = <State>(
    kind: string,
    document: Internals<State>,
    fitting: StandardSchema<State> | undefined,
  ): Feed<State> => {
    const url = `${baseUrl}${pathOf(options, kind)}/changes`;
    const feed = new Feed({ endpoint: { url, fetch }, document, schema: fitting, cache });
    document[internals].auth.onChange(() => feed.restart());
    return feed;
  };
  const publicFeed = feedOf('public', publicState, schema?.publicState);
  const userFeed = feedOf('user', userState, schema?.userState);
  return {
    publicState: { ...publicState, subscribe: (listener, more) => publicFeed.subscribe(listener, more) },
    userState: { ...userState, subscribe: (listener, more) => userFeed.subscribe(listener, more) },
    auth,
    id: [options.baseUrl, options.accountId, options.project, options.environment].join(' '),
  };
}
