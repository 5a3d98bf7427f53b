/** Stands for a player where nothing about the player may be kept. */
import { hash } from 'node:crypto';

/** Returns the hash of a player of an account: 16 bytes that do not reveal who it is. */
export const playerHash = (accountId: string, playerId: string): Uint8Array =>
  hash('sha256', JSON.stringify(['player', accountId, playerId]), 'buffer').subarray(0, 16);

/** Returns the same as text. */
export const playerMark = (accountId: string, playerId: string): string =>
  Buffer.from(playerHash(accountId, playerId)).toString('base64url');
