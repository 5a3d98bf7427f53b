/** Records of members and their authority in each account. */
import type { Authority, MemberRole } from '@holdfast/contract';
import type { Account } from './accounts.ts';
import type { SignInClaims } from './sign-ins.ts';

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
