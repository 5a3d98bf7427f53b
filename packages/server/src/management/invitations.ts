/**
 * Invitations: links that make one person a member of an account.
 *
 * @see docs/contract.md §7.13 and §8.9
 */

import {
  type Authority,
  type CreatedInvitationBody,
  type CreateInvitationBody,
  type InvitationBody,
  type MemberRole,
  mayGrant,
  type OpenInvitationBody,
  openInvitationsMax,
} from '@holdfast/contract';
import { requireFinishedUpgrade } from '../access/finished-upgrade.ts';
import type { DeveloperPrincipal } from '../access/principal.ts';
import { randomIdentifier } from '../common/ids/base62.ts';
import { invitationLink } from '../common/net/console-addresses.ts';
import { noAccount, Refusal } from '../common/requests/refusal.ts';
import { formatTime } from '../common/requests/time.ts';
import { hashIfSecret, hashSecret, randomSecret } from '../common/secrets/secret-text.ts';
import { isDeceptiveEmail, isSameEmail, parseEmail } from '../common/text/email-address.ts';
import { quoted } from '../common/text/quoted.ts';
import { dayMilliseconds } from '../common/time/durations.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { Invitation } from '../storage/contract/invitations.ts';
import type { Store } from '../storage/store.ts';

const days = 7;

/** A new invitation. */
export interface NewInvitation extends Authority {
  readonly accountId: string;
  readonly role: MemberRole;
  readonly email: string | null;
  readonly inviter: string | null;
  readonly makerId: string | null;
}

/** The part that all invitations by the operator share. */
export const ofOperator = { environments: null, email: null, inviter: null, makerId: null } as const;

/**
 * Invites somebody to the account. Returns the token, which is not stored. Throws `not_found` if the account does not exist, `forbidden`
 * if the inviter may no longer give that much, `limit_reached` if too many invitations are open, and `upgrade_unfinished`.
 */
export async function invite(
  store: Pick<Store, 'addInvitation' | 'isUpgradeFinished'>,
  by: ChangedBy,
  asked: NewInvitation,
): Promise<{ readonly token: string; readonly invitation: Invitation }> {
  // Nodes of an earlier release treat every member as an owner.
  if (asked.role !== 'owner') await requireFinishedUpgrade(store, 'roles');
  const token = randomSecret();
  const invitation: Invitation = {
    ...asked,
    invitationId: `inv_${randomIdentifier()}`,
    createdAt: by.at,
    expiresAt: by.at + days * dayMilliseconds,
  };
  const outcome = await store.addInvitation(by, hashSecret(token), invitation, openInvitationsMax);
  if (outcome === 'added') return { token, invitation };
  if (outcome === 'no_account') throw noAccount(asked.accountId);
  if (outcome === 'no_authority') throw new Refusal('forbidden', 'you cannot give more than your own rights');
  throw new Refusal(
    'limit_reached',
    `the account has ${openInvitationsMax} open invitations: withdraw one, or wait; each ends after ${days} days`,
  );
}

/** Returns an invitation's offer. Throws `not_found` if it was used or withdrawn, has expired, or never existed. */
export async function readInvitation(
  store: Pick<Store, 'findInvitation'>,
  token: string,
  nowMs: number,
): Promise<InvitationBody> {
  const hash = hashIfSecret(token);
  const found = hash && (await store.findInvitation(hash, nowMs));
  if (found === undefined) {
    throw new Refusal('not_found', 'the invitation was used or withdrawn, has expired, or never existed');
  }
  const { role, environments, inviter, expiresAt } = found.invitation;
  const narrowed = environments && [...environments];
  return { accountName: found.account.name, role, environments: narrowed, inviter, expiresAt: formatTime(expiresAt) };
}

/** Mails the link of an invitation, in our own words. */
export interface InvitationMails {
  /** Counts one mail of the account. Returns the seconds until it may send another; undefined if it may now. */
  take(accountId: string): Promise<number | undefined>;
  /** Sends it later, and tries again until the invitation expires. */
  send(mail: {
    readonly to: string;
    readonly accountId: string;
    readonly invitationHash: Uint8Array;
    readonly expiresAt: number;
    readonly link: string;
    /** The inviter's `Accept-Language` header. */
    readonly language: string | undefined;
  }): Promise<void>;
}

