import { HoldfastError, isHoldfastError } from '../errors.ts';
import { tellAll } from '../listeners.ts';
import { invalid } from '../service.ts';
import { type User, userOf } from './claims.ts';

/** The key of a function that asks who is signed in, if nothing else knows. */
export const identify = Symbol();

/** The credential of a client. */
export interface Auth {
  /** The signed-in user, from the stored tokens; null when signed out, and for API keys. */
  readonly user: User | null;
  /** Resolves when the stored tokens are read. Until then, `user` is unknown. */
  readonly ready: Promise<void>;
  /** Calls the listener when `user` changes. Returns a function that removes it. */
  onChange(listener: (user: User | null) => void): () => void;
  /** Returns the value of the `Authorization` header. When signed out, it is undefined, or the call rejects with `signed_out`. */
  authorization(signal?: AbortSignal): Promise<string | undefined>;
  /** Called with a header that the service rejected. Returns whether a better one is available. */
  renew(rejected: string | undefined, signal?: AbortSignal): Promise<boolean>;
  /** Closes its channel between tabs. Tokens stay stored. */
  close?(): void;
  /** @internal The user that a call made now is for, if `user` is only that of the last request. */
  readonly [identify]?: () => Promise<string | null>;
}

/** A project's API key. Keep secret keys on a server. */
export interface ApiKeyOptions {
  readonly apiKey: string;
}

/** The application's own access tokens. A function is called again after its token was rejected. */
export interface AccessTokenOptions {
  readonly accessToken: string | (() => string | Promise<string>);
}

/** Uses an API key. Throws `invalid_request` if it cannot be sent in a header. */
export function apiKeyAuth({ apiKey }: ApiKeyOptions): Auth {
  checkCredential('apiKey', apiKey);
  return {
    user: null,
    ready: Promise.resolve(),
    onChange: () => () => {},
    authorization: async () => `ApiKey ${apiKey}`,
    renew: async () => false,
  };
}

function checkCredential(name: string, given: unknown): void {
  const isVisible = typeof given === 'string' && /^[\x21-\x7e]+$/.test(given);
  if (!isVisible) throw invalid(`${name} has to be a text of visible ASCII characters without spaces`);
}

/** Asks the application. A failure is treated like a missing response, and repeated. */
async function askFor(accessToken: () => string | Promise<string>): Promise<string> {
  try {
    return await accessToken();
  } catch (cause) {
    if (isHoldfastError(cause)) throw cause;
    throw new HoldfastError('network_error', `the function accessToken failed: ${cause}`, { cause });
  }
}

/** Uses the application's own access tokens. */
export function accessTokenAuth({ accessToken }: AccessTokenOptions): Auth {
  const listeners = new Set<(user: User | null) => void>();
  if (typeof accessToken !== 'function') checkCredential('accessToken', accessToken);
  let user = typeof accessToken === 'string' ? userOf(accessToken) : null;
  const ask = async (): Promise<string> => {
    const token = typeof accessToken === 'string' ? accessToken : await askFor(accessToken);
    checkCredential('what the function accessToken returns', token);
    const before = user;
    user = userOf(token);
    if (before?.id !== user?.id) tellAll(listeners, user);
    return token;
  };
  /** A token requested to find out the user of a call. The next request uses it instead of requesting another. */
  let asked: string | undefined;
  const authorization = async (): Promise<string> => {
    const token = asked;
    asked = undefined;
    return `Bearer ${token ?? (await ask())}`;
  };
  return {
    get user() {
      return user;
    },
    ready: Promise.resolve(),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    authorization,
    renew: async (rejected) => `Bearer ${await ask()}` !== rejected,
    ...(typeof accessToken === 'function' && {
      async [identify]() {
        asked = await ask();
        return userOf(asked)?.id ?? null;
      },
    }),
  };
}
