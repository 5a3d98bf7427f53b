import type { Auth } from './auth/auth.ts';
import { authorizationFor, isSignedIn, type Owner, signedOut } from './auth/owner.ts';
import { errorOf, HoldfastError, isHoldfastError, type Received } from './errors.ts';
import { type Limits, orAborted } from './limits.ts';
import { backoff, delay } from './runtime.ts';
import { noStore } from './service.ts';

/** A request that can be sent again: a read, or a write with its idempotency key. */
export interface Call extends Limits {
  /** Whom it is for. It is sent with the token of this user or not at all. */
  readonly owner: Owner;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How often it is sent while there is no response. */
  readonly attemptsMax?: number;
}

export type Send = (call: Call) => Promise<Received>;

export interface TransportOptions {
  readonly baseUrl: string;
  readonly auth: Auth;
  readonly fetch: typeof fetch;
}

/** A connection that sends nothing is closed after this time, and the request is sent again. */
const attemptMs = 15_000;
const repeatsMax = 8;
const repeatedStatuses = [408, 429, 500, 502, 503, 504];

/**
 * Returns what sends requests. A request is sent again, unchanged, when there was no response or one that says to try
 * again, after `Retry-After` or a random time; and once more with a new token after 401. Rejects when there is no response
 * in time, and with `signed_out` when its user is not signed in any more: what was read for somebody who has left is
 * dropped. Every other response is returned, refusals too.
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

/** Sends a request once. Returns the response with its whole body, or why there is none. Rejects when the caller gave up. */
async function attemptOnce(
  fetch: TransportOptions['fetch'],
  url: string,
  { method, headers, body, signal, deadline }: Call,
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
