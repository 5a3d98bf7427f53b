/** The powers of the signed-in user. The service decides; pages merely offer no more. */
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
import { useAccountId, useSession } from './signed-in.ts';
import { accountsQuery, type Member, membersQuery } from './team.ts';

export type { MemberRole, Role };

/** A role, and the environments in which it changes things; null means all of them. */
export interface Given<Name extends Role = Role> {
  readonly role: Name;
  readonly environments: Environment[] | null;
}
export type Authority = Given;

/** Whether environments narrow what a role changes. */
export const isNarrowed = (role: Role): boolean => isNarrowedFor(role, 'write_saves');

/** What a user may give to others: never more than their own authority. Only owners make owners. */
export const grantableRoles = ({ role }: Pick<Authority, 'role'>): readonly MemberRole[] =>
  hasPower(role, 'manage_access') ? memberRoles.filter((one) => one !== 'owner' || role === 'owner') : [];

/** Whether an authority is enough; without an environment, for actions that concern all of them. */
export const may = (own: Authority | undefined, power: Power, environment?: Environment): boolean =>
  own !== undefined && reachOf(own, power, environment) === 'reaches';

/**
 * The signed-in user's member in the account of the page; undefined while unknown or uncertain. The token names a developer by the subject
 * at the identity provider, which is not part of other members' records. The member is therefore the one with the role and address of the
 * token; if two match, it is uncertain. `isNeeded` says whether to load the members.
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
 * The authority of the signed-in user in the account of the page; undefined while unknown. The environments are those of their member, or
 * all if the member is uncertain: the service refuses what exceeds them.
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
