import { type User, userOf } from './claims.ts';

/** How a client proves who it acts for. */
export interface Auth {
  /** Who is signed in, as far as the tokens at hand say; null when nobody is, and for API keys. */
  readonly user: User | null;
  /** Resolves when the stored tokens have been read, so that `user` counts. */
  readonly ready: Promise<void>;
  /** Calls the listener at each change of `user`. Returns a function that ends that. */
  onChange(listener: (user: User | null) => void): () => void;
  /** The value of the `Authorization` header; undefined when nobody is signed in. */
  authorization(signal?: AbortSignal): Promise<string | undefined>;
  /** Called with a header that the service rejected. Returns whether there is a better one now. */
  renew(rejected: string | undefined, signal?: AbortSignal): Promise<boolean>;
}

/** The key of a project. A secret key belongs on a server. */
export interface ApiKeyOptions {
  readonly apiKey: string;
}

/** Tokens that somebody else takes care of. The function is called again when its token was rejected. */
export interface AccessTokenOptions {
  readonly accessToken: string | (() => string | Promise<string>);
}

/** Proves with an API key. */
export function apiKeyAuth({ apiKey }: ApiKeyOptions): Auth {
  return {
    user: null,
    ready: Promise.resolve(),
    onChange: () => () => {},
    authorization: async () => `ApiKey ${apiKey}`,
    renew: async () => false,
  };
}

/** Proves with an access token that is given. */
export function accessTokenAuth({ accessToken }: AccessTokenOptions): Auth {
  const listeners = new Set<(user: User | null) => void>();
  let user = typeof accessToken === 'string' ? userOf(accessToken) : null;
  const authorization = async (): Promise<string> => {
    const token = typeof accessToken === 'string' ? accessToken : await accessToken();
    const before = user;
    user = userOf(token);
    if (before?.id !== user?.id) for (const listener of listeners) listener(user);
    return `Bearer ${token}`;
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
    renew: async (rejected) => (await authorization()) !== rejected,
  };
}
