/**
 * Hashes a player's id, by a key of the installation, for the audit record of an erasure. With the key and an id, the hash shows whether
 * this player was erased; nobody without the key can try ids.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import type { Store } from '../storage/store.ts';
import type { SecretKeys } from './secret-key.ts';

const keyOf = (secretKey: Uint8Array) => Buffer.from(hkdfSync('sha256', secretKey, '', 'holdfast erased player', 32));

/** Returns a function that computes a player's hashes: first the one to store, then those by earlier keys. */
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

/** Returns erasures that keep a hash of the id in the audit record, which shows after a restore who was erased. */
export function withErasureHashes(store: Store, secretKeys: SecretKeys): Pick<Store, 'deletePlayer'> {
  const hashesOf = createErasureHash(secretKeys);
  return {
    deletePlayer: (by, scope, playerId) =>
      store.deletePlayer(by, { ...scope, idHash: hashesOf(scope.accountId, playerId)[0] }, playerId),
  };
}
