/**
 * Which access tokens have ended before they expire, as a node keeps it: so that a token is checked without asking the store. Sessions and
 * tokens stay here as long as a token of theirs could still be good.
 *
 * @see docs/contract.md §7.8
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EndedToken, EndedTokenKey, EndedTokenStore } from '../storage/ended-token-store.ts';
import type { Awaitable } from '../storage/store.ts';
import type { TokenCredential } from './principal.ts';

/** Ids that are kept, of about 200 bytes. */
const idsMax = 200_000;
/** Accounts of which none is kept, because they have most. */
const crowdedMax = 10_000;
/** An account that has fewer is not the one to make room. */
const crowdMin = 64;
/** Read at the start in one turn of the event loop, and looked at in one slice of the clearing away. */
const sliceMax = 500;
const clearingMilliseconds = 1_000;
/** By so much the clocks of two nodes may differ. */
const skewMilliseconds = 5 * 60 * 1000;

type Store = Pick<EndedTokenStore, 'onTokensEnded' | 'listEndedTokens' | 'isTokenEnded'>;

export interface EndedTokensOptions {
  readonly store: Store;
  /** For how long the tokens of sessions are good. */
  readonly accessTokenSeconds: number;
  readonly now: () => number;
}

interface Kept {
  readonly accountId: string;
  /** From when on no token of it can be good. */
  readonly until: number;
}

/** For how long a session that has ended is of use: until its last token has expired by the clock of any node. */
export const endedSessionMilliseconds = (accessTokenSeconds: number): number =>
  accessTokenSeconds * 1000 + skewMilliseconds;

/**
 * The tokens that have ended, in bounded memory. When there are too many, the account that has most of them is no longer kept: for its tokens
 * the store is asked after each end. So nobody's tokens live longer, and whoever ends tokens in a loop slows down no other account.
 */
export class EndedTokens {
  readonly #options: EndedTokensOptions;
  /** By account and id: what one account has ended means nothing for another. */
  readonly #kept = new Map<string, Kept>();
  /** How many of each account are kept. */
  readonly #counts = new Map<string, number>();
  /** The accounts of which none is kept, by when that ends. */
  readonly #crowded = new Map<string, number>();
  /** Until when the store is asked for every account. */
  #allCrowdedUntil = Number.NEGATIVE_INFINITY;
  readonly #listeners: ((ended: readonly EndedToken[]) => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #clearing: Iterator<[string, Kept]> | undefined;
  /** How often tokens have ended until now. What was checked at the same number still holds. */
  changes = 0;

  constructor(options: EndedTokensOptions) {
    this.#options = options;
    options.store.onTokensEnded((ended) => this.#add(ended));
    this.#timer = setInterval(() => this.#clear(), clearingMilliseconds).unref();
  }

  /** Reads what has ended before. Rejects when the store cannot be read. */
  async load(): Promise<void> {
    const { store } = this.#options;
    for (let after: EndedTokenKey | null = null; ; ) {
      const ended: readonly EndedToken[] = await store.listEndedTokens(after, sliceMax);
      const last = ended.at(-1);
      if (last === undefined) return;
      this.#add(ended);
      after = last;
      await nextTurn();
    }
  }

  /** Whether a token has surely not ended, neither by itself nor with its session. */
  isAlive(token: TokenCredential): boolean {
    return !this.#isKept(token) && !this.#isCrowded(token.accountId);
  }

  /** Whether a token has ended, by itself or with its session. Asks the store only for accounts that have ended too many. */
  hasEnded(token: TokenCredential): Awaitable<boolean> {
    if (this.isAlive(token)) return false;
    if (this.#isKept(token)) return true;
    const { accountId, sessionId, credentialId } = token;
    return this.#options.store.isTokenEnded(
      accountId,
      sessionId === undefined ? [credentialId] : [credentialId, sessionId],
    );
  }

  /** Calls `listener` with what has ended since, some of it more than once. */
  onEnded(listener: (ended: readonly EndedToken[]) => void): void {
    this.#listeners.push(listener);
  }

  /** How many ids are kept. */
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

  #isCrowded(accountId: string): boolean {
    if (this.#crowded.size === 0 && this.#allCrowdedUntil === Number.NEGATIVE_INFINITY) return false;
    const until = Math.max(this.#crowded.get(accountId) ?? Number.NEGATIVE_INFINITY, this.#allCrowdedUntil);
    return until > this.#options.now();
  }

  #add(ended: readonly EndedToken[]): void {
    const { accessTokenSeconds, now } = this.#options;
    const time = now();
    for (const { tokenId, accountId, endedAt, expiresAt } of ended) {
      const until = expiresAt ?? endedAt + endedSessionMilliseconds(accessTokenSeconds);
      const name = nameOf(accountId, tokenId);
      if (until <= time || this.#kept.has(name)) continue;
      if (this.#isCrowded(accountId)) {
        this.#crowded.set(accountId, Math.max(this.#crowded.get(accountId) ?? 0, until));
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
    const isEverybody = most < crowdMin || this.#crowded.size >= crowdedMax;
    let last = 0;
    for (const [name, { accountId, until }] of this.#kept) {
      if (!isEverybody && accountId !== largest) continue;
      last = Math.max(last, until);
      this.#kept.delete(name);
    }
    this.#counts.delete(largest);
    if (!isEverybody) {
      this.#crowded.set(largest, last);
      return;
    }
    for (const until of this.#crowded.values()) last = Math.max(last, until);
    this.#counts.clear();
    this.#crowded.clear();
    this.#allCrowdedUntil = Math.max(this.#allCrowdedUntil, last);
  }

  /** Forgets some of what is of no use any more. */
  #clear(): void {
    const time = this.#options.now();
    for (const [accountId, until] of this.#crowded) if (until <= time) this.#crowded.delete(accountId);
    this.#clearing ??= this.#kept.entries();
    for (let looks = 0; looks < sliceMax; looks++) {
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

/** An account id has no space. */
const nameOf = (accountId: string, tokenId: string): string => `${accountId} ${tokenId}`;

/** Returns the tokens that have ended, now and from now on. Rejects when the store cannot be read. */
export async function openEndedTokens(options: EndedTokensOptions): Promise<EndedTokens> {
  const endedTokens = new EndedTokens(options);
  await endedTokens.load();
  return endedTokens;
}
