/** Authors of versions. */
import type { Principal } from '../access/principal.ts';
import type { UserStateAuthor } from '../storage/contract/user-states.ts';
import type { Author } from '../storage/store.ts';

/**
 * Returns the author of a public-state version that a principal writes; null for players, who cannot write public state.
 *
 * @see docs/contract.md §5.4
 */
export function authorOf(principal: Principal): Author | null {
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
