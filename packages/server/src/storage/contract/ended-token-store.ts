/** The part of the storage contract that knows which access tokens have ended before they expire. */
import type { Awaitable } from '../../common/awaitable.ts';

/** Identifies a session whose access tokens have ended, or one ended access token. */
export interface EndedTokenKey {
  readonly accountId: string;
  /** The id of the session (common/session-id.ts), or of the token. */
  readonly tokenId: string;
}

export interface EndedToken extends EndedTokenKey {
  readonly endedAt: number;
  /** When the token expires; null for a session, which ends all tokens issued until `endedAt`. */
  readonly expiresAt: number | null;
}

export interface EndedTokenStore {
  /**
   * Calls `listener` with sessions and tokens that have ended: for those ended through this store, before the promise of that verb
   * resolves; for those ended by other processes, within a second. It may report one more than once.
   */
  onTokensEnded(listener: (ended: readonly EndedToken[]) => void): void;
  /** Ends one access token. */
  endToken(token: EndedToken): Promise<void>;
  /** Whether any of these ids of an account has ended. */
  isTokenEnded(accountId: string, tokenIds: readonly string[]): Awaitable<boolean>;
  /** Some of the ended ones after a given key, in key order. */
  listEndedTokens(after: EndedTokenKey | null, itemsMax: number): Awaitable<readonly EndedToken[]>;
  /** Deletes some that no longer matter: sessions that ended before `sessionsBefore`, and expired tokens. */
  sweepEndedTokens(now: number, sessionsBefore: number): Promise<number>;
}
