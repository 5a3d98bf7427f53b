/** The part of the storage contract for invitations: links that make the person who opens them a member of an account. */
import type { Authority, MemberRole } from '@holdfast/contract';
import type { Awaitable } from '../../common/awaitable.ts';
import type { ChangedBy } from './audit-store.ts';
import type { Account } from './management-store.ts';
import type { SignInClaims } from './sign-in-store.ts';

export interface Invitation extends Authority {
  readonly invitationId: string;
  readonly accountId: string;
  readonly role: MemberRole;
  /** The verified address that may use the invitation; null if any address may. */
  readonly email: string | null;
  /** The name of the member who invites; null for the operator. */
  readonly inviter: string | null;
  /** The member who invites; null for the operator. */
  readonly makerId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export type AcceptOutcome =
  | { readonly kind: 'joined'; readonly account: Account }
  /**
   * The developer is already a member (`member`), has a different address from the invited one (`other_email`), or the account has reached
   * its maximum of members (`too_many`). The invitation stays valid.
   */
  | { readonly kind: 'member' | 'other_email' | 'too_many' }
  /** The invitation was used, withdrawn, has expired or is unknown, or its account is deleted. */
  | { readonly kind: 'unknown' };

export interface InvitationStore {
  /**
   * `invitationHash` is the SHA-256 of the token in the link. `too_many` if the account has `openMax` unexpired invitations; `no_authority`
   * if the inviter is no longer a member or lacks the authority being granted.
   */
  addInvitation(
    by: ChangedBy,
    invitationHash: Uint8Array,
    invitation: Invitation,
    openMax: number,
  ): Promise<'added' | 'no_account' | 'no_authority' | 'too_many'>;
  /** All invitations of an account that are valid at `now`, newest first. */
  listInvitations(accountId: string, now: number): Awaitable<readonly Invitation[]>;
  /** An invitation that is valid at `now`, with its account. The invitation is not used up. */
  findInvitation(
    invitationHash: Uint8Array,
    now: number,
  ): Awaitable<{ readonly invitation: Invitation; readonly account: Account } | undefined>;
  /**
   * Makes the developer a member of the account, which then has at most `membersMax`, and spends the invitation, in one step: of parallel
   * uses, exactly one gets `joined`. The new member is the actor. `claims` come from the sign-in and include a verified address.
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
  /** Deletes an unused invitation of the account. */
  withdrawInvitation(by: ChangedBy, accountId: string, invitationId: string): Promise<'withdrawn' | 'unknown'>;
}
