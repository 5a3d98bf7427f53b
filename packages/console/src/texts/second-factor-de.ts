/** The texts of the required second factor in German. */
import type { SecondFactorTexts } from './second-factor-en.ts';

export const texts: SecondFactorTexts = {
  second: 'Ein zweiter Faktor ist Pflicht',
  secondText: 'Als zweiter Faktor gilt ein Passkey oder, zusätzlich zum Passwort, ein Code aus einer Authenticator-App.',
  secondOwners: 'Nur Eigentümer können das ändern.',
  secondOutside:
    'Die Anmeldung läuft hier über Ihren eigenen Identitätsanbieter. Verlangen Sie den zweiten Faktor dort. Es wurde nichts geändert.',
  secondTitle: 'Zweiten Faktor verlangen?',
  secondEnds:
    'Wer sich ohne zweiten Faktor angemeldet hat, wird innerhalb einer Sekunde abgemeldet, gegebenenfalls auch Sie, und muss bei der nächsten Anmeldung einen einrichten.',
  secondAction: 'Verlangen',
  secondRequired: 'Der zweite Faktor ist jetzt Pflicht',
  secondFree: 'Der zweite Faktor ist nicht mehr Pflicht',
};
