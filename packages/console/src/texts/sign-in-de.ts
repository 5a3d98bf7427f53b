/** The texts of an identity provider's form in German. */
import type { SignInTexts } from './sign-in-en.ts';

export const signInDe: SignInTexts = {
  setUp: 'Einrichten',
  setUpOf: (name) => `${name} einrichten`,
  change: 'Ändern',
  addOther: 'Anderer Anbieter (OpenID Connect)',
  other: 'Anderen Anbieter',
  title: (name) => `${name} einrichten`,
  register: 'Tragen Sie diese Adresse beim Anbieter ein, als Redirect- oder Callback-URL:',
  openConsole: 'Seine Einstellungen öffnen',
  slug: 'Kurzname',
  slugHint: 'Er steht in den Einstellungen hinter „oidc.“ und bleibt, wie er ist: Kleinbuchstaben und Ziffern.',
  fields: {
    name: 'Name auf dem Knopf',
    issuer: 'Aussteller',
    clientId: 'Client-Kennung',
    clientSecret: 'Client-Geheimnis',
    tenant: 'Mandant',
    teamId: 'Team-Kennung',
    keyId: 'Schlüssel-Kennung',
    privateKey: 'Privater Schlüssel',
  },
  hints: {
    issuer: 'Genau so, wie seine ID-Tokens ihn nennen, etwa https://login.example.com.',
    tenant: 'common (alle), organizations, consumers oder die Kennung eines Verzeichnisses.',
    privateKey: 'Der Text der .p8-Datei.',
  },
  secretKept: 'Eines ist gespeichert. Lassen Sie das Feld leer, um es zu behalten.',
  save: 'Anbieter speichern',
  saved: 'Der Anbieter ist eingerichtet',
  remove: 'Entfernen',
  removeTitle: (name) => `${name} entfernen`,
  removeText:
    'Kein Projekt dieses Kontos bietet ihn mehr an, und sein Geheimnis wird gelöscht. Seine Spieler sind wieder bekannt, wenn er wieder eingerichtet wird.',
  removed: 'Der Anbieter ist entfernt',
  test: 'Ausprobieren',
  testText:
    'Melden Sie sich damit in einem neuen Tab an, wie es ein Spieler täte. Es geht, wenn der Tab auf einer Seite „Deine Anmeldung“ endet.',
  testSave: 'Speichern Sie die Einstellungen dieser Seite; dann können Sie ihn hier ausprobieren.',
  testAllow: 'Kreuzen Sie ihn bei den Anmeldearten an und speichern Sie; dann können Sie ihn hier ausprobieren.',
};
