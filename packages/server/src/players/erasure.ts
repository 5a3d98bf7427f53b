/** The deletion of all that a project has of a player. */
import { shortenHistories } from '../common/shorten-histories.ts';
import type { ChangedBy } from '../storage/audit-store.ts';
import type { DeletionScope, PlayerStore } from '../storage/player-store.ts';
import type { UserStateStore } from '../storage/user-state-store.ts';

export type ErasureStore = Pick<PlayerStore, 'deletePlayer'> & Pick<UserStateStore, 'shortenHistories'>;

/** Deletes a player as far as the scope reaches. When it is interrupted, it can be repeated. Throws `StoreUnavailable`. */
export async function eraseFrom(
  store: ErasureStore,
  by: ChangedBy,
  scope: DeletionScope,
  endUserId: string,
): Promise<'deleted' | 'no_project'> {
  await shortenHistories(store, scope, endUserId);
  return store.deletePlayer(by, scope, endUserId);
}
