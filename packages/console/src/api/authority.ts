/** What who is signed in may do. The service decides; pages only offer no more than that. */
import {
  type Environment,
  hasPower,
  isNarrowed as isNarrowedFor,
  type MemberRole,
  memberRoles,
  type Power,
  type Role,
  reachOf,
} from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { useAccountId, useSession } from '../shell/session.tsx';
import { accountsQuery, type Member, membersQuery } from './team.ts';

export type { MemberRole, Role };

/** What somebody is given: a role, and the environments in which it changes things; null is all of them. */
export interface Given<Name extends Role = Role> {
  readonly role: Name;
  readonly environments: Environment[] | null;
}
export type Authority = Given;

/** Whether environments narrow what a role changes. */
export const isNarrowed = (role: Role): boolean => isNarrowedFor(role, 'write_saves');

/** What somebody with no more than this may give to others: never more than they have. Only owners make owners. */
export const grantableRoles = ({ role }: Pick<Authority, 'role'>): readonly MemberRole[] =>
  hasPower(role, 'manage_access') ? memberRoles.filter((one) => one !== 'owner' || role === 'owner') : [];

/** Whether an authority is enough. Without an environment: for something that concerns all of them. */
export const may = (own: Authority | undefined, power: Power, environment?: Environment): boolean =>
  own !== undefined && reachOf(own, power, environment) === 'reaches';

/**
 * The member that who is signed in is in the account of the page; undefined while that is not known, and where it is not certain. The token
 * names a developer by the subject at the identity provider, which no member learns of another. So it is the one member with the role and the
 * address of the token; if there are two of them, it could be either. `isNeeded` says whether to ask for the members.
 */
export function useOwnMember(isNeeded = true): Member | undefined {
  const accountId = useAccountId();
  const state = useSession();
  const { data: accounts } = useQuery(accountsQuery);
  const { data: members = [] } = useQuery({ ...membersQuery(accountId), enabled: isNeeded });
  const role = accounts?.find((one) => one.accountId === accountId)?.role;
  const email = state.kind === 'signed_out' ? null : state.email;
  const found = members.filter((member) => email != null && member.email === email && member.role === role);
  return found.length === 1 ? found[0] : undefined;
}

/**
 * What who is signed in may do in the account of the page; undefined while that is not known. The environments are those of their member,
 * all where that is not certain: the service refuses what goes beyond.
 */
export function useAuthority(): Authority | undefined {
  const accountId = useAccountId();
  const { data: accounts } = useQuery(accountsQuery);
  const role = accounts?.find((one) => one.accountId === accountId)?.role;
  const isNeeded = role !== undefined && isNarrowed(role);
  const { data: members } = useQuery({ ...membersQuery(accountId), enabled: isNeeded });
  const own = useOwnMember(isNeeded);
  if (role === undefined || (isNarrowed(role) && members === undefined)) return undefined;
  return { role, environments: own?.environments ?? null };
}
