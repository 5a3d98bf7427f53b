/**
 * The powers of each role in an account. The authorizer uses this table, the console gets its types from it, and docs/access.md prints it.
 * The entry of an operation names the power that it needs (`needs`).
 *
 * @see docs/contract.md §3.6
 */
import type { Environment } from './identifiers.ts';
import { keysOf } from './keys.ts';

/** From the most to the least powerful. */
export const roles = ['owner', 'admin', 'editor', 'support', 'viewer', 'server'] as const;
export type Role = (typeof roles)[number];

/** The roles of people. `server` is for service accounts only. */
export const memberRoles = ['owner', 'admin', 'editor', 'support', 'viewer'] as const satisfies readonly Role[];
export type MemberRole = (typeof memberRoles)[number];

/** The roles of service accounts, which cannot own an account. */
export const serviceAccountRoles = ['admin', 'editor', 'support', 'viewer', 'server'] as const satisfies readonly Role[];
export type ServiceAccountRole = (typeof serviceAccountRoles)[number];

/**
 * Whether one authority may grant another: nobody can grant more than their own, and only owners can grant ownership. @see
 * docs/contract.md §8.8
 */
export function mayGrant(granter: Authority, granted: Authority): boolean {
  if (roles.indexOf(granted.role) < roles.indexOf(granter.role)) return false;
  const { environments } = granter;
  return (
    environments === null || (granted.environments?.every((environment) => environments.includes(environment)) ?? false)
  );
}

/** Roles that change things only in the environments given to them. */
const narrowedRoles: readonly Role[] = ['admin', 'editor', 'support', 'server'];

interface PowerEntry {
  readonly meaning: string;
  readonly roles: readonly Role[];
  /** Whether it changes something. If so, `environments` narrows it. */
  readonly changes?: true;
  /** Whether it requires an authority for all environments, even if the path names one. */
  readonly concernsAll?: true;
  /** Whether service accounts never have it. */
  readonly isOfPeople?: true;
  /** The roles that have it in protected environments too; left out if protection changes nothing. */
  readonly inProtected?: readonly Role[];
}

export const powers = {
  self: { meaning: 'Affects only the caller.', roles },
  read: { meaning: 'Reads the account, its projects and public state.', roles: memberRoles },
  read_members: { meaning: 'Reads who is a member.', roles: memberRoles, isOfPeople: true },
  read_players: { meaning: 'Reads player emails and names.', roles: ['owner', 'admin', 'editor', 'support'] },
  read_saves: { meaning: 'Reads player saves.', roles },
  write_state: {
    meaning: 'Writes public state.',
    roles: ['owner', 'admin', 'editor'],
    changes: true,
    inProtected: ['owner', 'admin'],
  },
  propose: {
    meaning: 'Proposes changes to public state.',
    roles: memberRoles,
    inProtected: memberRoles,
  },
  write_schemas: {
    meaning: 'Writes schemas.',
    roles: ['owner', 'admin'],
    changes: true,
    concernsAll: true,
    inProtected: ['owner', 'admin'],
  },
  write_saves: {
    meaning: 'Writes and deletes player saves.',
    roles: ['owner', 'admin', 'editor', 'support', 'server'],
    changes: true,
  },
  support_players: {
    meaning: 'Blocks, signs out and deletes players.',
    roles: ['owner', 'admin', 'support'],
    changes: true,
  },
  read_settings: { meaning: 'Reads sign-in settings and the audit trail.', roles: ['owner', 'admin'] },
  read_access: {
    meaning: 'Reads the means of access: invitations, service accounts, API keys, identity providers.',
    roles: ['owner', 'admin'],
    isOfPeople: true,
  },
  manage: {
    meaning: 'Manages projects and their settings.',
    roles: ['owner', 'admin'],
    changes: true,
  },
  manage_access: {
    meaning: 'Manages access: members, invitations, service accounts, API keys, identity providers.',
    roles: ['owner', 'admin'],
    changes: true,
    isOfPeople: true,
  },
  manage_webhooks: {
    meaning: 'Creates, changes and deletes webhooks.',
    roles: ['owner', 'admin'],
    changes: true,
    isOfPeople: true,
  },
  own: { meaning: 'Changes and deletes the account.', roles: ['owner'], changes: true, isOfPeople: true },
} as const satisfies Readonly<Record<string, PowerEntry>>;

export type Power = keyof typeof powers;
export const powerNames: readonly Power[] = keysOf(powers);

/** A role in an account, and the environments in which it changes things; null means all of them. */
export interface Authority {
  readonly role: Role;
  readonly environments: readonly Environment[] | null;
}

const powerEntry = (power: Power): PowerEntry => powers[power];

/** Whether a role has a power in any environment. */
export const hasPower = (role: Role, power: Power): boolean => powerEntry(power).roles.includes(role);

/** Whether service accounts never have the power. */
export const isOfPeople = (power: Power): boolean => powerEntry(power).isOfPeople === true;

/** Whether `environments` narrows a role's power. */
export const isNarrowed = (role: Role, power: Power): boolean =>
  powerEntry(power).changes === true && narrowedRoles.includes(role);

/**
 * Whether an authority is enough for an operation. If its path names no environment, an operation that changes something concerns all of
 * them, and requires an authority for all. So do schemas.
 *
 * @returns `reaches`, or the missing part: the role, or the environment.
 */
export function reachOf(
  { role, environments }: Authority,
  power: Power,
  environment: Environment | undefined,
): 'reaches' | 'role' | 'environment' {
  if (!hasPower(role, power)) return 'role';
  if (environments === null || !isNarrowed(role, power)) return 'reaches';
  const isWithin =
    environment !== undefined && powerEntry(power).concernsAll !== true && environments.includes(environment);
  return isWithin ? 'reaches' : 'environment';
}

/** Whether protected environments refuse some roles that have the power elsewhere. */
export const yieldsToProtection = (power: Power): boolean => powerEntry(power).inProtected !== undefined;

/**
 * Whether an authority that reaches an environment still reaches it when protected. For a service account, its environments must name it:
 * null, meaning all, is not enough.
 */
export function reachesProtected(
  { role, environments }: Authority,
  power: Power,
  environment: Environment,
  isServiceAccount: boolean,
): boolean {
  if (isServiceAccount && powerEntry(power).changes) return environments?.includes(environment) === true;
  return powerEntry(power).inProtected?.includes(role) ?? true;
}
