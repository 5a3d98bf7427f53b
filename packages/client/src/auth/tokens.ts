/** The tokens of one sign-in, stored for all tabs and renewed by one of them at a time. */
import { HoldfastError, isHoldfastError, objectIn } from '../errors.ts';
import { delay, runtime } from '../runtime.ts';
import type { GuardedStorage } from '../storage.ts';
import { randomKey } from './pkce.ts';
import type { Renewable, TokenEndpoint, TokenResponse } from './token-endpoint.ts';

/** The tokens with their renewal key, which is stored long before its use, so that all tabs share it. */
export interface Tokens extends Renewable {
  /** When the access token expires and when to renew it, by the clock of this machine. */
  readonly expiresAt: number;
  readonly renewAt: number;
}

/** How long a tab waits for its turn to renew, and the time limit of the exchange. */
const renewalMs = 5_000;

/** Reads stored tokens; null if there are none. */
function tokensIn(text = ''): Tokens | null {
  const stored = objectIn(text) as Partial<Tokens> | undefined;
  const { accessToken, refreshToken } = stored ?? {};
  return typeof accessToken === 'string' && typeof refreshToken === 'string' ? (stored as Tokens) : null;
}

export class TokenKeeper {
  readonly #endpoint: TokenEndpoint;
  readonly #storage: GuardedStorage;
  readonly #name: string;
  readonly #onChange: (tokens: Tokens | null) => void;
  #channel: BroadcastChannel | undefined;
  #tokens: Tokens | null = null;
  #renewal: Promise<void> | undefined;
  readonly ready: Promise<void>;

  constructor(endpoint: TokenEndpoint, storage: GuardedStorage, name: string, onChange: (tokens: Tokens | null) => void) {
    this.#endpoint = endpoint;
    this.#storage = storage;
    this.#name = name;
    this.#onChange = onChange;
    if (runtime.addEventListener !== undefined && typeof BroadcastChannel !== 'undefined') {
      this.#channel = new BroadcastChannel(name);
      this.#channel.onmessage = () => void this.read().catch(() => {}); // what is known stays
    }
    this.#takeOver(storage.peek(name));
    this.ready = this.read().catch(() => {});
  }

  /** Stops listening to other tabs. */
  close(): void {
    this.#channel?.close();
    this.#channel = undefined;
  }

  get current(): Tokens | null {
    return this.#tokens;
  }

  /** Takes over the stored tokens. */
  async read(): Promise<void> {
    this.#takeOver(await this.#storage.get(this.#name));
  }

  #takeOver(text: string | undefined): void {
    const stored = tokensIn(text);
    const isSame = stored?.refreshToken === this.#tokens?.refreshToken;
    this.#tokens = stored;
    if (!isSame) this.#onChange(stored);
  }

  /** Stores new tokens, or that nobody is signed in. */
  async keep(issued: TokenResponse | null): Promise<void> {
    const now = Date.now();
    const lifeMs = (issued?.expires_in ?? 0) * 1_000;
    this.#tokens = issued && {
      accessToken: issued.access_token,
      refreshToken: issued.refresh_token,
      renewalKey: randomKey(),
      expiresAt: now + lifeMs,
      // One minute early, or in the last fifth of a short life; at a different time in each tab.
      renewAt: now + lifeMs - Math.min(60_000, lifeMs / 5) * (0.8 + Math.random() * 0.4),
    };
    if (this.#tokens === null) await this.#storage.delete(this.#name);
    else await this.#storage.set(this.#name, JSON.stringify(this.#tokens));
    this.#channel?.postMessage(null);
    this.#onChange(this.#tokens);
  }

  /**
   * Renews the tokens, once for all callers. Afterwards the tokens differ from `old`, or are null if the sign-in has ended. Rejects if the
   * service cannot be reached or another tab takes too long; the tokens remain valid.
   */
  renew(old: Tokens): Promise<void> {
    if (this.#tokens?.accessToken !== old.accessToken) return Promise.resolve();
    this.#renewal ??= this.#renewInTurn(old).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renewInTurn(old: Tokens): Promise<void> {
    const { locks } = runtime.navigator ?? {};
    if (locks === undefined) return this.#exchange(old);
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), renewalMs);
    try {
      await locks.request(`holdfast ${this.#name}`, { signal: waiting.signal }, () => {
        clearTimeout(timer);
        return this.#exchange(old);
      });
    } catch (cause) {
      if (!waiting.signal.aborted) throw cause;
      await this.read();
      if (this.#tokens?.accessToken !== old.accessToken) return;
      throw new HoldfastError('timeout', 'cannot renew the tokens: another tab has been doing that for too long', {
        cause,
      });
    } finally {
      clearTimeout(timer);
    }
  }

  async #exchange(old: Tokens): Promise<void> {
    await this.read();
    const tokens = this.#tokens;
    if (tokens?.refreshToken !== old.refreshToken) return; // another tab was faster
    try {
      const issued = await this.#endpoint.refresh(await this.#withKey(tokens), renewalMs);
      // Meanwhile somebody may have signed out, or somebody else in.
      if (tokensIn(await this.#storage.get(this.#name))?.refreshToken === old.refreshToken) await this.keep(issued);
      else await this.read();
    } catch (failure) {
      if (!isHoldfastError(failure, 'invalid_grant') && !isHoldfastError(failure, 'invalid_client')) throw failure;
      // Without locks, another tab may have used the token first. It stores its result in a moment.
      for (let i = 0; i < 4; i++) {
        await this.read();
        if (this.#tokens?.refreshToken !== old.refreshToken) return;
        if (runtime.navigator?.locks !== undefined) break;
        await delay(250);
      }
      await this.keep(null);
    }
  }

  /** Version 0.1.0 stored tokens without a key. They get one before they are sent. */
  async #withKey(tokens: Tokens): Promise<Tokens> {
    if (tokens.renewalKey !== undefined) return tokens;
    this.#tokens = { ...tokens, renewalKey: randomKey() };
    await this.#storage.set(this.#name, JSON.stringify(this.#tokens));
    return this.#tokens;
  }
}
