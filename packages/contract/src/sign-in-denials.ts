import { keysOf } from './keys.ts';

/** Why the login page lets a developer not in, as `error_description` of `access_denied`. Clients may show words of their own for them. */
export const denials = {
  signUpClosed: 'sign-up of developers is closed: ask whoever runs the service for an invitation',
  invitationGone: 'the invitation was used or withdrawn, has expired, or never was',
  isMember: 'you belong to this account already: sign in without the invitation, which stays good',
  secondFactorRequired: 'the account requires a second factor: sign in again, and set one up',
  otherEmail: 'the invitation is for another email address: sign in with that one. It stays good',
  accountFull: 'the account has as many members as it may have: one of them has to leave first',
  notMember: 'you are no member of this account, or not any more',
} as const;

export type DenialReason = keyof typeof denials;
export const denialReasons: readonly DenialReason[] = keysOf(denials);
