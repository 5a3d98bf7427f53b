/**
 * This service as a client of an OpenID Connect issuer: bounded discovery, and both halves of the code flow. `openid-client` is loaded for
 * the first such sign-in. Connections are kept for ten minutes, with the issuer's keys.
 *
 * @see OpenID Connect Core 1.0 §3.1, RFC 7636, RFC 9207, RFC 9700 §2.1
 */

import { hash, timingSafeEqual } from 'node:crypto';
import { compactVerify } from 'jose/jws/compact/verify';
import type { Configuration, CustomFetch, IDToken, TokenEndpointResponse } from 'openid-client';
import { keptFor } from '../common/async/kept-for.ts';
import { type Fetch, FetchFault } from '../outbound/fetch.ts';
import { fetchJson, notJson, readBounded } from './fetch-json.ts';
import {
  createProviderKeys,
  type FindKey,
  isOwnMachine,
  isTrustedAddress,
  keysIn,
  ProviderUnavailable,
} from './provider-keys.ts';

const timeoutSeconds = 5;

/** Why a sign-in failed: refused by person or provider, provider unreachable, or a response that proves nothing. */
export type RefusedReason = 'denied' | 'unavailable' | 'invalid';

/** Which addresses requests may reach. */
export interface NetworkAccess {
  readonly fetch: Fetch;
  /** Whether requests may reach this machine, over `http:` too. Addresses that `fetch` connects to are checked elsewhere. */
  readonly mayUseLoopback: boolean;
}

export interface UpstreamClient {
  readonly issuer: string;
  readonly clientId: string;
  /** Left out for a public client. */
  readonly secret: string | null;
}

/** A server that signs people in. */
export interface Connection {
  readonly configuration: Configuration;
  /** Finds the keys of ID tokens. A pure OAuth 2.0 server sends no ID tokens. */
  readonly findKey?: FindKey;
}

/**
 * Returns the connection to an issuer, by discovery. Rejects if its metadata does not arrive within 5 s or belongs to another issuer. ID
 * tokens are checked with its published keys, although they arrive over TLS. The library would keep the keys for a minute even if a token
 * named a new one.
 */
export async function connect(client: UpstreamClient, network: NetworkAccess, now: () => number): Promise<Connection> {
  const configuration = await discover(client, network);
  const fetchKeys = () => readKeys(configuration, network);
  return { configuration, findKey: createProviderKeys({ issuer: client.issuer, now, fetchKeys }) };
}

/** Returns the issuer's configuration by discovery. Rejects if its metadata does not arrive within 5 s or belongs to another issuer. */
export async function discover(
  { issuer, clientId, secret }: UpstreamClient,
  network: NetworkAccess,
): Promise<Configuration> {
  const library = await import('openid-client');
  const { allowInsecureRequests, discovery } = library;
  const execute = network.mayUseLoopback ? [allowInsecureRequests] : [];
  const options = { timeout: timeoutSeconds, execute, [library.customFetch]: boundedFetch(network) };
  return discovery(new URL(issuer), clientId, undefined, authentication(library, secret), options);
}

/** Returns how many keys for ID tokens the issuer publishes. Rejects if they cannot be read. */
export async function countKeys(configuration: Configuration, network: NetworkAccess): Promise<number> {
  return keysIn(await readKeys(configuration, network)).length;
}

async function readKeys(configuration: Configuration, network: NetworkAccess): Promise<unknown> {
  const { jwks_uri: address, issuer } = configuration.serverMetadata();
  if (address === undefined) throw new FetchFault(`the metadata of ${issuer} has no jwks_uri`);
  const bounded = boundedFetch(network);
  return fetchJson(address, (url, init) => bounded(url, init as Parameters<CustomFetch>[1]));
}

/** Returns the connection to an OAuth 2.0 server without discovery. */
export async function configure(
  server: { readonly issuer: string; readonly authorization_endpoint: string; readonly token_endpoint: string },
  { clientId, secret }: Omit<UpstreamClient, 'issuer'>,
  network: NetworkAccess,
): Promise<Connection> {
  const library = await import('openid-client');
  const { ClientSecretPost, Configuration: Configured } = library;
  const configuration = new Configured(server, clientId, undefined, ClientSecretPost(secret ?? ''));
  configuration.timeout = timeoutSeconds;
  configuration[library.customFetch] = boundedFetch(network);
  return { configuration };
}

type Library = typeof import('openid-client');

/** In the body if the issuer says that it accepts that, otherwise in the header, which is the default. */
function authentication({ ClientSecretBasic, ClientSecretPost, None }: Library, secret: string | null) {
  if (secret === null) return None();
  const [post, basic] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  const chosen: typeof post = (server, ...rest) => {
    const takesPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false;
    return (takesPost ? post : basic)(server, ...rest);
  };
  return chosen;
}

/**
 * Metadata may name any address. Requests reach only `https:` addresses and those that `network` adds; redirects are not followed, and
 * responses are bounded.
 */
function boundedFetch({ fetch, mayUseLoopback }: NetworkAccess): CustomFetch {
  return async (url, options) => {
    if (!isTrustedAddress(url) || (!mayUseLoopback && isOwnMachine(String(url)))) {
      throw new FetchFault(`${new URL(url).origin} is not an address that may be requested`);
    }
    const response = await fetch(url, { ...options, redirect: 'manual' } as RequestInit);
    const { status, headers } = response;
    return new Response((await readBounded(response)) || null, { status, headers });
  };
}

