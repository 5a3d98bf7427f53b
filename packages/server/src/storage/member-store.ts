/** The part of the storage contract about members: who may do what in which account. */
import type { Authority, MemberRole } from '@holdfast/contract';
import type { Awaitable } from '../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';
import type { Account } from './management-store.ts';
import type { SignInClaims } from './sign-in-store.ts';

export interface Member extends Authority, SignInClaims {
  readonly accountId: string;
  /** Null for an owner from before there were member records, until `enrolDevelopers` makes one. */
  readonly memberId: string | null;
  readonly subject: string;
  readonly role: MemberRole;
  readonly joinedAt: number;
  /** Right to an hour; null when nobody noted it yet. */
  readonly lastSeenAt: number | null;
}

/** An account of a developer, and what the developer is there. */
export interface Membership {
  readonly account: Account;
  readonly member: Member;
}

/** What is to be changed of a member. What is left out stays. */
export type MemberChanges = Partial<Pick<Member, 'role' | 'environments'>>;

export type ChangeMemberOutcome =
  | { readonly kind: 'changed'; readonly member: Member }
  /** There is no such member. */
  | { readonly kind: 'unknown' }
  /** The member is an owner, or the new authority is beyond that of who gives it. */
  | { readonly kind: 'beyond' }
  /** Nobody would own the account any more. */
  | { readonly kind: 'last_owner' }
  /** The member is an owner, whom no environments narrow. */
  | { readonly kind: 'unnarrowable' };

export type RemoveMemberOutcome =
  | { readonly kind: 'removed'; readonly member: Member }
  | Exclude<ChangeMemberOutcome, { kind: 'changed' | 'unnarrowable' }>;

export interface MemberStore {
  /** What a developer, known by issuer and subject, is in an account. A developer from before there were member records is an owner. */
  findMember(accountId: string, issuer: string, subject: string): Awaitable<Member | undefined>;
  /** Makes member records for the developers of the account who have none. */
  enrolDevelopers(accountId: string): Promise<void>;
  /** The one who joined first comes first; all of them. */
  listMembers(accountId: string): Awaitable<readonly Member[]>;
  /** The accounts that a developer is a member of; the one that was joined first comes first. */
  listMemberships(issuer: string, subject: string): Awaitable<readonly Membership[]>;
  /** Keeps what an identity provider said of a member who signs in. `unknown` when the developer is no member any more. */
  recordSignIn(
    accountId: string,
    issuer: string,
    subject: string,
    claims: SignInClaims,
    now: number,
  ): Promise<'recorded' | 'unknown'>;
  /**
   * Changes what a member may do, as far as `granter` may: only an owner changes an owner. Invitations of the member that go beyond
   * the new authority end in the same step. Of owners who demote each other at once, one stays. An access change.
   */
  changeMember(
    by: ChangedBy,
    accountId: string,
    memberId: string,
    changes: MemberChanges,
    granter: Authority,
  ): Promise<ChangeMemberOutcome>;
  /**
   * Removes a member, with the sign-ins and open invitations that the member has in the account; only an owner removes an owner. For
   * a member who leaves, `granter` is what the member itself may do. An access change.
   */
  removeMember(by: ChangedBy, accountId: string, memberId: string, granter: Authority): Promise<RemoveMemberOutcome>;
  /** Has every node look up again who may do what in an account, after a change that does not say so by itself. An access change. */
  forgetAccess(accountId: string): Promise<void>;
}
