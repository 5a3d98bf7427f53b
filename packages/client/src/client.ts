import { type AccessTokenOptions, type ApiKeyOptions, type Auth, accessTokenAuth, apiKeyAuth } from './auth/auth.ts';
import { createGuest, type GuestAuth, type GuestOptions } from './auth/guest.ts';
import { createAuth, type SignInAuth, type SignInOptions } from './auth/sign-in.ts';
import { createUpgradableGuest, type UpgradableAuth, type UpgradableGuestOptions } from './auth/upgrade.ts';
import { type Internals, internals } from './documents/document.ts';
import { createPublicState, type PublicState } from './documents/public-state.ts';
import type { UserRecord } from './documents/records.ts';
import { createSharedState } from './documents/shared-state.ts';
import type { UserState } from './documents/user-state.ts';
import { flagsOf } from './flags/flags.ts';
import type { Flags } from './flags/types.ts';
import { Feed, type Snapshot, type SubscribeOptions } from './live/feed.ts';
import type { Cache } from './offline/cache.ts';
import { placeOfKey } from './place.ts';
import type { StandardSchema } from './schema.ts';
import { baseUrlOf, fetchOf, invalid, segmentOf } from './service.ts';
import { createTransport } from './transport.ts';
import type { PublicInput, PublicOf, Schemas, Types, UserInput, UserOf } from './types.ts';

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
export interface Client<T extends Types = Types, A extends Auth = Auth, I extends Types = Types> {
  readonly publicState: PublicState<PublicOf<T>, PublicInput<T, I>> & Subscribable<PublicOf<T>>;
  readonly userState: UserState<UserOf<T>, UserInput<T, I>> & Subscribable<UserOf<T>>;
  readonly auth: A;
  /** Feature flags in public state. */
  readonly flags: Flags;
  /** Names the service, project and environment. */
  readonly id: string;
}

/**
 * A client for state only, and the smallest one: it has no subscriptions, and sign-in only if you pass an `auth` that has it. Throws
 * `invalid_request` when an option is missing.
 */
export function createStateClient<T extends Types = Types, I extends Types = Types>(
  options: StateClientOptions<T, I>,
): StateClient<T, I>;
export function createStateClient(options: StateClientOptions): StateClient {
  const baseUrl = baseUrlOf(options?.baseUrl);
  const { cache, timeoutMs } = options;
  const fetch = fetchOf(options.fetch);
  const auth = authOfAny(options.auth);
  const transport = createTransport({ baseUrl, auth, fetch });
  const [publicPath, userPath] = [pathOf(options, 'public'), pathOf(options, 'user')];
  const send = cache ? cache.wrap(transport, auth, baseUrl, [publicPath, userPath]) : transport;
  const common = { auth, send, timeoutMs };
  const schema = schemasOf(options);
  const publicState = createPublicState({ ...common, path: publicPath, schema: schema.publicState });
  const userState = createSharedState<Any, UserRecord<Any>>({ ...common, path: userPath, schema: schema.userState });
  return { publicState, userState, auth };
}

/** A document whose type does not matter here. */
type Any = Record<string, unknown>;

/** Schemas whose types do not matter here: what they return is an object of JSON, or is refused before it is written. */
const schemasOf = ({ schema = {} }: Pick<StateClientOptions, 'schema'>) =>
  schema as { readonly [Name in 'publicState' | 'userState']?: StandardSchema<Any> };

const pathOf = ({ accountId, project, environment }: Omit<StateClientOptions, 'auth' | 'schema'>, kind: string): string =>
  `/v1/${segmentOf('accountId', accountId)}/projects/${segmentOf('project', project)}/${kind}-state/${segmentOf('environment', environment)}`;

function authOfAny(given: StateClientOptions['auth']): Auth {
  if (typeof given !== 'object' || given === null) throw invalid('auth has to say who the client acts for');
  if ('apiKey' in given) return apiKeyAuth(given);
  return 'accessToken' in given && !('authorization' in given) ? accessTokenAuth(given) : (given as Auth);
}

/** Makes an `auth` of the options of sign-in or of a guest. */
function authFor(options: ClientOptions, given: ClientOptions['auth']): StateClientOptions['auth'] {
  if (given && 'guest' in given) {
    return 'redirectUri' in given ? createUpgradableGuest({ ...options, ...given }) : createGuest({ ...options, ...given });
  }
  return given && 'redirectUri' in given ? createAuth({ ...options, ...given }) : given;
}

