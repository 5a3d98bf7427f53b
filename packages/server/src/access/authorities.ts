/**
 * What the holder of a developer token may do in its account. It is asked when a credential is looked up, and remembered with the
 * credential until access to the account changes: so a role costs a warm request nothing, and a change of it holds within a second.
 *
 * @see docs/contract.md §3.6
 */
import type { Awaitable } from '../storage/store.ts';
import type { DeveloperCredential, DeveloperPrincipal } from './principal.ts';

export interface Authorities {
  /** Returns the credential with what its holder may do; undefined when the account has no such member any more. */
  find(credential: DeveloperCredential): Awaitable<DeveloperPrincipal | undefined>;
}

/** The operator acts as an owner, and is no member. */
const operator = { role: 'owner', environments: null, memberId: null, name: null } as const;

/** Returns the authorities of all accounts. */
export function createAuthorities(): Authorities {
  return {
    find(credential) {
      switch (credential.actsAs) {
        case 'operator':
          return { ...credential, ...operator };
        case 'member':
          return { ...credential, ...operator };
        case 'service_account':
          return undefined;
      }
    },
  };
}
