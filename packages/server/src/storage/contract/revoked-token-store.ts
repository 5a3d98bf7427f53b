/** The part of the storage contract for access tokens that ended before they expired. */
import type { Awaitable } from '../../common/awaitable.ts';

/** Identifies a session whose access tokens have ended, or a single ended access token. */
export interface RevokedTokenKey {
  readonly accountId: string;
  /** The id of the session (common/session-id.ts), or of the token. */
  readonly tokenId: string;
}

export interface RevokedToken extends RevokedTokenKey {
  readonly endedAt: number;
  /** When the token expires; null for a session, which ends all tokens issued until `endedAt`. */
  readonly expiresAt: number | null;
}

export interface RevokedTokenStore {
  /**
   * Calls `listener` with sessions and tokens that have ended. If they ended through this store, it is called before that verb's promise
   * resolves; if another process ended them, within a second. It may report the same one twice.
   */
  onTokensRevoked(listener: (ended: readonly RevokedToken[]) => void): void;
  /** Ends one access token. */
  revokeAccessToken(token: RevokedToken): Promise<void>;
  /** Whether any of these ids of an account has ended. */
  isTokenRevoked(accountId: string, tokenIds: readonly string[]): Awaitable<boolean>;
  /** Some of the ended sessions and tokens after a given key, in key order. */
  listRevokedTokens(after: RevokedTokenKey | null, itemsMax: number): Awaitable<readonly RevokedToken[]>;
  /** Deletes some records that no longer matter: sessions that ended before `sessionsBefore`, and expired tokens. */
  sweepRevokedTokens(now: number, sessionsBefore: number): Promise<number>;
}
