/** The texts of the required second factor, in both languages. They are separate, so that other pages do not load them. */
import { useLanguage } from './index.ts';
import type { Widened } from './widened.ts';

const en = {
  second: 'Members need a second factor',
  secondText: 'A passkey, or a password with the code of an authenticator app.',
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

const de: Widened<typeof en> = {
  second: 'Mitglieder brauchen einen zweiten Faktor',
  secondText: 'Einen Passkey oder ein Passwort mit dem Code einer Authenticator-App.',
  secondOwners: 'Nur Eigentümer können das ändern.',
  secondOutside:
    'Die Anmeldung läuft hier über Ihren eigenen Identitätsanbieter. Verlangen Sie den zweiten Faktor dort. Es wurde nichts geändert.',
  secondTitle: 'Zweiten Faktor verlangen?',
  secondEnds:
    'Wer sich ohne zweiten Faktor angemeldet hat, wird innerhalb einer Sekunde abgemeldet, gegebenenfalls auch Sie, und muss bei der nächsten Anmeldung einen einrichten.',
  secondAction: 'Verlangen',
  secondRequired: 'Mitglieder brauchen jetzt einen zweiten Faktor',
  secondFree: 'Ein zweiter Faktor ist nicht mehr nötig',
};

export const useSecondFactorTexts = (): Widened<typeof en> => (useLanguage() === 'de' ? de : en);
