import { keysOf } from './keys.ts';

/** Why the login page lets a developer not in, as `error_description` of `access_denied`. Clients may show words of their own for them. */
export const denials = {
  signUpClosed: 'sign-up of developers is closed: ask whoever runs the service for an invitation',
  invitationGone: 'the invitation was used or withdrawn, has expired, or never was',
  isMember: 'you belong to this account already: sign in without the invitation, which stays good',
  hasOtherAccount:
    'you have another account, and nobody has two: use another sign-in for this invitation, which stays good',
  secondFactorRequired: 'the account requires a second factor: sign in again, and set one up',
} as const;

export type DenialReason = keyof typeof denials;
export const denialReasons: readonly DenialReason[] = keysOf(denials);
