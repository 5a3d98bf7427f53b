/**
 * What the audit record of an erasure keeps of the player: a hash of the id by a key of the installation. With the key, and an id to try, it
 * shows whether this player was erased; nobody else can try ids.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import type { SecretKeys } from './secret-key.ts';

const keyOf = (secretKey: Uint8Array) => Buffer.from(hkdfSync('sha256', secretKey, '', 'holdfast erased player', 32));

/** Returns a function that gives the hashes of a player: first the one that is kept, then those by earlier keys. */
export function createErasureHash(secretKeys: SecretKeys): (accountId: string, playerId: string) => [string, ...string[]] {
  const [first, ...others] = secretKeys.map(keyOf) as [Buffer, ...Buffer[]];
  return (accountId, playerId) => {
    const hashBy = (key: Buffer) =>
      createHmac('sha256', key)
        .update(JSON.stringify([accountId, playerId]))
        .digest('base64url');
    return [hashBy(first), ...others.map(hashBy)];
  };
}
