/** Verifies an access token by its signature, without asking the service. @see RFC 9068, RFC 7515 §5.2 */
import { HoldfastError, objectIn } from '../errors.ts';
import { noStore } from '../service.ts';

/** A player, from a valid access token. */
export interface Player {
  readonly id: string;
  /** Whether the player has not signed up. A player who has keeps an id that begins with `guest_`. */
  readonly isGuest: boolean;
  readonly email: string | undefined;
  readonly name: string | undefined;
  /** When the token expires. */
  readonly expiresAt: Date;
}

/** Options of {@link Server.verifyPlayer}. */
export interface VerifyOptions {
  /**
   * Also asks the service. A signature alone does not show that a player was blocked, signed out or deleted after the token was issued;
   * tokens last 15 minutes.
   */
  readonly isCurrent?: boolean;
}

export interface VerifierOptions {
  readonly baseUrl: string;
  readonly issuer: string;
  readonly accountId: string;
  readonly project: string;
  readonly environment: string;
  /** The path of the project. */
  readonly path: string;
  readonly fetch: typeof fetch;
}

const tokenCharactersMax = 8_192;
/** Clocks of two machines differ. */
const leewaySeconds = 5;
/** How long keys are used before they are read again, and the minimum time between reads for unknown keys. */
const keysMs = 600_000;
const unknownKeyMs = 30_000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };

/** Returns the verifier. It caches the service's keys. */
export function createVerifier(options: VerifierOptions) {
  const keyOf = createKeys(options);
  return async (token: string, { isCurrent = false }: VerifyOptions = {}): Promise<Player> => {
    const claims = await claimsOf(token, keyOf);
    const player = playerOf(claims, options);
    if (isCurrent) await askWhether(token, options);
    return player;
  };
}

/** A public key as published by the service. */
interface Jwk {
  readonly kid?: string;
  readonly kty?: string;
  readonly crv?: string;
  readonly x?: string;
  readonly y?: string;
}

type KeyOf = (id: string) => Promise<CryptoKey | undefined>;

/** The claims of a token with a valid signature. Rejects with `unauthorized`. */
async function claimsOf(token: string, keyOf: KeyOf): Promise<Readonly<Record<string, unknown>>> {
  const parts = typeof token === 'string' && token.length <= tokenCharactersMax ? token.split('.') : [];
  const [head = '', body = '', signature = ''] = parts;
  const header = partOf(head);
  if (parts.length !== 3 || header?.alg !== 'ES256' || header.typ !== 'at+jwt' || typeof header.kid !== 'string') {
    throw rejected('it is no access token of this service');
  }
  const key = await keyOf(header.kid);
  if (key === undefined) throw rejected('its signing key is unknown');
  const bytes = bytesIn(signature);
  const signed = new TextEncoder().encode(`${head}.${body}`);
  const isGood =
    bytes !== undefined && (await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, bytes, signed));
  const claims = isGood ? partOf(body) : undefined;
  if (claims === undefined) throw rejected('its signature is wrong');
  return claims;
}

/** The player in claims. Throws `unauthorized` if they are of somebody else, of another project, or expired. */
function playerOf(claims: Readonly<Record<string, unknown>>, options: VerifierOptions): Player {
  const { iss, aud, exp, user_id: id, sub, email, name } = claims;
  if (iss !== options.issuer || aud !== options.issuer)
    throw rejected(`it was issued by or for ${iss}, not ${options.issuer}`);
  if (claims.svc_role !== 'end_user' || typeof id !== 'string' || id !== sub) throw rejected('it is not of a player');
  const { svc_account_id, svc_project_slug, svc_environment } = claims;
  const isHere =
    svc_account_id === options.accountId && svc_project_slug === options.project && svc_environment === options.environment;
  if (!isHere) throw rejected('it is for another project or environment');
  if (typeof exp !== 'number' || Date.now() / 1_000 >= exp + leewaySeconds) throw rejected('it has expired');
  const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const isGuest = claims.svc_guest === true; // the id stays the same when a guest signs up
  return { id, isGuest, email: textOf(email), name: textOf(name), expiresAt: new Date(exp * 1_000) };
}

async function askWhether(token: string, { baseUrl, path, fetch }: VerifierOptions): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await reach(fetch, `${baseUrl}${path}/me`, { headers });
  await response.body?.cancel();
  if (response.status === 401 || response.status === 403) throw rejected('its session has ended');
  if (!response.ok)
    throw new HoldfastError('service_unavailable', 'the service cannot say whether the token holds', {
      status: response.status,
    });
}

/** Returns a function that finds keys of the service by id. */
function createKeys({ baseUrl, fetch }: VerifierOptions): KeyOf {
  let keys: ReadonlyMap<string, CryptoKey> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    const response = await reach(fetch, `${baseUrl}/.well-known/jwks.json`, {});
    const list = objectIn(await response.text())?.keys;
    if (!response.ok || !Array.isArray(list))
      throw new HoldfastError('unexpected_response', 'the response has no signing keys', { status: response.status });
    const found = list.map(async (jwk: Jwk) => {
      const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']).catch(() => undefined);
      return key && jwk.kid !== undefined ? [[jwk.kid, key] as const] : [];
    });
    keys = new Map((await Promise.all(found)).flat());
    readAt = Date.now();
  };
  return async (id) => {
    const age = Date.now() - readAt;
    if (age < (keys.has(id) ? keysMs : unknownKeyMs)) return keys.get(id);
    reading ??= read().finally(() => {
      reading = undefined;
    });
    try {
      await reading;
    } catch (failure) {
      if (!keys.has(id)) throw failure; // a recently valid key is still valid
    }
    return keys.get(id);
  };
}

async function reach(send: typeof fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await send(url, { ...init, ...noStore() });
  } catch (cause) {
    throw new HoldfastError('network_error', `no response from ${url}`, { cause });
  }
}

function bytesIn(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function partOf(text: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = bytesIn(text);
  return bytes && objectIn(new TextDecoder().decode(bytes));
}

const rejected = (why: string): HoldfastError => new HoldfastError('unauthorized', `the token was rejected: ${why}`);
