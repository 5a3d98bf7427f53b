/** The part of the storage contract for members and their authority in each account. */
import type { Authority, MemberRole } from '@holdfast/contract';
import type { Awaitable } from '../../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';
import type { Account } from './management-store.ts';
import type { SignInClaims } from './sign-in-store.ts';

export interface Member extends Authority, SignInClaims {
  readonly accountId: string;
  /** Null for an owner from before member records existed, until `enrolDevelopers` creates one. */
  readonly memberId: string | null;
  readonly subject: string;
  readonly role: MemberRole;
  readonly joinedAt: number;
  /** When the member was last seen, to the hour; null if never recorded. */
  readonly lastSeenAt: number | null;
}

/** An account of a developer, and the developer's role in it. */
export interface Membership {
  readonly account: Account;
  readonly member: Member;
}

/** The changes to a member. Omitted fields stay as they are. */
export type MemberChanges = Partial<Pick<Member, 'role' | 'environments'>>;

export type ChangeMemberOutcome =
  | { readonly kind: 'changed'; readonly member: Member }
  /** There is no such member. */
  | { readonly kind: 'unknown' }
  /** The member is an owner, or the new authority exceeds the granter's. */
  | { readonly kind: 'beyond' }
  /** The account would have no owner left. */
  | { readonly kind: 'last_owner' }
  /** The member is an owner. Owners cannot be restricted to environments. */
  | { readonly kind: 'unnarrowable' };

export type RemoveMemberOutcome =
  | { readonly kind: 'removed'; readonly member: Member }
  | Exclude<ChangeMemberOutcome, { kind: 'changed' | 'unnarrowable' }>;

/** Members and service accounts of one account, whose names are looked up. */
export interface Nameless {
  /** Members, by their subject at the issuer. */
  readonly subjects: readonly string[];
  /** Members, by their id. */
  readonly memberIds: readonly string[];
  readonly serviceAccountIds: readonly string[];
}

/** What the service knows of the name of a member or service account. */
export interface KnownName {
  /** Which list of `Nameless` has the id. */
  readonly by: keyof Nameless;
  readonly id: string;
  readonly name: string | null;
  /** Null for service accounts, which have none. */
  readonly email: string | null;
}

export interface MemberStore {
  /** The membership of a developer, identified by issuer and subject, in an account. A developer without a member record is an owner. */
  findMember(accountId: string, issuer: string, subject: string): Awaitable<Member | undefined>;
  /** Creates the missing member records of the account's developers. */
  enrolDevelopers(accountId: string): Promise<void>;
  /** The names of some members, who are identified at `issuer`, and service accounts; whoever is gone is left out. */
  findNames(accountId: string, issuer: string, nameless: Nameless): Awaitable<readonly KnownName[]>;
  /** All members, in the order in which they joined. */
  listMembers(accountId: string): Awaitable<readonly Member[]>;
  /** The accounts of which a developer is a member, in the order of joining. */
  listMemberships(issuer: string, subject: string): Awaitable<readonly Membership[]>;
  /** Stores the identity provider's claims about a member who signs in. `unknown` if the developer is no longer a member. */
  recordSignIn(
    accountId: string,
    issuer: string,
    subject: string,
    claims: SignInClaims,
    now: number,
  ): Promise<'recorded' | 'unknown'>;
  /**
   * Changes a member's authority, within that of `granter`: only an owner changes an owner. The member's invitations that exceed the new
   * authority end in the same step. If owners demote each other at the same time, one of them stays an owner. An access change.
   */
  changeMember(
    by: ChangedBy,
    accountId: string,
    memberId: string,
    changes: MemberChanges,
    granter: Authority,
  ): Promise<ChangeMemberOutcome>;
  /**
   * Removes a member, with the member's sign-ins and open invitations in the account; only an owner removes an owner. For a member who
   * leaves, `granter` is the member's own authority. An access change.
   */
  removeMember(by: ChangedBy, accountId: string, memberId: string, granter: Authority): Promise<RemoveMemberOutcome>;
  /** Makes every node look up access to an account again, after a change that does not announce itself. An access change. */
  forgetAccess(accountId: string): Promise<void>;
}
