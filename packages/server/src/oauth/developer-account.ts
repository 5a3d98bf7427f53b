/** Which account a developer signs in to. @see docs/contract.md §7.4 and §7.10 */
import { denials } from '@holdfast/contract';
import type { AcceptOutcome, InvitationStore } from '../storage/invitation-store.ts';
import type { Account, NewAccount } from '../storage/management-store.ts';
import type { SignInStore } from '../storage/sign-in-store.ts';
import { invitationHash } from './invitations.ts';
import type { AuthorizeError } from './redirect.ts';

/** A sign-in that cannot be finished. A redirect tells the client why. */
export class Denial {
  readonly error: AuthorizeError;
  readonly description: string;

  constructor(error: AuthorizeError, description: string) {
    this.error = error;
    this.description = description;
  }
}

export interface DeveloperAccountOptions {
  readonly store: Pick<SignInStore, 'findDeveloper' | 'createDeveloper'> & Pick<InvitationStore, 'acceptInvitation'>;
  readonly idTokens: { readonly issuer: string };
  readonly developerSignup: 'open' | 'closed';
  readonly newAccount: (name: string) => NewAccount;
  readonly now: () => number;
}

interface Person {
  readonly subject: string;
  readonly name: string | null;
}

/** What acts without a person has such names. */
const reservedSubject = /^(?:operator$|sa_)/;

const denied = (description: string) => new Denial('access_denied', description);
const signUpClosed = denied(denials.signUpClosed);
const refusedInvitations: Readonly<Record<Exclude<AcceptOutcome['kind'], 'joined'>, Denial>> = {
  unknown: denied(denials.invitationGone),
  member: denied(denials.isMember),
  elsewhere: denied(denials.hasOtherAccount),
};

/**
 * Returns a function from a person to the account that they have, get, or are invited to. Developers are known by issuer and subject,
 * never by email.
 */
export function createDeveloperAccounts(
  options: DeveloperAccountOptions,
): (person: Person, invitation: string | undefined) => Promise<Account | Denial> {
  const { store, idTokens, now } = options;

  async function join(subject: string, invitation: string): Promise<Account | Denial> {
    const hash = invitationHash(invitation);
    if (hash === undefined) return refusedInvitations.unknown;
    const outcome = await store.acceptInvitation(hash, idTokens.issuer, subject, now());
    return outcome.kind === 'joined' ? outcome.account : refusedInvitations[outcome.kind];
  }

  return async ({ subject, name }, invitation) => {
    if (reservedSubject.test(subject)) return denied('the subject of the ID token is reserved');
    if (invitation !== undefined) return join(subject, invitation);
    const account = await store.findDeveloper(idTokens.issuer, subject);
    if (account !== undefined) return account;
    if (options.developerSignup === 'closed') return signUpClosed;
    return store.createDeveloper(idTokens.issuer, subject, options.newAccount(name ?? 'New account'));
  };
}
