/** The texts of the required second factor in English. */
import type { Widened } from './widened.ts';

export const texts = {
  second: 'Members need a second factor',
  secondText: 'A second factor is a passkey, or a code from an authenticator app in addition to the password.',
  secondOwners: 'Only owners can change this.',
  secondOutside:
    'People sign in here through your own identity provider. Require a second factor there. Nothing has changed.',
  secondTitle: 'Require a second factor?',
  secondEnds:
    'Everybody who signed in without one, including you, is signed out within a second and has to set one up at the next sign-in.',
  secondAction: 'Require',
  secondRequired: 'Members now need a second factor',
  secondFree: 'A second factor is no longer required',
};

export type SecondFactorTexts = Widened<typeof texts>;