export interface InvitingOptions {
  readonly store: Pick<Store, 'addInvitation' | 'findMember' | 'findHolderOfEmail' | 'isUpgradeFinished'>;
  /** The issuer whose subjects members are. */
  readonly issuer: string;
  readonly baseUrl: () => string;
  /** Undefined if the service sends no mail. */
  readonly mails: InvitationMails | undefined;
  readonly now: () => number;
}

/**
 * Invites somebody on behalf of a member, and returns the link, which is shown once. Throws `validation_error` for an invalid address,
 * for the member's own, and for an owner of only some environments, `forbidden` over the authority of the member, `rate_limited` if the
 * account has sent too many mails, and the errors of `invite`.
 */
export async function inviteAs(
  options: InvitingOptions,
  by: ChangedBy,
  maker: DeveloperPrincipal,
  { role, environments = null, email: asked = null }: CreateInvitationBody,
  language: string | undefined,
): Promise<CreatedInvitationBody> {
  const { store, issuer, baseUrl, mails } = options;
  const { accountId, subject, memberId, name } = maker;
  if (role === 'owner' && environments !== null) {
    throw new Refusal('validation_error', 'an owner has all environments: environments must be null or left out');
  }
  const email = asked === null ? null : await addressOf(store, asked);
  if (!mayGrant(maker, { role, environments })) {
    throw new Refusal('forbidden', `the role ${maker.role} does not allow this: you cannot give more than your own rights`);
  }
  const own = memberId === null ? undefined : await store.findMember(accountId, issuer, subject);
  if (email !== null && typeof own?.email === 'string' && isSameEmail(own.email, email)) {
    throw new Refusal('validation_error', 'this is your own address, and you are a member already');
  }
  const wait = email === null ? undefined : await mails?.take(accountId);
  if (wait !== undefined) throw tooManyMails(wait);
  const about = { accountId, role, environments, email, inviter: name, makerId: memberId };
  const { token, invitation } = await invite(store, by, about);
  const url = invitationLink(baseUrl(), token);
  const { invitationId: id, expiresAt } = invitation;
  const invitationHash = hashSecret(token);
  if (email !== null) await mails?.send({ to: email, accountId, invitationHash, expiresAt, link: url, language });
  return { id, role, environments, email, expiresAt: formatTime(expiresAt), url };
}

async function addressOf(store: Pick<Store, 'findHolderOfEmail'>, text: string): Promise<string> {
  const address = parseEmail(text);
  if (address === undefined) throw new Refusal('validation_error', '"/email" must be an email address, or null');
  // Some developers of older releases have such an address. New sign-ups with one are refused.
  if (isDeceptiveEmail(address.email) && (await store.findHolderOfEmail(null, address.emailKey)) === undefined) {
    throw new Refusal(
      'validation_error',
      '"/email" has a letter before the "@" that looks like another one: nobody can sign up with this address',
    );
  }
  return address.email;
}

const tooManyMails = (retryAfterSeconds: number): Refusal =>
  new Refusal(
    'rate_limited',
    'the account has reached its daily limit of mailed invitations: leave "email" out and send the link yourself, or wait',
    { retryAfterSeconds },
  );

/** Returns the open invitations of an account, newest first. */
export async function listInvitations(
  store: Pick<Store, 'listInvitations'>,
  accountId: string,
  nowMs: number,
): Promise<OpenInvitationBody[]> {
  const invitations = await store.listInvitations(accountId, nowMs);
  return invitations.map(({ invitationId: id, role, environments, email, inviter, createdAt, expiresAt }) => ({
    id,
    role,
    environments: environments && [...environments],
    email,
    inviter,
    createdAt: formatTime(createdAt),
    expiresAt: formatTime(expiresAt),
  }));
}

/** Withdraws an invitation of the account. Throws `not_found` if it does not exist, or no longer does. */
export async function withdrawInvitation(
  store: Pick<Store, 'withdrawInvitation'>,
  by: ChangedBy,
  accountId: string,
  invitationId: string,
): Promise<void> {
  if ((await store.withdrawInvitation(by, accountId, invitationId)) === 'withdrawn') return;
  throw new Refusal('not_found', `the account has no open invitation ${quoted(invitationId)}`);
}
