/** The account that a developer signs in to. @see docs/contract.md §7.4 and §7.13 */
import { denials, membersMax } from '@holdfast/contract';
import type { ChangedBy } from '../storage/contract/audit-store.ts';
import type { AcceptOutcome, InvitationStore } from '../storage/contract/invitation-store.ts';
import type { Account, NewAccount } from '../storage/contract/management-store.ts';
import type { MemberStore } from '../storage/contract/member-store.ts';
import type { SignInClaims, SignInStore } from '../storage/contract/sign-in-store.ts';
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
  readonly store: Pick<SignInStore, 'createDeveloper'> &
    Pick<InvitationStore, 'acceptInvitation'> &
    Pick<MemberStore, 'listMemberships' | 'recordSignIn'>;
  readonly idTokens: { readonly issuer: string };
  readonly developerSignup: 'open' | 'closed';
  readonly newAccount: (name: string) => NewAccount;
  readonly now: () => number;
}

interface Person extends SignInClaims {
  readonly subject: string;
}

/** The account requested by the callback form. */
export interface AccountChoice {
  readonly invitation: string | undefined;
  readonly accountId: string | undefined;
}

/** The names of principals that are not people. */
const reservedSubject = /^(?:operator$|sa_)/;

const denied = (description: string) => new Denial('access_denied', description);
const refusedInvitations: Readonly<Record<Exclude<AcceptOutcome['kind'], 'joined'>, Denial>> = {
  unknown: denied(denials.invitationGone),
  member: denied(denials.isMember),
  other_email: denied(denials.otherEmail),
  too_many: denied(denials.accountFull),
};

/**
 * Returns a function that finds the account of a person: the one chosen, owned, newly created, or invited to. Developers are known by
 * issuer and subject, never by email. Without a choice, it is the account that they joined first.
 */
export function createDeveloperAccounts(
  options: DeveloperAccountOptions,
): (by: ChangedBy, person: Person, choice: AccountChoice) => Promise<Account | Denial> {
  const { store, idTokens, now } = options;
  const { issuer } = idTokens;

  async function join(by: ChangedBy, { subject, email, name }: Person, invitation: string): Promise<Account | Denial> {
    const hash = invitationHash(invitation);
    if (hash === undefined) return refusedInvitations.unknown;
    const outcome = await store.acceptInvitation(by, hash, issuer, subject, { email, name }, by.at, membersMax);
    return outcome.kind === 'joined' ? outcome.account : refusedInvitations[outcome.kind];
  }

  async function admit({ subject, email, name }: Person, accountId: string | undefined): Promise<Account | Denial> {
    const memberships = await store.listMemberships(issuer, subject);
    const chosen =
      accountId === undefined ? memberships[0] : memberships.find(({ account }) => account.accountId === accountId);
    if (chosen !== undefined) {
      const outcome = await store.recordSignIn(chosen.account.accountId, issuer, subject, { email, name }, now());
      return outcome === 'recorded' ? chosen.account : denied(denials.notMember);
    }
    if (accountId !== undefined) return denied(denials.notMember);
    if (options.developerSignup === 'closed') return denied(denials.signUpClosed);
    return store.createDeveloper(issuer, subject, options.newAccount(name ?? 'New account'), { email, name });
  }

  return async (by, person, { invitation, accountId }) => {
    if (reservedSubject.test(person.subject)) return denied('the subject of the ID token is reserved');
    return invitation === undefined ? admit(person, accountId) : join(by, person, invitation);
  };
}
