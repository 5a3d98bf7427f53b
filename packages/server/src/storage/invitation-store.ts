/** The part of the storage contract about invitations: links that make whoever opens them a member of an account. */
import type { Authority, MemberRole } from '@holdfast/contract';
import type { Awaitable } from '../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';
import type { Account } from './management-store.ts';
import type { SignInClaims } from './sign-in-store.ts';

export interface Invitation extends Authority {
  readonly invitationId: string;
  readonly accountId: string;
  readonly role: MemberRole;
  /** The verified address that alone can use it; null for anybody's. */
  readonly email: string | null;
  /** What the person who invites is called; null for the operator. */
  readonly inviter: string | null;
  /** The member who invites; null for the operator. */
  readonly makerId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export type AcceptOutcome =
  | { readonly kind: 'joined'; readonly account: Account }
  /**
   * The developer is a member of the account already, has another address than the invitation is for, or the account has as many members
   * as it may have. The invitation stays good.
   */
  | { readonly kind: 'member' | 'other_email' | 'too_many' }
  /** Used, withdrawn, expired, never made, or its account is gone. */
  | { readonly kind: 'unknown' };

export interface InvitationStore {
  /**
   * `invitationHash` is the SHA-256 of the token in the link. `too_many` when the account has `openMax` that have not expired;
   * `no_authority` when its maker is no member any more, or may not give so much.
   */
  addInvitation(
    by: ChangedBy,
    invitationHash: Uint8Array,
    invitation: Invitation,
    openMax: number,
  ): Promise<'added' | 'no_account' | 'no_authority' | 'too_many'>;
  /** The invitations of an account that are good at `now`, newest first; all of them. */
  listInvitations(accountId: string, now: number): Awaitable<readonly Invitation[]>;
  /** An invitation that is good at `now`, with its account. Spends nothing. */
  findInvitation(
    invitationHash: Uint8Array,
    now: number,
  ): Awaitable<{ readonly invitation: Invitation; readonly account: Account } | undefined>;
  /**
   * Makes the developer a member of the account, which then has at most `membersMax`, and spends the invitation, in one step: of any
   * number of parallel uses exactly one gets `joined`; the new member is who acts. `claims` are those of the sign-in; the address is a verified one.
   */
  acceptInvitation(
    by: ChangedBy,
    invitationHash: Uint8Array,
    issuer: string,
    subject: string,
    claims: SignInClaims,
    now: number,
    membersMax: number,
  ): Promise<AcceptOutcome>;
  /** Deletes an invitation of the account before it is used. */
  withdrawInvitation(by: ChangedBy, accountId: string, invitationId: string): Promise<'withdrawn' | 'unknown'>;
}
