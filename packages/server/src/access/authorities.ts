/**
 * Roles: which one the holder of a developer token has in its account, and what it allows. Looked up with a credential, and remembered with
 * it until access to the account changes: a role costs a warm request nothing, and a change takes effect within a second.
 *
 * @see docs/contract.md §3.6 and §3.7
 */
import { type Environment, isOfPeople, type Power, reachesProtected, reachOf } from '@holdfast/contract';
import { forbidden } from '../common/requests/refusal.ts';
import type { ServiceAccount } from '../storage/contract/service-accounts.ts';
import type { Store } from '../storage/store.ts';
import { restrictions } from './finished-upgrade.ts';
import type { DeveloperCredential, DeveloperPrincipal, Principal } from './principal.ts';

export interface Authorities {
  /** Returns the credential with the authority of its holder; undefined if the account no longer has such a member. */
  find(credential: DeveloperCredential): Promise<DeveloperPrincipal | undefined>;
}

export interface AuthoritiesOptions {
  readonly store: Pick<Store, 'findMember' | 'enrolDevelopers' | 'findServiceAccount' | 'isUpgradeFinished'>;
  /** The issuer of the subjects in developer tokens. */
  readonly issuer: string;
}

/** The operator acts as an owner, but is not a member. */
const operator = { role: 'owner', environments: null, memberId: null, name: null } as const;

/** Returns the authorities of all accounts. */
export function createAuthorities({ store, issuer }: AuthoritiesOptions): Authorities {
  async function findMember({ accountId, subject }: DeveloperCredential) {
    const member = await store.findMember(accountId, issuer, subject);
    if (member?.memberId !== null) return member;
    await store.enrolDevelopers(accountId);
    return store.findMember(accountId, issuer, subject);
  }

  async function findHolder(credential: DeveloperCredential): Promise<DeveloperPrincipal | undefined> {
    if (credential.actsAs === 'operator') return { ...credential, ...operator };
    if (credential.actsAs === 'service_account') {
      return serviceAccountOf(credential, await store.findServiceAccount(credential.accountId, credential.subject));
    }
    const member = await findMember(credential);
    if (member === undefined) return undefined;
    const { role, environments, memberId, name, email } = member;
    return { ...credential, role, environments, memberId, name: name ?? email };
  }

  /** While nodes of an older version run, which let admins change things in all environments, the others do so too. */
  async function widen(holder: DeveloperPrincipal): Promise<DeveloperPrincipal> {
    const isOlderRule = holder.role === 'admin' && !(await store.isUpgradeFinished(restrictions.narrowedAdmins));
    return isOlderRule ? { ...holder, environments: null } : holder;
  }

  return {
    async find(credential) {
      const holder = await findHolder(credential);
      return holder === undefined || holder.environments === null ? holder : widen(holder);
    },
  };
}

/** A service account may act while it and the secret of its token exist, and it has not expired. */
function serviceAccountOf(
  credential: DeveloperCredential,
  found: ServiceAccount | undefined,
): DeveloperPrincipal | undefined {
  if (found === undefined || !found.secrets.some(({ secretId }) => secretId === credential.secretId)) return undefined;
  const { role, environments, name, expiresAt } = found;
  const expiresAtMs = Math.min(credential.expiresAtMs, expiresAt ?? Number.POSITIVE_INFINITY);
  return { ...credential, expiresAtMs, role, environments, memberId: null, name };
}

/** Throws `forbidden` if the role of a principal lacks a power in an environment; undefined: in all of them. */
export function requirePower(
  principal: DeveloperPrincipal,
  needs: Power | undefined,
  environment: Environment | undefined,
): void {
  if (needs === undefined) throw forbidden('developers cannot use this route');
  const { role, actsAs } = principal;
  if (actsAs === 'service_account' && isOfPeople(needs)) throw forbidden('service accounts cannot use this route: sign in');
  const reach = reachOf(principal, needs, environment);
  if (reach === 'role') throw forbidden(`the role ${role} does not allow this`);
  if (reach === 'environment') {
    throw forbidden(
      environment === undefined || principal.environments?.includes(environment)
        ? `this affects all environments, and the role ${role} was given for only some of them`
        : `the role ${role} was not given for the environment ${environment}`,
    );
  }
}

/** Returns true for a principal that may change a protected environment. Throws `forbidden` for others. @see docs/contract.md §3.7 */
export function requireProtected(principal: Principal, needs: Power, environment: Environment): true {
  const why = `the environment ${environment} is protected`;
  if (principal.kind !== 'developer') throw forbidden(`${why}: API keys cannot write there`);
  const isServiceAccount = principal.actsAs === 'service_account';
  if (reachesProtected(principal, needs, environment, isServiceAccount)) return true;
  throw forbidden(
    isServiceAccount
      ? `${why}: a service account writes there only if its environments name it`
      : `${why}: the role ${principal.role} does not write there; an owner or an admin does`,
  );
}
