/**
 * Invitations: links that make whoever opens them a member of an account, once.
 *
 * @see docs/contract.md §7.10
 */
import type { InvitationBody } from '@holdfast/contract';
import { randomIdentifier } from '../common/base62.ts';
import { quoted, Refusal } from '../common/refusal.ts';
import { formatTime } from '../common/time.ts';
import type { Invitation, InvitationStore } from '../storage/invitation-store.ts';
import { hashSecret, randomSecret } from './secret-text.ts';

const days = 7;
/** Of one account, at a time. */
const openMax = 100;
const tokenPattern = /^[0-9A-Za-z]{43}$/;

/** Returns under which hash an invitation is stored; undefined when the text is no token of one. */
export const invitationHash = (token: string): Uint8Array | undefined =>
  tokenPattern.test(token) ? hashSecret(token) : undefined;

/**
 * Invites somebody to own the account. Returns the token, which is stored nowhere. Throws `not_found` when there is no such account,
 * and `already_exists` when too many invitations are open.
 */
export async function inviteOwner(
  store: Pick<InvitationStore, 'addInvitation'>,
  accountId: string,
  nowMs: number,
): Promise<{ readonly token: string; readonly invitation: Invitation }> {
  const token = randomSecret();
  const invitation: Invitation = {
    invitationId: `inv_${randomIdentifier()}`,
    accountId,
    role: 'owner',
    inviter: null,
    createdAt: nowMs,
    expiresAt: nowMs + days * 24 * 60 * 60 * 1000,
  };
  const outcome = await store.addInvitation(hashSecret(token), invitation, openMax);
  if (outcome === 'added') return { token, invitation };
  if (outcome === 'no_account') throw new Refusal('not_found', `there is no account ${quoted(accountId)}`);
  throw new Refusal('already_exists', `the account has ${openMax} open invitations: each ends after ${days} days`);
}

/** Returns what an invitation leads to. Throws `not_found` when it was used or withdrawn, has expired, or never was. */
export async function readInvitation(
  store: Pick<InvitationStore, 'findInvitation'>,
  token: string,
  nowMs: number,
): Promise<InvitationBody> {
  const hash = invitationHash(token);
  const found = hash && (await store.findInvitation(hash, nowMs));
  if (found === undefined) {
    throw new Refusal('not_found', 'the invitation was used or withdrawn, has expired, or never was');
  }
  const { role, inviter, expiresAt } = found.invitation;
  return { accountName: found.account.name, role, environments: null, inviter, expiresAt: formatTime(expiresAt) };
}
