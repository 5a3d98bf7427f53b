/** The texts of an identity provider's form in German. */
import type { SignInTexts } from './sign-in-en.ts';

export const signInDe: SignInTexts = {
  setUp: 'Einrichten',
  setUpOf: (name) => `${name} einrichten`,
  change: 'Ändern',
  addOther: 'Anderer Anbieter (OpenID Connect)',
  other: 'Anderen Anbieter',
  title: (name) => `${name} einrichten`,
  register: 'Tragen Sie diese Adresse beim Anbieter als Redirect- oder Callback-URL ein:',
  openConsole: 'Einstellungen des Anbieters öffnen',
  slug: 'Kürzel',
  slugHint: 'Kleinbuchstaben und Ziffern. Steht in den Einstellungen hinter „oidc.“. Lässt sich später nicht ändern.',
  fields: {
    name: 'Name auf der Schaltfläche',
    issuer: 'Aussteller (Issuer)',
    clientId: 'Client-ID',
    clientSecret: 'Client-Geheimnis',
    tenant: 'Mandant',
    teamId: 'Team-ID',
    keyId: 'Schlüssel-ID',
    privateKey: 'Privater Schlüssel',
  },
  hints: {
    issuer: 'Genau wie in seinen ID-Tokens, etwa https://login.example.com.',
    tenant: 'common (alle), organizations, consumers oder die ID eines Verzeichnisses.',
    privateKey: 'Der Text der .p8-Datei.',
  },
  secretKept: 'Bereits gespeichert. Lassen Sie das Feld leer, um den Wert zu behalten.',
  save: 'Anbieter speichern',
  saved: 'Anbieter gespeichert',
  remove: 'Entfernen',
  removeTitle: (name) => `${name} entfernen`,
  removeText:
    'Kein Projekt in diesem Konto bietet ihn mehr an, und sein Geheimnis wird gelöscht. Wenn Sie ihn wieder einrichten, behalten seine Spieler ihre Konten.',
  removed: 'Anbieter entfernt',
  test: 'Ausprobieren',
  testText:
    'Melden Sie sich damit in einem neuen Tab an, wie ein Spieler. Es funktioniert, wenn der Tab dann die Seite „Ihre Anmeldung“ zeigt.',
  testSave: 'Speichern Sie die Einstellungen dieser Seite, um ihn hier auszuprobieren.',
  testAllow: 'Wählen Sie ihn bei den Anmeldemethoden aus und speichern Sie, um ihn hier auszuprobieren.',
};
