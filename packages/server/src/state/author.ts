/** Who is noted as the author of a version. @see docs/contract.md §5.4 */
import type { Principal } from '../access/principal.ts';
import type { Author } from '../storage/store.ts';

/** Returns the author that a principal is; null for an end user, who writes nothing that has a history. */
export function authorOf(principal: Principal): Author | null {
  switch (principal.kind) {
    case 'developer':
      return { kind: 'developer', id: principal.subject };
    case 'api_key':
      return { kind: 'api_key', id: principal.keyId, name: principal.name };
    case 'end_user':
      return null;
  }
}
