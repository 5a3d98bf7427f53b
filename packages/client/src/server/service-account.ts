import type { Auth } from '../auth/auth.ts';
import { errorOf, HoldfastError, objectIn } from '../errors.ts';
import { invalid, noStore } from '../service.ts';

/** A service account and its secret. */
export interface ServiceAccountOptions {
  /** Its id, `sa_…`. */
  readonly id: string;
  /** Its secret, `svcs_…`. Keep it out of source code and out of the game. */
  readonly secret: string;
}

interface Token {
  readonly text: string;
  readonly renewAt: number;
  readonly expiresAt: number;
}

/** An `auth` that gets tokens with a service account's secret, one for all callers, and renews them before they expire. */
export function serviceAccountAuth(account: ServiceAccountOptions | undefined, baseUrl: string, send: typeof fetch): Auth {
  let token: Token | undefined;
  let asking: Promise<Token> | undefined;
  const ask = async (): Promise<Token> => {
    if (account === undefined) throw invalid('createServer needs `serviceAccount` to read and write');
    const received = await request(account, `${baseUrl}/v1/auth/token`, send);
    const now = Date.now();
    const lifeMs = received.seconds * 1_000;
    token = { text: received.text, expiresAt: now + lifeMs - 1_000, renewAt: now + lifeMs - Math.min(60_000, lifeMs / 5) };
    return token;
  };
  const renewed = (): Promise<Token> => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return {
    user: null,
    ready: Promise.resolve(),
    onChange: () => () => {},
    async authorization() {
      const now = Date.now();
      if (token === undefined || now >= token.expiresAt) return `Bearer ${(await renewed()).text}`;
      if (now >= token.renewAt) renewed().catch(() => {}); // nobody waits; the next caller repeats a failed one
      return `Bearer ${token.text}`;
    },
    renew: async (rejected) => (token !== undefined && rejected !== `Bearer ${token.text}`) || Boolean(await renewed()),
  };
}

async function request({ id, secret }: ServiceAccountOptions, url: string, send: typeof fetch) {
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const body = Object.entries(form).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  let response: Response;
  let text: string;
  try {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    response = await send(url, { method: 'POST', headers, body: body.join('&'), ...noStore() });
    text = await response.text();
  } catch (cause) {
    throw new HoldfastError('network_error', `no response from ${url}`, { cause });
  }
  if (!response.ok) throw errorOf({ status: response.status, headers: response.headers, text });
  const { access_token, expires_in } = objectIn(text) ?? {};
  if (typeof access_token === 'string' && typeof expires_in === 'number')
    return { text: access_token, seconds: expires_in };
  throw new HoldfastError('unexpected_response', 'the response is no token response', { status: response.status });
}
