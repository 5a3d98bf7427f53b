/** The part of the storage contract about invitations: links that make whoever opens them a member of an account. */
import type { Awaitable } from '../common/awaitable.ts';
import type { Account } from './management-store.ts';

export interface Invitation {
  readonly invitationId: string;
  readonly accountId: string;
  readonly role: 'owner';
  /** What the person who invites is called; null for the operator. */
  readonly inviter: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export type AcceptOutcome =
  | { readonly kind: 'joined'; readonly account: Account }
  /** The developer belongs to this account already, or to another one. The invitation stays good. */
  | { readonly kind: 'member' | 'elsewhere' }
  /** Used, withdrawn, expired, never made, or its account is gone. */
  | { readonly kind: 'unknown' };

export interface InvitationStore {
  /** `invitationHash` is the SHA-256 of the token in the link. `too_many` when the account has `openMax` that have not expired. */
  addInvitation(
    invitationHash: Uint8Array,
    invitation: Invitation,
    openMax: number,
  ): Promise<'added' | 'no_account' | 'too_many'>;
  /** An invitation that is good at `now`, with its account. Spends nothing. */
  findInvitation(
    invitationHash: Uint8Array,
    now: number,
  ): Awaitable<{ readonly invitation: Invitation; readonly account: Account } | undefined>;
  /**
   * Makes the developer a member of the account and spends the invitation, in one step: of any number of parallel uses exactly one
   * gets `joined`, and a developer joins one account at most.
   */
  acceptInvitation(invitationHash: Uint8Array, issuer: string, subject: string, now: number): Promise<AcceptOutcome>;
  /** Deletes an invitation of the account before it is used. */
  withdrawInvitation(accountId: string, invitationId: string): Promise<'withdrawn' | 'unknown'>;
}
