import { keysOf } from './keys.ts';

/** Reasons why the login page refuses a developer, as `error_description` of `access_denied`. Clients may show their own text. */
export const denials = {
  signUpClosed: 'sign-up of developers is closed: ask whoever runs the service for an invitation',
  invitationGone: 'the invitation was used or withdrawn, has expired, or never existed',
  isMember: 'you are already a member of this account: sign in without the invitation, which stays valid',
  secondFactorRequired: 'the account requires a second factor: sign in again, and set one up',
  otherEmail: 'the invitation is for another email address: sign in with that one. The invitation stays valid',
  accountFull: 'the account has as many members as it may have: one of them has to leave first',
  notMember: 'you are not a member of this account',
} as const;

export type DenialReason = keyof typeof denials;
export const denialReasons: readonly DenialReason[] = keysOf(denials);
