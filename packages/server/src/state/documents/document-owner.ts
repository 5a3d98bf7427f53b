/** The names of documents of both kinds, and whose share their work takes. */
import type { Principal } from '../../access/principal.ts';
import type { Owner } from '../../common/threads/fair-queue.ts';
import type { Author, PublicStateKey } from '../../storage/contract/public-states.ts';
import type { UserStateAuthor, UserStateKey } from '../../storage/contract/user-states.ts';

/** Names a document of either kind; a user-state key includes the player. */
export type DocumentKey = PublicStateKey & Partial<Pick<UserStateKey, 'playerId'>>;

/** The owner that a body's evaluation counts against. */
export function ownerOf({ accountId, slug, environment, playerId }: DocumentKey): Owner {
  const document = `${slug}/${environment}`;
  return { account: accountId, subject: playerId === undefined ? document : `${document}/${playerId}` };
}

/** A principal is the same object in many requests, and so is its author. */
const authors = new WeakMap<Principal, Author | null>();

/**
 * Returns the author of a public-state version that a principal writes; null for players, who cannot write public state.
 *
 * @see docs/contract.md §5.4
 */
export function authorOf(principal: Principal): Author | null {
  let author = authors.get(principal);
  if (author === undefined) {
    author = newAuthor(principal);
    authors.set(principal, author);
  }
  return author;
}

function newAuthor(principal: Principal): Author | null {
  switch (principal.kind) {
    case 'developer':
      return principal.actsAs === 'service_account'
        ? { kind: 'service_account', id: principal.subject, name: principal.name ?? principal.subject }
        : { kind: 'developer', id: principal.subject };
    case 'api_key':
      return { kind: 'api_key', id: principal.keyId, name: principal.name };
    case 'end_user':
      return null;
  }
}

/**
 * Returns the author of a user-state version that a principal writes; null for the player.
 *
 * @see docs/contract.md §6.3
 */
export function userStateAuthorOf(principal: Principal): UserStateAuthor | null {
  if (principal.kind === 'developer' && principal.actsAs === 'operator') return { kind: 'operator', id: principal.subject };
  return authorOf(principal);
}
