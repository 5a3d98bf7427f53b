import type { Actor } from '../storage/contract/audit.ts';
import type { ActsAs, Principal } from './principal.ts';

const kinds = { member: 'developer', operator: 'operator', service_account: 'service_account' } as const satisfies Record<
  ActsAs,
  Actor['kind']
>;

/** Returns how the audit trail names a principal. A member has the id that the list of members shows. */
export function actorOf(principal: Principal): Actor {
  switch (principal.kind) {
    case 'developer':
      return { kind: kinds[principal.actsAs], id: principal.memberId ?? principal.subject, name: principal.name };
    case 'api_key':
      return { kind: 'api_key', id: principal.keyId, name: principal.name };
    case 'end_user':
      return { kind: 'end_user', id: principal.userId, name: null };
  }
}
