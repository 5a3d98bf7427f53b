import { HoldfastError, isHoldfastError, objectIn, signInErrorOf } from '../errors.ts';
import { orAborted } from '../limits.ts';
import { tellAll } from '../listeners.ts';
import { runtime } from '../runtime.ts';
import { baseUrlOf, fetchOf, invalid, segmentOf } from '../service.ts';
import { browserStorage, damaged, type GuardedStorage, guarded, type TextStorage } from '../storage.ts';
import type { Auth } from './auth.ts';
import { type User, userOf } from './claims.ts';
import { checkIssuer } from './issuer.ts';
import { authorizationFor, ownerOf } from './owner.ts';
import { challengeOf, checkCrypto, randomText } from './pkce.ts';
import { untilSignedIn } from './popup.ts';
import { type TokenResponse, tokenEndpoint } from './token-endpoint.ts';
import { TokenKeeper, type Tokens } from './tokens.ts';

/** Sign-in at the hosted login page. */
export interface SignInOptions {
  /** Where the login page returns to: exactly one of the registered addresses. */
  readonly redirectUri: string;
  /** Keeps tokens; `localStorage` unless given. */
  readonly storage?: TextStorage;
  /** Signs developers in, not players. */
  readonly developer?: boolean;
  /** Address of the login page if the service does not host it. */
  readonly authFrontUrl?: string;
  /** Opens an address, for native apps. By default the page navigates to it. */
  readonly openUrl?: (url: string) => void | Promise<void>;
}

/** Options of {@link createAuth}. */
export interface AuthOptions extends SignInOptions {
  readonly baseUrl: string;
  /** Not needed for developers. */
  readonly accountId?: string;
  readonly project?: string;
  readonly environment?: string;
  readonly fetch?: typeof fetch;
  /** @internal Exchanges the code differently, for a guest who signs up. The login page says so. */
  readonly [redeemer]?: (code: string, verifier: string, redirectUri: string) => Promise<TokenResponse>;
}

/** The key of another code exchange. */
export const redeemer = Symbol();

/** How to open the login page. */
export interface SignInRequest {
  /** Opens the login page in its own window. Call it directly in a click handler; otherwise browsers block the window. */
  readonly popup?: boolean;
  /** Any text, such as a location in the app. {@link SignInAuth.handleRedirect} returns it. */
  readonly returnTo?: string;
  readonly signal?: AbortSignal;
}

/** Who signed in, and the request's `returnTo`. */
export interface SignedIn {
  readonly user: User;
  readonly returnTo: string | undefined;
  /** For guests: `linked` if the player stays the same, `in_use` if the identity already had a player. */
  readonly link?: 'linked' | 'in_use';
}

/** Sign-in and sign-out. Tokens renew themselves. */
export interface SignInAuth extends Auth {
  /** Opens the login page. A pop-up resolves after sign-in, and rejects with `popup_closed` if it is closed first. */
  signIn(request?: SignInRequest): Promise<void>;
  /**
   * Completes a sign-in on the redirect page, and removes code and state from the address. Returns who signed in, or null if the browser
   * does not come from the login page. Afterwards `user` is known.
   */
  handleRedirect(url?: string): Promise<SignedIn | null>;
  /** Signs out, here and at the service; offline, only here. */
  signOut(): Promise<void>;
  /** Returns a valid access token. Rejects with `signed_out` when signed out. */
  accessToken(): Promise<string>;
  /** `fetch` with the access token, for routes without a function here. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** A sign-in in progress. */
interface Begun {
  readonly verifier: string;
  readonly popup: boolean;
  readonly returnTo: string | undefined;
}

/** Signs people in by OAuth 2.0 authorization code with PKCE. */
export function createAuth(options: AuthOptions): SignInAuth {
  return new RedirectAuth(options);
}

class RedirectAuth implements SignInAuth {
  readonly #options: AuthOptions;
  readonly #baseUrl: string;
  readonly #fetch: typeof fetch;
  readonly #clientId: string;
  readonly #storage: GuardedStorage;
  readonly #keeper: TokenKeeper;
  readonly #endpoint;
  readonly #listeners = new Set<(user: User | null) => void>();
  #user: User | null = null;
  /** Handled redirects: React's strict mode asks twice. */
  readonly #handled = new Map<string, Promise<SignedIn | null>>();

