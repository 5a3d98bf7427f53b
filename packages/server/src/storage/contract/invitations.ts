/** Records of invitations: links that make the person who opens them a member of an account. */
import type { Authority, MemberRole } from '@holdfast/contract';
import type { Account } from './accounts.ts';

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
