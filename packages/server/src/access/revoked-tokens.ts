/**
 * The access tokens that ended before they expire. Each node keeps them, so that checking a token needs no store. Sessions and tokens are
 * kept as long as one of their tokens could still be valid.
 *
 * @see docs/contract.md §7.8
 */
import { setImmediate } from 'node:timers/promises';
import type { Awaitable } from '../common/async/awaitable.ts';
import type { RevokedToken, RevokedTokenKey } from '../storage/contract/sign-ins.ts';
import type { Store } from '../storage/store.ts';
import type { TokenCredential } from './principal.ts';

/** The most ids kept, about 200 bytes each. */
const idsMax = 200_000;
/** The most accounts whose ids are not kept, because they have too many. */
const evictedAccountsMax = 10_000;
/** An account with fewer ids never makes room for others. */
const evictableIdsMin = 64;
/** Read in one turn of the event loop at the start, and checked in one slice of the clean-up. */
const sliceMax = 500;
const clearingMilliseconds = 1_000;
/** How far apart the clocks of two nodes may be. */
const skewMilliseconds = 5 * 60 * 1000;

type TokenStore = Pick<Store, 'onTokensRevoked' | 'listRevokedTokens' | 'isTokenRevoked'>;

export interface RevokedTokensOptions {
  readonly store: TokenStore;
  /** How long the tokens of sessions are valid. */
  readonly accessTokenSeconds: number;
  readonly now: () => number;
}

interface Kept {
  readonly accountId: string;
  /** From this time on, none of its tokens can be valid. */
  readonly until: number;
}

/** How long an ended session matters: until its last token has expired by the clock of every node. */
export const revokedSessionMilliseconds = (accessTokenSeconds: number): number =>
  accessTokenSeconds * 1000 + skewMilliseconds;

/**
 * The ended tokens, in bounded memory. If there are too many, the account with most is no longer kept: its tokens are checked with the
 * store after each end. Nobody's tokens live longer for it, and an account that ends tokens in a loop slows down no other.
 */
export class RevokedTokens {
  readonly #options: RevokedTokensOptions;
  /** By account and id: the ended ids of one account mean nothing for another. */
  readonly #kept = new Map<string, Kept>();
  /** The number of ids kept for each account. */
  readonly #counts = new Map<string, number>();
  /** Accounts whose ids are not kept, and until when. */
  readonly #evictedUntil = new Map<string, number>();
  /** Until this time, the store is asked for every account. */
  #allEvictedUntil = Number.NEGATIVE_INFINITY;
  readonly #listeners: ((ended: readonly RevokedToken[]) => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #clearing: Iterator<[string, Kept]> | undefined;
  /** How often tokens have ended so far. What was checked at the same number still holds. */
  changes = 0;

