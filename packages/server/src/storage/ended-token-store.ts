/** The part of the storage contract that knows which access tokens have ended before they expire. */
import type { Awaitable } from '../common/awaitable.ts';

/** Names a session whose access tokens have ended, or one access token that has. */
export interface EndedTokenKey {
  readonly accountId: string;
  /** The id of the session (common/session-id.ts), or of the token. */
  readonly tokenId: string;
}

export interface EndedToken extends EndedTokenKey {
  readonly endedAt: number;
  /** When the token expires; null for a session, which ends those that were issued until `endedAt`. */
  readonly expiresAt: number | null;
}

export interface EndedTokenStore {
  /**
   * Calls `listener` with sessions and tokens that have ended: for those that ended through this store before the promise of what ended them
   * resolves, for those that other processes ended within a second. It may be told of one more than once.
   */
  onTokensEnded(listener: (ended: readonly EndedToken[]) => void): void;
  /** Ends one access token. */
  endToken(token: EndedToken): Promise<void>;
  /** Whether any of these ids of an account has ended. */
  isTokenEnded(accountId: string, tokenIds: readonly string[]): Awaitable<boolean>;
  /** Some of those that have ended, in the order of their keys, after one of them. */
  listEndedTokens(after: EndedTokenKey | null, itemsMax: number): Awaitable<readonly EndedToken[]>;
  /** Deletes some of what is of no use any more: sessions that ended before `sessionsBefore`, and tokens that have expired. */
  sweepEndedTokens(now: number, sessionsBefore: number): Promise<number>;
}
