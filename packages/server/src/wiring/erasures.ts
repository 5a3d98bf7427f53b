/** Stores, in the audit record of an erasure, a hash that shows after a restore who was erased. */
import { createErasureHash } from '../secrets/erasure-hash.ts';
import type { SecretKeys } from '../secrets/secret-key.ts';
import type { Store } from '../storage/store.ts';

/** Returns the store whose erasures keep a hash of the id. */
export function withErasureHashes(store: Store, secretKeys: SecretKeys): Store {
  const hashesOf = createErasureHash(secretKeys);
  return {
    ...store,
    deletePlayer: (by, scope, playerId) =>
      store.deletePlayer(by, { ...scope, idHash: hashesOf(scope.accountId, playerId)[0] }, playerId),
  };
}