  constructor(options: RevokedTokensOptions) {
    this.#options = options;
    options.store.onTokensRevoked((ended) => this.#add(ended));
    this.#timer = setInterval(() => this.#clear(), clearingMilliseconds).unref();
  }

  /** Reads the tokens that have ended so far. Rejects if the store cannot be read. */
  async load(): Promise<void> {
    const { store } = this.#options;
    for (let after: RevokedTokenKey | null = null; ; ) {
      const ended: readonly RevokedToken[] = await store.listRevokedTokens(after, sliceMax);
      const last = ended.at(-1);
      if (last === undefined) return;
      this.#add(ended);
      after = last;
      await setImmediate();
    }
  }

  /** Whether a token is known to be alive: neither it nor its session has ended. */
  isAlive(token: TokenCredential): boolean {
    return !this.#isKept(token) && !this.#isEvicted(token.accountId);
  }

  /** Whether a token or its session has ended. Asks the store only for accounts with too many ended tokens. */
  hasEnded(token: TokenCredential): Awaitable<boolean> {
    if (this.isAlive(token)) return false;
    if (this.#isKept(token)) return true;
    const { accountId, sessionId, credentialId } = token;
    return this.#options.store.isTokenRevoked(
      accountId,
      sessionId === undefined ? [credentialId] : [credentialId, sessionId],
    );
  }

  /** Calls `listener` with newly ended tokens, some more than once. */
  onEnded(listener: (ended: readonly RevokedToken[]) => void): void {
    this.#listeners.push(listener);
  }

  /** The number of ids kept. */
  get size(): number {
    return this.#kept.size;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #isKept({ accountId, sessionId, credentialId }: TokenCredential): boolean {
    if (this.#kept.size === 0) return false;
    return (
      this.#kept.has(nameOf(accountId, credentialId)) ||
      (sessionId !== undefined && this.#kept.has(nameOf(accountId, sessionId)))
    );
  }

  #isEvicted(accountId: string): boolean {
    if (this.#evictedUntil.size === 0 && this.#allEvictedUntil === Number.NEGATIVE_INFINITY) return false;
    const until = Math.max(this.#evictedUntil.get(accountId) ?? Number.NEGATIVE_INFINITY, this.#allEvictedUntil);
    return until > this.#options.now();
  }

  #add(ended: readonly RevokedToken[]): void {
    const { accessTokenSeconds, now } = this.#options;
    const time = now();
    for (const { tokenId, accountId, endedAt, expiresAt } of ended) {
      const until = expiresAt ?? endedAt + revokedSessionMilliseconds(accessTokenSeconds);
      const name = nameOf(accountId, tokenId);
      if (until <= time || this.#kept.has(name)) continue;
      if (this.#isEvicted(accountId)) {
        this.#evictedUntil.set(accountId, Math.max(this.#evictedUntil.get(accountId) ?? 0, until));
        continue;
      }
      this.#kept.set(name, { accountId, until });
      this.#counts.set(accountId, (this.#counts.get(accountId) ?? 0) + 1);
      if (this.#kept.size > idsMax) this.#makeRoom();
    }
    this.changes += 1;
    for (const listener of this.#listeners) listener(ended);
  }

  #makeRoom(): void {
    let [largest, most] = ['', 0];
    for (const [accountId, count] of this.#counts) if (count > most) [largest, most] = [accountId, count];
    const isEverybody = most < evictableIdsMin || this.#evictedUntil.size >= evictedAccountsMax;
    let last = 0;
    for (const [name, { accountId, until }] of this.#kept) {
      if (!isEverybody && accountId !== largest) continue;
      last = Math.max(last, until);
      this.#kept.delete(name);
    }
    this.#counts.delete(largest);
    if (!isEverybody) {
      this.#evictedUntil.set(largest, last);
      return;
    }
    for (const until of this.#evictedUntil.values()) last = Math.max(last, until);
    this.#counts.clear();
    this.#evictedUntil.clear();
    this.#allEvictedUntil = Math.max(this.#allEvictedUntil, last);
  }

  /** Forgets some ids that no longer matter. */
  #clear(): void {
    const time = this.#options.now();
    for (const [accountId, until] of this.#evictedUntil) if (until <= time) this.#evictedUntil.delete(accountId);
    this.#clearing ??= this.#kept.entries();
    for (let checked = 0; checked < sliceMax; checked++) {
      const { value, done } = this.#clearing.next();
      if (done) {
        this.#clearing = undefined;
        return;
      }
      const [name, { accountId, until }] = value;
      if (until > time) continue;
      this.#kept.delete(name);
      const left = (this.#counts.get(accountId) ?? 0) - 1;
      if (left > 0) this.#counts.set(accountId, left);
      else this.#counts.delete(accountId);
    }
  }
}

/** An account id contains no space. */
const nameOf = (accountId: string, tokenId: string): string => `${accountId} ${tokenId}`;

/** Returns the ended tokens, kept up to date. Rejects if the store cannot be read. */
export async function openRevokedTokens(options: RevokedTokensOptions): Promise<RevokedTokens> {
  const revokedTokens = new RevokedTokens(options);
  await revokedTokens.load();
  return revokedTokens;
}
