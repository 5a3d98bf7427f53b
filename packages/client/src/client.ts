import { type Auth, accessTokenAuth, apiKeyAuth } from './auth/auth.ts';
import { createGuest, type GuestAuth, type GuestOptions } from './auth/guest.ts';
import { createAuth, type SignInAuth, type SignInOptions } from './auth/sign-in.ts';
import { createUpgradableGuest, type UpgradableAuth, type UpgradableGuestOptions } from './auth/upgrade.ts';
import type {
  Client,
  ClientOptions,
  Given,
  HasAuth,
  HasDefaults,
  KeyedOptions,
  StateClient,
  StateClientOptions,
  Subscribable,
} from './client-types.ts';
import { type Internals, internals } from './documents/document.ts';
import { createPublicState } from './documents/public-state.ts';
import type { UserRecord } from './documents/records.ts';
import { createSharedState } from './documents/shared-state.ts';
import { isObject } from './exact.ts';
import { flagsOf } from './flags/flags.ts';
import { Feed } from './live/feed.ts';
import { placeOfKey } from './place.ts';
import type { StandardSchema } from './schema.ts';
import { baseUrlOf, fetchOf, invalid, segmentOf } from './service.ts';
import { createTransport } from './transport.ts';
import type { Types } from './types.ts';

/**
 * The smallest client: state without subscriptions or flags. It signs in only with an `auth` that can. Throws `invalid_request` when an
 * option is missing.
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

/** Schemas whose types do not matter here: they return a JSON object, or the write is refused. */
const schemasOf = ({ schema = {} }: Pick<StateClientOptions, 'schema'>) =>
  schema as { readonly [Name in 'publicState' | 'userState']?: StandardSchema<Any> };

const pathOf = ({ accountId, project, environment }: Omit<StateClientOptions, 'auth' | 'schema'>, kind: string): string =>
  `/v1/${segmentOf('accountId', accountId)}/projects/${segmentOf('project', project)}/${kind}-state/${segmentOf('environment', environment)}`;

function authOfAny(given: StateClientOptions['auth']): Auth {
  if (typeof given !== 'object' || given === null) throw invalid('auth has to say who the client acts for');
  if ('apiKey' in given) return apiKeyAuth(given);
  return 'accessToken' in given && !('authorization' in given) ? accessTokenAuth(given) : (given as Auth);
}

/** Creates an `auth` from the options of sign-in or of a guest. */
function authFor(options: ClientOptions, given: ClientOptions['auth']): StateClientOptions['auth'] {
  if (given && 'guest' in given) {
    return 'redirectUri' in given ? createUpgradableGuest({ ...options, ...given }) : createGuest({ ...options, ...given });
  }
  return given && 'redirectUri' in given ? createAuth({ ...options, ...given }) : given;
}

/**
 * The full client: state, subscriptions, flags and sign-in. Pass all options, or the service's address and a publishable key: the client
 * then asks for the key's project and stores the response. The client's `auth` has the type of the given one, or of the one that its
 * options create. With `defaults`, `Missing` is never. Throws `invalid_request` when an option is missing.
 */
export function createClient<T extends Types = Types, I extends Types = Types>(
  ...given: Given<T, I, HasDefaults & HasAuth<UpgradableGuestOptions | UpgradableAuth>>
): Client<T, UpgradableAuth, I, never>;
export function createClient<T extends Types = Types, I extends Types = Types>(
  ...given: Given<T, I, HasDefaults & HasAuth<SignInOptions | SignInAuth>>
): Client<T, SignInAuth, I, never>;
export function createClient<T extends Types = Types, I extends Types = Types>(
  ...given: Given<T, I, HasDefaults & HasAuth<GuestOptions | GuestAuth>>
): Client<T, GuestAuth, I, never>;
export function createClient<T extends Types = Types, I extends Types = Types>(
  ...given: Given<T, I, HasDefaults>
): Client<T, Auth, I, never>;
export function createClient<T extends Types = Types, I extends Types = Types>(
  ...given: Given<T, I, HasAuth<UpgradableGuestOptions | UpgradableAuth>>
): Client<T, UpgradableAuth, I, null>;
export function createClient<T extends Types = Types, I extends Types = Types>(
  ...given: Given<T, I, HasAuth<SignInOptions | SignInAuth>>
): Client<T, SignInAuth, I, null>;
export function createClient<T extends Types = Types, I extends Types = Types>(
  ...given: Given<T, I, HasAuth<GuestOptions | GuestAuth>>
): Client<T, GuestAuth, I, null>;
export function createClient<T extends Types = Types, I extends Types = Types>(
  options: ClientOptions<T, I>,
): Client<T, Auth, I, null>;
export function createClient<T extends Types = Types, I extends Types = Types>(
  baseUrl: string,
  publishableKey: string,
  options?: KeyedOptions<T, I>,
): Client<T, Auth, I, null>;
export function createClient(given: ClientOptions | string, key = '', more: KeyedOptions = {}): Client {
  const options = typeof given === 'string' ? keyed(given, key, more) : given;
  const baseUrl = baseUrlOf(options?.baseUrl);
  const { publishableKey, cache } = options;
  const schema = schemasOf(options);
  const fetch = fetchOf(options.fetch);
  const state = createStateClient({ ...options, auth: authFor(options, options.auth) });
  const { auth } = state;
  const shared = publishableKey === undefined ? state : createStateClient({ ...options, auth: { apiKey: publishableKey } });
  const feeds: Feed<Any>[] = [];
  const live = <Document extends Internals<Any>>(
    kind: string,
    given: Document,
    fitting: StandardSchema<Any> | undefined,
    defaults?: Any,
  ): Document & Subscribable<Any> => {
    const document = { ...given, [internals]: { ...given[internals], defaults } };
    const url = `${baseUrl}${pathOf(options, kind)}/changes`;
    const feed = new Feed<Any>({ endpoint: { url, fetch }, document, schema: fitting, cache });
    feeds.push(feed);
    given[internals].auth.onChange(() => feed.restart());
    return {
      ...document,
      subscribe: (listener, more) => feed.subscribe(listener, more),
      current: () => feed.current(),
    };
  };
  const publicState = live('public', shared.publicState, schema.publicState, defaultsOf(options));
  const { flags, close: closeFlags } = flagsOf({
    options,
    path: `${pathOf(options, 'public')}/ofrep/v1/evaluate/flags`,
    auth,
    reader: shared.auth,
    feed: publicState,
  });
  return {
    publicState,
    userState: live('user', state.userState, schema.userState),
    auth,
    flags,
    id: [options.baseUrl, options.accountId, options.project, options.environment].join(' '),
    close() {
      closeFlags();
      for (const feed of feeds) feed.close();
      if (auth !== options.auth) auth.close?.();
    },
  };
}

/** The defaults of public state. Throws `invalid_request` if they are not an object. */
function defaultsOf({ defaults }: ClientOptions): Any | undefined {
  if (defaults !== undefined && !isObject(defaults.publicState))
    throw invalid('defaults has to have publicState: an object');
  return defaults?.publicState;
}

/** The options of a client for the project of a key. */
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