/** What {@link createClient} takes beside the address of the service and a key. */
export interface KeyedOptions<T extends Types = Types, I extends Types = Types>
  extends Omit<ClientOptions<T, I>, 'baseUrl' | 'accountId' | 'project' | 'environment' | 'publishableKey' | 'auth'> {
  /** Needed when the key reaches several environments, and you do not mean production. */
  readonly environment?: StateClientOptions['environment'];
  /** Who plays. Without it, the client reads with the key. */
  readonly auth?: ClientOptions['auth'];
}

/**
 * A client for everything: state, sign-in and changes as they happen. It takes either all options, or the address of the service and a
 * publishable key: the service says which project the key belongs to, and that is kept. Throws `invalid_request` when an option is missing.
 */
export function createClient<T extends Types = Types, I extends Types = Types>(
  options: ClientOptions<T, I> & { readonly auth: UpgradableGuestOptions | UpgradableAuth },
): Client<T, UpgradableAuth, I>;
export function createClient<T extends Types = Types, I extends Types = Types>(
  options: ClientOptions<T, I> & { readonly auth: SignInOptions | SignInAuth },
): Client<T, SignInAuth, I>;
export function createClient<T extends Types = Types, I extends Types = Types>(
  options: ClientOptions<T, I> & { readonly auth: GuestOptions | GuestAuth },
): Client<T, GuestAuth, I>;
export function createClient<T extends Types = Types, I extends Types = Types>(
  options: ClientOptions<T, I>,
): Client<T, Auth, I>;
export function createClient<T extends Types = Types, I extends Types = Types>(
  baseUrl: string,
  publishableKey: string,
  options: KeyedOptions<T, I> & { readonly auth: UpgradableGuestOptions | UpgradableAuth },
): Client<T, UpgradableAuth, I>;
export function createClient<T extends Types = Types, I extends Types = Types>(
  baseUrl: string,
  publishableKey: string,
  options: KeyedOptions<T, I> & { readonly auth: SignInOptions | SignInAuth },
): Client<T, SignInAuth, I>;
export function createClient<T extends Types = Types, I extends Types = Types>(
  baseUrl: string,
  publishableKey: string,
  options: KeyedOptions<T, I> & { readonly auth: GuestOptions | GuestAuth },
): Client<T, GuestAuth, I>;
export function createClient<T extends Types = Types, I extends Types = Types>(
  baseUrl: string,
  publishableKey: string,
  options?: KeyedOptions<T, I>,
): Client<T, Auth, I>;
export function createClient(given: ClientOptions | string, key = '', more: KeyedOptions = {}): Client {
  const options = typeof given === 'string' ? keyed(given, key, more) : given;
  const baseUrl = baseUrlOf(options?.baseUrl);
  const { publishableKey, cache } = options;
  const schema = schemasOf(options);
  const fetch = fetchOf(options.fetch);
  const state = createStateClient({ ...options, auth: authFor(options, options.auth) });
  const { userState, auth } = state;
  const shared = publishableKey === undefined ? state : createStateClient({ ...options, auth: { apiKey: publishableKey } });
  const { publicState } = shared;
  const feedOf = (kind: string, document: Internals<Any>, fitting: StandardSchema<Any> | undefined): Feed<Any> => {
    const url = `${baseUrl}${pathOf(options, kind)}/changes`;
    const feed = new Feed({ endpoint: { url, fetch }, document, schema: fitting, cache });
    document[internals].auth.onChange(() => feed.restart());
    return feed;
  };
  const publicFeed = feedOf('public', publicState, schema.publicState);
  const userFeed = feedOf('user', userState, schema.userState);
  return {
    publicState: { ...publicState, subscribe: (listener, more) => publicFeed.subscribe(listener, more) },
    userState: { ...userState, subscribe: (listener, more) => userFeed.subscribe(listener, more) },
    auth,
    flags: flagsOf({
      options,
      path: `${pathOf(options, 'public')}/ofrep/v1/evaluate/flags`,
      auth,
      reader: shared.auth,
      feed: publicFeed,
    }),
    id: [options.baseUrl, options.accountId, options.project, options.environment].join(' '),
  };
}

/** The options of a client of whichever project a key belongs to. */
function keyed(baseUrl: string, key: string, more: KeyedOptions): ClientOptions {
  const { options, authOf } = placeOfKey(baseUrl, key, more);
  const { auth = { apiKey: key } } = more;
  const isSignIn = 'guest' in auth || 'redirectUri' in auth;
  return {
    ...more,
    ...options,
    auth: isSignIn ? authOf((place) => authOfAny(authFor({ ...more, ...place, baseUrl, auth }, auth))) : auth,
  };
}