  constructor(options: AuthOptions) {
    this.#baseUrl = baseUrlOf(options?.baseUrl);
    const { accountId, project, environment, developer } = options;
    const storage = guarded(options.storage ?? browserStorage());
    this.#options = options;
    const fetch = fetchOf(options.fetch);
    this.#fetch = (input, init) => fetch(input, init);
    this.#clientId = developer ? 'svc-developer' : `${segmentOf('accountId', accountId)}.${segmentOf('project', project)}`;
    this.#storage = storage;
    this.#endpoint = tokenEndpoint(this.#baseUrl, this.#clientId, this.#fetch);
    const name = `holdfast:${this.#baseUrl}:${this.#clientId}:${developer ? '' : environment}`;
    this.#keeper = new TokenKeeper(this.#endpoint, storage, name, (tokens) => this.#take(tokens));
  }

  get user(): User | null {
    return this.#user;
  }

  get ready(): Promise<void> {
    return this.#keeper.ready;
  }

  onChange(listener: (user: User | null) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#keeper.close();
  }

  #take(tokens: Tokens | null): void {
    const before = this.#user;
    const user = tokens && userOf(tokens.accessToken);
    if (JSON.stringify(before) === JSON.stringify(user)) return;
    this.#user = user;
    tellAll(this.#listeners, user);
  }

