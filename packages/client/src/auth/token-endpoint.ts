/** Requests to the token endpoint and to logout. @see RFC 6749 §4.1.3, §6 */
import { errorOf, HoldfastError, isHoldfastError, objectIn } from '../errors.ts';

export interface TokenResponse {
  readonly access_token: string;
  /** Empty for a guest. */
  readonly refresh_token: string;
  readonly expires_in: number;
  /** The outcome for a guest who has signed up. */
  readonly link?: 'linked' | 'in_use';
}

interface ServerMetadata {
  readonly issuer?: string;
  readonly authorization_response_iss_parameter_supported?: boolean;
}

/** Input of a renewal. */
export interface Renewable {
  readonly refreshToken: string;
  readonly accessToken: string;
  /** The idempotency key; absent if the runtime has no random values. */
  readonly renewalKey?: string | undefined;
}

export interface TokenEndpoint {
  /** Exchanges an authorization code. */
  redeem(code: string, verifier: string, redirectUri: string): Promise<TokenResponse>;
  /** Exchanges a refresh token, which works once. A repeated exchange with the same key works until the response was used. */
  refresh(old: Renewable, timeoutMs: number): Promise<TokenResponse>;
  /** Exchanges a form for tokens; a guest gets no refresh token. */
  exchange(
    form: Readonly<Record<string, string>>,
    timeoutMs: number,
    renewalKey?: string,
    isGuest?: boolean,
  ): Promise<TokenResponse>;
  /** The nonce of the last response with one, while it is valid. */
  readonly nonce: string | undefined;
  /** Requests a nonce. */
  askNonce(): Promise<string | undefined>;
  /** The server's metadata; empty if it has none. @see RFC 8414 */
  metadata(): Promise<ServerMetadata>;
  /** Ends the sign-in of a refresh token. */
  logout(refreshToken: string): Promise<void>;
}

/** The service accepts a nonce for 300 seconds. */
const nonceMs = 240_000;

/** Returns the token endpoint of a service for one client. Its calls reject with a `HoldfastError`. */
export function tokenEndpoint(baseUrl: string, clientId: string, fetch: typeof globalThis.fetch): TokenEndpoint {
  /** The nonce of the last response with one, and its time. */
  let nonce: string | undefined;
  let nonceAt = 0;
  const send = async (
    path: string,
    body: URLSearchParams | string | undefined,
    timeoutMs: number,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), timeoutMs);
    try {
      const response = await fetch(baseUrl + path, {
        ...(body === undefined ? {} : { method: 'POST', body }),
        headers,
        signal: controller.signal,
      });
      const given = response.headers.get('Auth-Nonce');
      if (given !== null) [nonce, nonceAt] = [given, Date.now()];
      const received = { status: response.status, headers: response.headers, text: await response.text() };
      if (!response.ok) throw errorOf(received);
      return received.text;
    } catch (cause) {
      if (isHoldfastError(cause)) throw cause;
      const code = controller.signal.aborted ? 'timeout' : 'network_error';
      throw new HoldfastError(code, `cannot reach ${baseUrl}: there was no response`, { cause });
    } finally {
      clearTimeout(timer);
    }
  };
  const exchange = async (
    form: Readonly<Record<string, string>>,
    timeoutMs: number,
    renewalKey?: string,
    isGuest?: boolean,
  ): Promise<TokenResponse> => {
    const headers = renewalKey === undefined ? {} : { 'Idempotency-Key': renewalKey };
    const body = new URLSearchParams({ client_id: clientId, ...form });
    return tokensIn(await send('/v1/auth/token', body, timeoutMs, headers), isGuest);
  };
  return {
    exchange,
    get nonce() {
      return Date.now() - nonceAt < nonceMs ? nonce : undefined;
    },
    async askNonce() {
      await send('/v1/auth/nonce', undefined, 15_000);
      return nonce;
    },
    redeem: (code, code_verifier, redirect_uri) =>
      exchange({ grant_type: 'authorization_code', code, code_verifier, redirect_uri }, 15_000),
    async refresh({ refreshToken, accessToken, renewalKey }, timeoutMs) {
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
      // A player's name and email are taken from the previous access token. A developer's token is rejected there.
      if (clientId === 'svc-developer') return exchange(form, timeoutMs, renewalKey);
      try {
        return await exchange({ ...form, previous_access_token: accessToken }, timeoutMs, renewalKey);
      } catch (failure) {
        // A 401 is about the previous access token; the refresh token has not been used up.
        if (isHoldfastError(failure, 'invalid_grant') && failure.status === 401)
          return exchange(form, timeoutMs, renewalKey);
        throw failure;
      }
    },
    async metadata() {
      try {
        return objectIn(await send('/.well-known/oauth-authorization-server', undefined, 15_000)) ?? {};
      } catch (failure) {
        if (isHoldfastError(failure) && failure.status === 404) return {};
        throw failure;
      }
    },
    async logout(refreshToken) {
      await send('/v1/auth/logout', JSON.stringify({ refreshToken }), 15_000, { 'Content-Type': 'application/json' });
    },
  };
}

/** The tokens of a response; a guest gets no refresh token. */
function tokensIn(text: string, isGuest?: boolean): TokenResponse {
  const { access_token, refresh_token = isGuest ? '' : undefined, expires_in, link } = objectIn(text) ?? {};
  const isComplete = typeof access_token === 'string' && typeof refresh_token === 'string' && Number(expires_in) >= 0;
  if (!isComplete) throw new HoldfastError('unexpected_response', 'the response of the token endpoint has no tokens');
  const tokens = { access_token, refresh_token, expires_in: Number(expires_in) };
  return link === 'linked' || link === 'in_use' ? { ...tokens, link } : tokens;
}
