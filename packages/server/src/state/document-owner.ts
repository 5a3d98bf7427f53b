/** The names of documents of both kinds, and whose share their work takes. */
import type { Owner } from '../common/fair-queue.ts';
import type { UserStateKey } from '../storage/contract/user-states.ts';
import type { PublicStateKey } from '../storage/store.ts';

/** Names a document of either kind; a user-state key includes the player. */
export type DocumentKey = PublicStateKey & Partial<Pick<UserStateKey, 'playerId'>>;

/** The owner that a body's evaluation counts against. */
export function ownerOf({ accountId, slug, environment, playerId }: DocumentKey): Owner {
  const document = `${slug}/${environment}`;
  return { account: accountId, subject: playerId === undefined ? document : `${document}/${playerId}` };
}
