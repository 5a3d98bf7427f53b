import type { Auth } from './auth/auth.ts';
import { authorizationFor, isSignedIn, type Owner, signedOut } from './auth/owner.ts';
import { errorOf, HoldfastError, isHoldfastError, type Received } from './errors.ts';
import { type Limits, orAborted } from './limits.ts';
import { backoff, delay } from './runtime.ts';
import { noStore } from './service.ts';

/** A repeatable request: a read, or a write with its idempotency key. */
export interface Call extends Limits {
  /** Its user. It is sent with this user's token or not at all. */
  readonly owner: Owner;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How often it is sent without a response. */
  readonly attemptsMax?: number;
}

export type Send = (call: Call) => Promise<Received>;

export interface TransportOptions {
  readonly baseUrl: string;
  readonly auth: Auth;
  readonly fetch: typeof fetch;
}

/** A connection without data is closed after this time, and the request repeated. */
const attemptMs = 15_000;
const repeatsMax = 8;
const repeatedStatuses = [408, 429, 500, 502, 503, 504];

/**
 * Returns the sender of requests. A request is repeated, unchanged, if there was no response or one that says to retry, after `Retry-After`
 * or a random time; and once more with a new token after 401. Rejects if no response arrives in time, and with `signed_out` if its user is
 * no longer signed in: data read for a user who has left is dropped. Every other response is returned, including refusals.
 */
export function createTransport({ baseUrl, auth, fetch }: TransportOptions): Send {
  return async (call) => {
    const { owner, signal, deadline } = call;
    let isRenewed = false;
    const tryOnce = async (): Promise<Received | HoldfastError> => {
      const authorization = await orAborted(authorizationFor(auth, owner, signal), signal);
      const isNamed = isSignedIn(auth, owner);
      const outcome = await attemptOnce(fetch, baseUrl + call.path, call, authorization);
      if (isNamed && call.method === 'GET' && !isSignedIn(auth, owner)) throw signedOut();
      if (outcome instanceof HoldfastError || outcome.status !== 401 || isRenewed) return outcome;
      if (!(await orAborted(auth.renew(authorization, signal), signal))) return outcome;
      isRenewed = true;
      return tryOnce();
    };
    for (let attempt = 1; ; attempt++) {
      const outcome = await tryOnce().catch(tokenFailure);
      if (!(outcome instanceof HoldfastError) && !repeatedStatuses.includes(outcome.status)) return outcome;
      const failure = outcome instanceof HoldfastError ? outcome : errorOf(outcome);
      const { retryAfter } = failure;
      const waitMs = retryAfter === undefined ? backoff(attempt, 100, 5_000) : retryAfter * 1_000 + backoff(0, 500, 500);
      if (attempt >= (call.attemptsMax ?? repeatsMax) || Date.now() + waitMs >= deadline) throw failure;
      await delay(waitMs, signal);
    }
  };
}

/** A renewal without a response can be repeated, like a request. Every other failure of it ends the call. */
function tokenFailure(failure: unknown): HoldfastError {
  if (isHoldfastError(failure, 'network_error') || isHoldfastError(failure, 'timeout')) return failure;
  throw failure;
}

/** Sends a request once. Returns the response with its whole body, or why there is none. Rejects if the caller cancelled. */
export async function attemptOnce(
  fetch: TransportOptions['fetch'],
  url: string,
  { method, headers, body, signal, deadline }: Pick<Call, 'method' | 'headers' | 'body' | 'signal' | 'deadline'>,
  authorization: string | undefined,
): Promise<Received | HoldfastError> {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal.reason);
  if (signal.aborted) throw signal.reason;
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => controller.abort(), Math.min(attemptMs, deadline - Date.now()));
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...headers,
        ...(authorization !== undefined && { Authorization: authorization }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: body ?? null,
      signal: controller.signal,
      ...noStore(),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    const code = controller.signal.aborted ? 'timeout' : 'network_error';
    return new HoldfastError(code, `no response from ${url}`, { cause });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
