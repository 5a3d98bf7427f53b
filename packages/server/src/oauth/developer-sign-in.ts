/** How a developer signs in, and to which account. @see docs/contract.md §7.4 and §7.13 */

import { denials, membersMax } from '@holdfast/contract';
import { accountMessages } from '@holdfast/contract/messages';
import { isSuspended, isTooWeak } from '../access/rules/account-status.ts';
import { hashIfSecret } from '../common/secrets/secret-text.ts';
import type { Account, NewAccount } from '../storage/contract/accounts.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { AcceptOutcome } from '../storage/contract/invitations.ts';
import type { SignInClaims } from '../storage/contract/sign-ins.ts';
import type { Store } from '../storage/store.ts';
import { Denial, denied, type SignedInAs } from './redirect.ts';

export interface DeveloperSignInOptions {
  readonly store: Pick<Store, 'createDeveloper' | 'acceptInvitation' | 'listMemberships' | 'recordSignIn'>;
  readonly idTokens: { readonly issuer: string };
  /** Whether a developer without an account gets one by signing in. */
  readonly developerSignup: 'open' | 'closed';
  readonly newAccount: (name: string) => NewAccount;
  /** Called with a developer who signs in. */
  readonly onDeveloper: (accountId: string, subject: string) => void;
  readonly now: () => number;
}

interface Person extends SignInClaims {
  readonly subject: string;
  readonly tenant: string | null;
  readonly amr?: string | undefined;
}

/** The account requested by the callback form. */
interface AccountChoice {
  readonly invitation: string | undefined;
  readonly accountId: string | undefined;
}

/** The names of principals that are not people. */
const reservedSubject = /^(?:operator$|sa_)/;

const refusedInvitations: Readonly<Record<Exclude<AcceptOutcome['kind'], 'joined'>, Denial>> = {
  unknown: denied(denials.invitationGone),
  member: denied(denials.isMember),
  other_email: denied(denials.otherEmail),
  too_many: denied(denials.accountFull),
};

export interface DeveloperAdmission {
  readonly as: SignedInAs | Denial;
  /** An invitation of the form is used up, even where the person cannot sign in. */
  readonly isInvitationUsed: boolean;
}

export type DeveloperSignIn = (by: ChangedBy, person: Person, choice: AccountChoice) => Promise<DeveloperAdmission>;

/**
 * Returns the function that signs a developer in. It denies the ID token of a player, a suspended account, and one that asks for more than
 * the person proved.
 */
export function createDeveloperSignIn(options: DeveloperSignInOptions): DeveloperSignIn {
  const accountOf = createDeveloperAccounts(options);
  return async (by, person, choice) => {
    const account = person.tenant === null ? await accountOf(by, person, choice) : denied('the ID token is of an end user');
    if (account instanceof Denial) return { as: account, isInvitationUsed: false };
    const isInvitationUsed = choice.invitation !== undefined;
    if (isSuspended(account)) return { as: denied(accountMessages.suspended), isInvitationUsed };
    if (isTooWeak(account, person.amr)) return { as: denied(denials.secondFactorRequired), isInvitationUsed };
    options.onDeveloper(account.accountId, person.subject);
    return { as: { accountId: account.accountId, slug: null, subject: person.subject }, isInvitationUsed };
  };
}

/**
 * Returns a function that finds the account of a person: the one chosen, owned, newly created, or invited to. Developers are known by
 * issuer and subject, never by email. Without a choice, it is the account that they joined first.
 */
function createDeveloperAccounts(
  options: DeveloperSignInOptions,
): (...of: Parameters<DeveloperSignIn>) => Promise<Account | Denial> {
  const { store, idTokens, now } = options;
  const { issuer } = idTokens;

  async function join(by: ChangedBy, { subject, email, name }: Person, invitation: string): Promise<Account | Denial> {
    const hash = hashIfSecret(invitation);
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