/** Needed again when the browser returns. */
export interface CodeFlow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Returns where to send the browser, and the secrets of this flow. Rejects if the issuer has no authorization endpoint. */
export async function beginCodeFlow(
  { configuration }: Connection,
  parameters: Readonly<Record<string, string>>,
): Promise<{ readonly location: string; readonly flow: CodeFlow }> {
  const library = await import('openid-client');
  const flow = {
    state: library.randomState(),
    nonce: library.randomNonce(),
    verifier: library.randomPKCECodeVerifier(),
  };
  const location = library.buildAuthorizationUrl(configuration, {
    ...parameters,
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await library.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
  });
  if (!isTrustedAddress(location.href)) throw new FetchFault(`${location.origin} is not an address to send a browser to`);
  return { location: location.href, flow };
}

/** Returns the state that a browser returned; undefined unless there is exactly one. */
export function stateIn(parameters: URLSearchParams): string | undefined {
  const states = parameters.getAll('state');
  return states.length === 1 ? states[0] : undefined;
}

/** Whether the returned parameters belong to the flow. Takes the same time wherever they differ. */
export function isAnswerTo({ state }: CodeFlow, parameters: URLSearchParams): boolean {
  const hashed = (text: string) => hash('sha256', text, 'buffer');
  const returned = stateIn(parameters);
  return returned !== undefined && timingSafeEqual(hashed(returned), hashed(state));
}

export type Tokens = TokenEndpointResponse & { claims(): IDToken | undefined };

/** Signatures with a published key only: never `none`, and no HMAC, whose only possible key would be a public one. */
const algorithms = [
  ...['RS', 'PS', 'ES'].flatMap((kind) => [256, 384, 512].map((bits) => kind + bits)),
  'EdDSA',
  'Ed25519',
];

/**
 * Exchanges the returned code. Rejects if the parameters are an error or of another issuer, if the code is refused, and if any check of an
 * ID token fails: its claims, its nonce, or its signature by the issuer. A server without keys sends no ID token.
 */
export async function finishCodeFlow(
  { configuration, findKey }: Connection,
  { redirectUri, parameters, flow }: { redirectUri: string; parameters: URLSearchParams; flow: CodeFlow },
): Promise<Tokens> {
  const { authorizationCodeGrant } = await import('openid-client');
  const url = new URL(redirectUri);
  url.search = parameters.toString();
  const tokens = await authorizationCodeGrant(configuration, url, {
    expectedState: flow.state,
    pkceCodeVerifier: flow.verifier,
    ...(findKey && { expectedNonce: flow.nonce, idTokenExpected: true }),
  });
  if (findKey !== undefined) await compactVerify(tokens.id_token as string, findKey, { algorithms });
  return tokens;
}

const denials = new Set(['access_denied', 'user_cancelled_authorize', 'login_required', 'consent_required']);
/** Errors that mean a wrong request. Any unlisted one means that the provider did not sign the person in. */
const faultsOfRequest = new Set([
  'invalid_request',
  'invalid_scope',
  'unsupported_response_type',
  'invalid_request_uri',
  'invalid_request_object',
  'request_not_supported',
  'request_uri_not_supported',
  'registration_not_supported',
]);
const outages = new Set(['server_error', 'temporarily_unavailable', 'invalid_client', 'unauthorized_client']);
/** The issuer sent no response, or an unusable one. */
const outageCodes = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);

/** Whether this is an error of the operating system, which says why a connection failed. */
function isOfSystem(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && typeof fault.code === 'string' && /^E[A-Z]{2,20}$/.test(fault.code);
}

/** Returns why a flow failed. */
export function refusedReason(fault: unknown): RefusedReason {
  const { code, error, cause } = (fault ?? {}) as { code?: unknown; error?: unknown; cause?: unknown };
  if (typeof error === 'string') {
    if (outages.has(error)) return 'unavailable';
    const isUnknown = code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' && !faultsOfRequest.has(error);
    return isUnknown || denials.has(error) ? 'denied' : 'invalid';
  }
  if (fault instanceof ProviderUnavailable || (typeof code === 'string' && outageCodes.has(code))) return 'unavailable';
  // `fetch` fails with a TypeError whose cause says why; a wrong argument has no cause. A stream fails with the system's error.
  const isOfNetwork = (one: unknown) =>
    one instanceof FetchFault || (one instanceof TypeError && one.cause !== undefined) || isOfSystem(one);
  return isOfNetwork(fault) || isOfNetwork(cause) ? 'unavailable' : 'invalid';
}

/**
 * Returns a fault in one line for the log. Leaves out causes, which can hold responses with tokens, and parser messages, which quote them.
 */
export function describeFault(fault: unknown): string {
  if (!(fault instanceof Error)) return 'an unknown fault';
  if (fault instanceof SyntaxError) return notJson;
  const { code, error } = fault as { code?: unknown; error?: unknown };
  const words = [error, code].filter((word) => typeof word === 'string' && /^[\w.-]{1,64}$/.test(word));
  const reason = fault.cause instanceof SyntaxError ? notJson : fault.cause instanceof Error && fault.cause.message;
  const cause = reason ? `: ${reason}` : '';
  return `${fault.message}${words.length > 0 ? ` (${words.join(', ')})` : ''}${cause}`;
}

const ageMillisecondsMax = 10 * 60_000;
/** How soon an unreachable provider is tried again. */
const failurePauseMilliseconds = 1_000;

/** Returns a function that makes a connection with `connect` and keeps it for ten minutes. `now` returns milliseconds since the epoch. */
export function keptConnection(connect: () => Promise<Connection>, now: () => number): () => Promise<Connection> {
  return keptFor(connect, ({ hasFailed }) => (hasFailed ? failurePauseMilliseconds : ageMillisecondsMax), now);
}