  async signIn({ popup = false, returnTo, signal }: SignInRequest = {}): Promise<void> {
    checkCrypto();
    // Before the first await, since later it would not count as part of the click.
    const opened = popup ? runtime.open?.('about:blank', '_blank', 'popup,width=480,height=720') : undefined;
    const { redirectUri, developer, environment, authFrontUrl = this.#baseUrl, openUrl } = this.#options;
    const verifier = randomText();
    const state = randomText();
    const begun: Begun = { verifier, popup: Boolean(opened), returnTo };
    await this.#storage.set(nameOf(state), JSON.stringify(begun));
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.#clientId,
      redirect_uri: redirectUri,
      state,
      code_challenge: await challengeOf(verifier),
      code_challenge_method: 'S256',
      ...(!developer && { scope: `env:${environment}` }),
      ...(this.#options[redeemer] && { purpose: 'upgrade', prompt: 'create' }),
    });
    const url = `${authFrontUrl}/authorize?${query}`;
    if (opened) {
      const before = this.#keeper.current?.refreshToken;
      opened.location.href = url;
      return untilSignedIn(opened, () => this.#isCompleted(state, before), signal);
    }
    if (openUrl !== undefined) return openUrl(url);
    if (runtime.location === undefined) throw new HoldfastError('invalid_request', 'give `openUrl`');
    runtime.location.assign(url);
  }

  /** Whether a window has completed the sign-in that began with `state`. Renewed tokens do not count. */
  async #isCompleted(state: string, before: string | undefined): Promise<boolean> {
    if ((await this.#storage.get(nameOf(state))) !== undefined) return false;
    await this.#keeper.read();
    const { current } = this.#keeper;
    return current !== null && current.refreshToken !== before;
  }

  handleRedirect(url: string = runtime.location?.href ?? ''): Promise<SignedIn | null> {
    let searchParams: URLSearchParams;
    try {
      ({ searchParams } = new URL(url, this.#options.redirectUri));
    } catch (cause) {
      return Promise.reject(invalid('cannot complete the sign-in: the address or redirectUri is no URL', cause));
    }
    const state = searchParams.get('state');
    if (state === null || (!searchParams.has('code') && !searchParams.has('error'))) return this.ready.then(() => null);
    const handled = this.#handled.get(state) ?? this.#complete(url, state, searchParams);
    this.#handled.set(state, handled);
    return handled;
  }

  async #complete(url: string, state: string, parameters: URLSearchParams): Promise<SignedIn | null> {
    const text = await this.#storage.get(nameOf(state));
    if (text === undefined) return null; // nobody here requested it
    const begun: Partial<Begun> | undefined = objectIn(text);
    if (typeof begun?.verifier !== 'string') throw damaged('what was stored when the sign-in began cannot be read');
    await checkIssuer(parameters.get('iss'), this.#baseUrl, this.#endpoint);
    await this.#storage.delete(nameOf(state));
    if (url === runtime.location?.href) removeAnswer(url);
    const error = parameters.get('error');
    if (error !== null) throw signInErrorOf(error, parameters.get('error_description'));
    const { redirectUri } = this.#options;
    const { [redeemer]: redeem = this.#endpoint.redeem } = this.#options;
    const issued = await redeem(parameters.get('code') ?? '', begun.verifier, redirectUri);
    await this.#keeper.keep(issued);
    if (begun.popup) runtime.close?.();
    const user = userOf(issued.access_token);
    if (user === null) throw new HoldfastError('unexpected_response', 'cannot sign in: the access token names nobody');
    return { user, returnTo: begun.returnTo, ...(issued.link && { link: issued.link }) };
  }

  async signOut(): Promise<void> {
    await this.#keeper.read();
    const tokens = this.#keeper.current;
    if (tokens === null) return;
    await this.#keeper.keep(null);
    await this.#endpoint.logout(tokens.refreshToken).catch(() => {});
  }

  async accessToken(): Promise<string> {
    await this.#keeper.ready;
    // Tokens stored by another tab can be old too, if all tabs slept.
    let tokens = this.#keeper.current;
    for (let tries = 0; tries < renewalsMax && tokens !== null && Date.now() >= tokens.renewAt; tries++) {
      const renewal = this.#keeper.renew(tokens);
      if (Date.now() < tokens.expiresAt - 1_000) {
        renewal.catch(() => {}); // nobody waits for an early renewal; the next caller repeats a failed one
        break;
      }
      await renewal;
      tokens = this.#keeper.current;
    }
    const { current } = this.#keeper;
    if (current === null) throw new HoldfastError('signed_out', 'nobody is signed in');
    return current.accessToken;
  }

  async authorization(): Promise<string> {
    return `Bearer ${await this.accessToken()}`;
  }

  async renew(rejected: string | undefined): Promise<boolean> {
    const { current } = this.#keeper;
    if (current !== null && rejected === `Bearer ${current.accessToken}`) await this.#keeper.renew(current);
    return this.#keeper.current !== null;
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const url = this.#urlOf(path);
    const send = async (authorization: string | undefined): Promise<Response> => {
      const headers = new Headers(init.headers);
      headers.set('Authorization', `${authorization}`);
      try {
        return await this.#fetch(url, { ...init, headers });
      } catch (cause) {
        if (init.signal?.aborted || isHoldfastError(cause)) throw cause;
        throw new HoldfastError('network_error', `no response from ${url}`, { cause });
      }
    };
    const { signal } = init;
    const within = <Result>(work: Promise<Result>): Promise<Result> => (signal ? orAborted(work, signal) : work);
    const owner = await within(ownerOf(this));
    const authorization = await within(authorizationFor(this, owner));
    const response = await send(authorization);
    if (response.status !== 401 || !(await within(this.renew(authorization)))) return response;
    await response.body?.cancel();
    return send(await within(authorizationFor(this, owner)));
  }

  /** An address of the service. Nobody else gets the token. */
  #urlOf(path: string): string {
    let base: string;
    let url: string;
    try {
      base = new URL(`${this.#baseUrl}/`, runtime.location?.href).href;
      url = new URL(path, base).href;
    } catch (cause) {
      throw invalid(`cannot send the token to ${path}: it is no address`, cause);
    }
    if (!url.startsWith(base)) throw invalid(`cannot send the token to ${url}: it is not at ${this.#baseUrl}`);
    return url;
  }
}

/** Tokens that are old when issued are not renewed endlessly. */
const renewalsMax = 3;

const nameOf = (state: string): string => `holdfast:sign-in:${state}`;

/** Removes the login page's response from the address, so that a reload does not send it again. */
function removeAnswer(href: string): void {
  const url = new URL(href);
  for (const name of ['code', 'state', 'iss', 'error', 'error_description']) url.searchParams.delete(name);
  runtime.history?.replaceState(runtime.history.state, '', url.href);
}
