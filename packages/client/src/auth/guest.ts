import { HoldfastError, isHoldfastError } from '../errors.ts';
import { tellAll } from '../listeners.ts';
import { baseUrlOf, fetchOf, segmentOf } from '../service.ts';
import type { TextStorage } from '../storage.ts';
import type { Auth } from './auth.ts';
import { type User, userOf } from './claims.ts';
import { type GuestKeys, guestKeys } from './guest-key.ts';
import { checkCrypto, randomText } from './pkce.ts';
import { type TokenResponse, tokenEndpoint } from './token-endpoint.ts';

/** Plays without signing in: the device makes a key of its own, and the key is who the player is. */
export interface GuestOptions {
  readonly guest: true;
  /**
   * Where the key is kept, as a text that can be read. Without it: in IndexedDB, where nobody can read it; in `localStorage` or in memory
   * where there is no IndexedDB.
   */
  readonly storage?: TextStorage;
}

/** {@link createGuest}: the project that the guest plays in. */
export interface GuestAuthOptions extends Omit<GuestOptions, 'guest'> {
  readonly baseUrl: string;
  readonly accountId: string;
  readonly project: string;
  readonly environment: string;
  /** Instead of the `fetch` of the runtime. */
  readonly fetch?: typeof fetch;
}

/** A guest, with tokens that renew themselves. */
export interface GuestAuth extends Auth {
  /** Returns a valid access token. */
  accessToken(): Promise<string>;
}

interface Token {
  readonly text: string;
  /** When it expires, and when it should be renewed, by the clock of this machine. */
  readonly expiresAt: number;
  readonly renewAt: number;
}

const timeoutMs = 15_000;
const guestGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * Returns what gets an access token. An assertion is signed with the nonce of the last response, and again if the service wants another
 * one: so the first token takes two requests.
 */
function presenter(
  { environment, fetch: given }: GuestAuthOptions,
  baseUrl: string,
  clientId: string,
  keys: GuestKeys,
): () => Promise<TokenResponse> {
  const scope = `env:${environment}`;
  const fetch = fetchOf(given);
  const endpoint = tokenEndpoint(baseUrl, clientId, (input, init) => fetch(input, init));
  /** What the service calls itself: it may have another address for itself than this client has. */
  let audience = baseUrl;
  const once = async (): Promise<TokenResponse> => {
    const { nonce } = endpoint;
    const key = await keys.load();
    const assertion = await key.sign({ aud: audience, client_id: clientId, scope, nonce, jti: randomText() });
    return endpoint.exchange({ grant_type: guestGrant, scope, assertion }, timeoutMs, undefined, true);
  };
  const withNonce = (): Promise<TokenResponse> =>
    once().catch((failure: unknown) => {
      if (isHoldfastError(failure, 'use_nonce')) return once();
      throw failure;
    });
  return async () => {
    checkCrypto();
    try {
      return await withNonce();
    } catch (failure) {
      if (!isHoldfastError(failure, 'invalid_grant')) throw failure;
      const { issuer = audience } = await endpoint.metadata();
      if (issuer === audience) throw failure;
      audience = issuer;
      return withNonce();
    }
  };
}

/** Returns the sign-in of a guest. The key is created with the first request. */
export function createGuest(options: GuestAuthOptions): GuestAuth {
  const baseUrl = baseUrlOf(options?.baseUrl);
  const clientId = `${segmentOf('accountId', options.accountId)}.${segmentOf('project', options.project)}`;
  const keys = guestKeys(`holdfast:guest:${baseUrl}:${clientId}`, options.storage);
  const present = presenter(options, baseUrl, clientId, keys);
  const listeners = new Set<(user: User | null) => void>();
  let user: User | null = null;
  let token: Token | undefined;
  let renewal: Promise<string> | undefined;
  let ready: Promise<void> | undefined;

  const take = (next: User | null): void => {
    const isSame = user?.id === next?.id;
    user = next;
    if (!isSame) tellAll(listeners, user);
  };

  const ask = async (): Promise<string> => {
    const { access_token: text, expires_in } = await present();
    const next = userOf(text);
    if (next === null) throw new HoldfastError('unexpected_response', 'the access token names nobody');
    const [now, lifeMs] = [Date.now(), expires_in * 1_000];
    token = { text, expiresAt: now + lifeMs, renewAt: now + lifeMs - Math.min(60_000, lifeMs / 5) };
    if (user?.id !== next.id || (await keys.readId()) !== next.id) await keys.noteId(next.id).catch(() => {});
    take(next);
    return text;
  };

  const renewOnce = (): Promise<string> => {
    renewal ??= ask().finally(() => {
      renewal = undefined;
    });
    return renewal;
  };

  /** Who played here before is known without a connection, for what a cache holds. */
  const begin = async (): Promise<void> => {
    const id = await keys.readId();
    if (id !== undefined && user === null) {
      take({ id, role: 'end_user', accountId: options.accountId, email: undefined, name: undefined });
    }
  };

  const accessToken = async (): Promise<string> => {
    const now = Date.now();
    if (token === undefined || now >= token.expiresAt - 1_000) return renewOnce();
    // Ahead of time nobody has to wait, and the next who asks makes a failure good.
    if (now >= token.renewAt) renewOnce().catch(() => {});
    return token.text;
  };

  return {
    get user() {
      return user;
    },
    get ready() {
      ready ??= begin().catch(() => {});
      return ready;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    accessToken,
    authorization: async () => `Bearer ${await accessToken()}`,
    async renew(rejected) {
      if (rejected === `Bearer ${token?.text}`) await renewOnce();
      return true;
    },
  };
}
