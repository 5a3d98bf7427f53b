/** Prepares the deletion of a player's user states. */
import type { DeletionScope } from '../storage/contract/players.ts';
import type { Store } from '../storage/store.ts';

/** After this many slices the rest is deleted, whatever its size: no history is longer unless the player saves constantly. */
const slicesMax = 2_000;

/** Deletes the older versions of long histories in slices, and yields to other work between them. Throws `StoreUnavailable`. */
export async function shortenHistories(
  store: Pick<Store, 'shortenHistories'>,
  scope: DeletionScope,
  playerId: string,
): Promise<void> {
  for (let slices = 0; slices < slicesMax; slices++) if ((await store.shortenHistories(scope, playerId)) === 0) return;
}
