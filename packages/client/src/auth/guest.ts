import { HoldfastError, isHoldfastError } from '../errors.ts';
import { tellAll } from '../listeners.ts';
import { baseUrlOf, fetchOf, segmentOf } from '../service.ts';
import type { TextStorage } from '../storage.ts';
import type { Auth } from './auth.ts';
import { type User, userOf } from './claims.ts';
import type { GuestKeys } from './guest-key.ts';
import { checkCrypto, randomText } from './pkce.ts';
import { type TokenEndpoint, type TokenResponse, tokenEndpoint } from './token-endpoint.ts';

/** Plays without signing in. The device makes a key that identifies the player. */
export interface GuestOptions {
  readonly guest: true;
  /** Keeps the key as readable text. Default: IndexedDB, where no script can read the key; without IndexedDB, `localStorage` or memory. */
  readonly storage?: TextStorage;
}

/** Options of {@link createGuest}. */
export interface GuestAuthOptions extends Omit<GuestOptions, 'guest'> {
  readonly baseUrl: string;
  readonly accountId: string;
  readonly project: string;
  readonly environment: string;
  /** Replaces the runtime's `fetch`. */
  readonly fetch?: typeof fetch;
}

/** A guest. Tokens renew themselves. */
export interface GuestAuth extends Auth {
  /** Returns a valid access token. */
  accessToken(): Promise<string>;
  /** @internal What signs for the guest. */
  readonly [prover]: GuestProver;
}

/** The key of the object that signs for a guest. */
export const prover = Symbol();

/** Signs for a guest. */
export interface GuestProver {
  readonly keys: GuestKeys;
  readonly endpoint: TokenEndpoint;
  /** Sends an assertion with these claims, and another one if the service requires another nonce. */
  prove<Result>(claims: object, send: (assertion: string) => Promise<Result>): Promise<Result>;
  /** Requests a nonce, for assertions that are not sent to the token endpoint. */
  refreshNonce(): Promise<void>;
  /** Deletes the key: the next guest is another player. */
  forget(): Promise<void>;
}

interface Token {
  readonly text: string;
  /** When it expires and when to renew it, by the clock of this machine. */
  readonly expiresAt: number;
  readonly renewAt: number;
}

const timeoutMs = 15_000;
const guestGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * Returns the signer of a guest. An assertion is signed with the nonce of the last response, and again if the service requires another.
 * Before the first, a nonce is requested.
 */
function createProver(
  { environment, fetch: given }: GuestAuthOptions,
  baseUrl: string,
  clientId: string,
  keys: GuestKeys,
): Omit<GuestProver, 'forget'> & { readonly present: () => Promise<TokenResponse> } {
  const scope = `env:${environment}`;
  const fetch = fetchOf(given);
  const endpoint = tokenEndpoint(baseUrl, clientId, (input, init) => fetch(input, init));
  /** The service's own base URL, which can differ from the address that this client uses. */
  let audience = baseUrl;
  const present = (assertion: string): Promise<TokenResponse> =>
    endpoint.exchange({ grant_type: guestGrant, scope, assertion }, timeoutMs, undefined, true);
  async function prove<Result>(claims: object, send: (assertion: string) => Promise<Result>): Promise<Result> {
    const once = async (): Promise<Result> => {
      const nonce = endpoint.nonce ?? (await endpoint.askNonce());
      const key = await keys.load();
      return send(await key.sign({ aud: audience, client_id: clientId, scope, nonce, jti: randomText(), ...claims }));
    };
    const withNonce = (): Promise<Result> =>
      once().catch((failure: unknown) => {
        if (isHoldfastError(failure, 'use_nonce')) return once();
        throw failure;
      });
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
  }
  return {
    keys,
    endpoint,
    prove,
    present: () => prove({}, present),
    async refreshNonce() {
      await endpoint.askNonce();
      const { issuer = audience } = await endpoint.metadata();
      audience = issuer;
    },
  };
}

/** The keys of guests. This module is loaded for guests only. */
function keysLater(name: string, storage: TextStorage | undefined): GuestKeys {
  let loaded: GuestKeys | undefined;
  const keys = async (): Promise<GuestKeys> => {
    loaded ??= (await import('./guest-key.ts')).guestKeys(name, storage);
    return loaded;
  };
  return {
    load: async () => (await keys()).load(),
    exists: async () => (await keys()).exists(),
    forget: async () => (await keys()).forget(),
    readId: async () => (await keys()).readId(),
    noteId: async (userId) => (await keys()).noteId(userId),
  };
}

/** Returns the sign-in of a guest. The first request creates the key. */
export function createGuest(options: GuestAuthOptions): GuestAuth {
  const baseUrl = baseUrlOf(options?.baseUrl);
  const clientId = `${segmentOf('accountId', options.accountId)}.${segmentOf('project', options.project)}`;
  const keys = keysLater(`holdfast:guest:${baseUrl}:${clientId}`, options.storage);
  const signer = createProver(options, baseUrl, clientId, keys);
  const listeners = new Set<(user: User | null) => void>();
  let user: User | null = null;
  let token: Token | undefined;
  let renewal: Promise<string> | undefined;
  let ready: Promise<void> | undefined;

  const take = (next: User | null): void => {
    const isSame = user?.id === next?.id;
    if (next === null) token = undefined;
    user = next;
    if (!isSame) tellAll(listeners, user);
  };

  const ask = async (): Promise<string> => {
    const { access_token: text, expires_in } = await signer.present();
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

  /** The previous player on this device is known offline, for use of the cache. */
  const begin = async (): Promise<void> => {
    const id = await keys.readId();
    if (id !== undefined && user === null) {
      take({ id, role: 'end_user', accountId: options.accountId, email: undefined, name: undefined });
    }
  };

  const accessToken = async (): Promise<string> => {
    const now = Date.now();
    if (token === undefined || now >= token.expiresAt - 1_000) return renewOnce();
    // Nobody waits for an early renewal; the next caller repeats a failed one.
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
    [prover]: { ...signer, forget: () => keys.forget().then(() => take(null)) },
    authorization: async () => `Bearer ${await accessToken()}`,
    async renew(rejected) {
      if (rejected === `Bearer ${token?.text}`) await renewOnce();
      return true;
    },
  };
}
