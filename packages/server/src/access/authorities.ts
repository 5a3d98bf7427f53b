/**
 * What the holder of a developer token may do in its account. It is asked when a credential is looked up, and remembered with the
 * credential until access to the account changes: so a role costs a warm request nothing, and a change of it holds within a second.
 *
 * @see docs/contract.md §3.6
 */
import type { MemberStore } from '../storage/member-store.ts';
import type { ServiceAccount, ServiceAccountStore } from '../storage/service-account-store.ts';
import type { DeveloperCredential, DeveloperPrincipal } from './principal.ts';

export interface Authorities {
  /** Returns the credential with what its holder may do; undefined when the account has no such member any more. */
  find(credential: DeveloperCredential): Promise<DeveloperPrincipal | undefined>;
}

export interface AuthoritiesOptions {
  readonly store: Pick<MemberStore, 'findMember' | 'enrolDevelopers'> & Pick<ServiceAccountStore, 'findServiceAccount'>;
  /** The issuer whose subjects developer tokens name. */
  readonly issuer: string;
}

/** The operator acts as an owner, and is no member. */
const operator = { role: 'owner', environments: null, memberId: null, name: null } as const;

/** Returns the authorities of all accounts. */
export function createAuthorities({ store, issuer }: AuthoritiesOptions): Authorities {
  async function findMember({ accountId, subject }: DeveloperCredential) {
    const member = await store.findMember(accountId, issuer, subject);
    if (member?.memberId !== null) return member;
    await store.enrolDevelopers(accountId);
    return store.findMember(accountId, issuer, subject);
  }

  return {
    async find(credential) {
      if (credential.actsAs === 'operator') return { ...credential, ...operator };
      if (credential.actsAs === 'service_account') {
        return serviceAccountOf(credential, await store.findServiceAccount(credential.accountId, credential.subject));
      }
      const member = await findMember(credential);
      if (member === undefined) return undefined;
      const { role, environments, memberId, name, email } = member;
      return { ...credential, role, environments, memberId, name: name ?? email };
    },
  };
}

/** A service account acts as long as it and the secret of its token are there, and it has not expired. */
function serviceAccountOf(
  credential: DeveloperCredential,
  found: ServiceAccount | undefined,
): DeveloperPrincipal | undefined {
  if (found === undefined || !found.secrets.some(({ secretId }) => secretId === credential.secretId)) return undefined;
  const { role, environments, name, expiresAt } = found;
  const expiresAtMs = Math.min(credential.expiresAtMs, expiresAt ?? Number.POSITIVE_INFINITY);
  return { ...credential, expiresAtMs, role, environments, memberId: null, name };
}
