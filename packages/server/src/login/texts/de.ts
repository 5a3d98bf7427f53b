/** Die deutschen Texte der Anmeldeseiten. */
import type { Texts } from './en.ts';

export const de: Texts = {
  signIn: 'Anmelden',
  signUp: 'Konto anlegen',
  signUpTitle: 'Lege dein Konto an',
  serviceTagline: 'State that holds.',
  serviceFor: 'Für Entwicklerinnen und Entwickler',
  error: 'Fehler',
  email: 'E-Mail',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  name: 'Name',
  optional: 'freiwillig',
  nameHint: 'Wie die App dich ansprechen darf.',
  passwordHint: 'Mindestens 8 Zeichen. Ein paar zufällige Wörter sind besser als ein ausgefallenes.',
  showPassword: 'Zeigen',
  hidePassword: 'Verbergen',
  forgot: 'Passwort vergessen?',
  noAccount: 'Neu hier?',
  haveAccount: 'Schon ein Konto?',
  or: 'oder',
  continueWith: (provider) => `Weiter mit ${provider}`,
  passkey: 'Mit Passkey anmelden',
  working: 'Einen Moment …',

  rejected: 'E-Mail oder Passwort stimmt nicht. Bitte versuche es noch einmal.',
  throttled: (wait) => `Zu viele Versuche. Der nächste geht in ${wait}.`,
  throttledWays: 'Mit einem Passkey oder einem Link über „Passwort vergessen?“ kommst du sofort hinein.',
  busy: 'Gerade melden sich sehr viele an. Bitte versuche es in ein paar Sekunden noch einmal.',
  passkeyRejected: 'Dieser Passkey hat nicht funktioniert. Versuche es noch einmal oder nimm einen anderen Weg.',
  passkeyFailed: 'Der Passkey wurde nicht benutzt. Versuche es noch einmal oder nimm einen anderen Weg.',
  providerDenied:
    'Du wurdest nicht angemeldet: Es wurde dort abgebrochen oder abgelehnt. Versuche es noch einmal oder nimm einen anderen Weg.',
  providerUnavailable: (provider) =>
    `${provider} ist gerade nicht erreichbar. Versuche es noch einmal oder nimm einen anderen Weg.`,
  providerUnavailableNameless:
    'Dieser Anbieter ist gerade nicht erreichbar. Versuche es noch einmal oder nimm einen anderen Weg.',
  providerInvalid: 'Der Antwort dieses Anbieters ist nicht zu trauen. Versuche es noch einmal oder nimm einen anderen Weg.',
  providerNotOffered: 'Diesen Weg gibt es hier nicht. Bitte nimm einen anderen.',
  signUpClosed: 'Neue Konten gibt es hier nicht. Melde dich mit dem Konto an, das du hast.',

  faultSummary: 'Bitte sieh dir das noch einmal an:',
  email_malformed: 'Das ist keine E-Mail-Adresse. Sie sieht aus wie name@example.com.',
  email_missing: 'Gib deine E-Mail-Adresse ein.',
  password_missing: 'Gib dein Passwort ein.',
  password_short: 'Das Passwort ist zu kurz. Es braucht mindestens 8 Zeichen.',
  password_long: 'Das Passwort ist zu lang. Es gehen höchstens 256 Zeichen.',
  password_common: 'Dieses Passwort gehört zu den häufigsten, die als erste geraten werden. Bitte wähle ein anderes.',
  name_long: 'Der Name ist zu lang.',

  confirmTitle: 'Sieh in deine Mails',
  confirmSent: (email) => `Wir haben an ${email} geschrieben. Steht ein Code aus sechs Ziffern darin, gib ihn hier ein.`,
  confirmSentNameless: 'Wir haben dir geschrieben. Steht ein Code aus sechs Ziffern darin, gib ihn hier ein.',
  confirmHint: 'Das kann eine Minute dauern. Sieh auch im Spam-Ordner nach.',
  unconfirmed: 'Diese Adresse ist noch nicht bestätigt. Wir haben einen neuen Code geschickt.',
  code: 'Code',
  confirm: 'Bestätigen',
  resend: 'Neuen Code schicken',
  resent: 'Ein neuer Code ist unterwegs. Nur der neueste gilt.',
  otherAddress: 'Andere Adresse nehmen',
  code_malformed: 'Gib die sechs Ziffern des Codes ein.',
  wrongCode: (left) => `Der Code stimmt nicht. Verbleibende Versuche: ${left}.`,
  codeExpired:
    'Der Code gilt nicht mehr oder wurde schon benutzt. Hast du bestätigt, melde dich an; sonst beginne noch einmal.',

  forgotTitle: 'Passwort vergessen?',
  forgotText: 'Gib deine Adresse ein. Wir schicken dir einen Link, mit dem du ein neues Passwort wählen kannst.',
  forgotSend: 'Link schicken',
  forgotSentTitle: 'Sieh in deine Mails',
  forgotSent: (email) =>
    `Gibt es ein Konto mit ${email}, ist eine Mail mit einem Link unterwegs. Er gilt einmal und 30 Minuten lang.`,
  backToSignIn: 'Zurück zur Anmeldung',
  resetTitle: 'Wähle ein neues Passwort',
  resetFor: (email) => `Für ${email}`,
  resetSave: 'Passwort speichern',
  resetDoneTitle: 'Dein Passwort ist geändert',
  resetDone:
    'Melde dich mit dem neuen an. Wo du angemeldet warst, musst du dich neu anmelden. Auch Passkeys sind gelöscht: Richte deinen neu ein.',
  resetExpiredTitle: 'Dieser Link gilt nicht mehr',
  resetExpired:
    'Er wurde schon benutzt, durch einen neueren ersetzt oder ist älter als 30 Minuten. Lass dir einen neuen schicken.',
  resetExpiredNameless:
    'Er wurde schon benutzt, durch einen neueren ersetzt oder ist älter als 30 Minuten. Geh zurück in die App und lass dir bei der Anmeldung einen neuen schicken.',

  continueTitle: 'Angemeldet',
  continueText: 'Du bist angemeldet. Weiter zur App …',
  continueTo: (name) => `Weiter zu ${name}`,
  continue: 'Weiter',
  offerTitle: 'Nächstes Mal ohne Passwort?',
  offerText:
    'Ein Passkey meldet dich mit Fingerabdruck, Gesicht oder PIN dieses Geräts an. Er lässt sich nicht erraten, und du musst dir nichts merken.',
  offerAccept: 'Passkey anlegen',
  offerSkip: 'Nicht jetzt',
  passkeyKept: 'Dein Passkey ist gespeichert.',
  offerFailed: 'Es wurde kein Passkey gespeichert. Versuche es noch einmal oder geh ohne weiter.',

  unknownClientTitle: 'Dieser Link führt nirgendwohin',
  unknownClient: 'Die App, die dich hergeschickt hat, ist unbekannt oder nimmt gerade keine Anmeldungen an.',
  badRedirect: 'Die App, die dich hergeschickt hat, will die Antwort an eine Adresse, die nicht für sie eingetragen ist.',
  tellDeveloper: 'Geh zurück in die App und versuche es noch einmal. Bleibt es dabei, sag denen Bescheid, die sie machen.',
  noWayTitle: 'Noch keine Anmeldung möglich',
  noWay: 'Diese App hat noch keinen Weg zur Anmeldung eingerichtet. Bitte sag denen Bescheid, die sie machen.',
  cookiesTitle: 'Es braucht Cookies',
  cookies:
    'Dein Browser hat kein Cookie zurückgeschickt. Die Seite braucht eines, um zu wissen, dass das Formular von dir kommt; es folgt dir nirgendwohin. Erlaube Cookies für diese Adresse und versuche es noch einmal.',
  staleTitle: 'Bitte noch einmal',
  stale:
    'Dieses Formular kam von einer anderen Seite oder von einem älteren Besuch und wurde nicht benutzt. Es ist nichts geschehen.',
  tryAgain: 'Noch einmal versuchen',
  flowExpiredTitle: 'Das hat zu lange gedauert',
  flowExpired:
    'Die Anmeldung wurde vor zu langer Zeit oder in einem anderen Browser begonnen oder ist schon beendet. Bitte beginne noch einmal.',
  flowExpiredNameless:
    'Die Anmeldung wurde vor zu langer Zeit oder in einem anderen Browser begonnen oder ist schon beendet. Geh zurück in die App und beginne noch einmal.',
  limitTitle: 'Bitte etwas langsamer',
  limit: (wait) => `Von deinem Anschluss kamen zu viele Anfragen. Weiter geht es in ${wait}.`,
  unavailableTitle: 'Gleich wieder da',
  unavailable:
    'Die Anmeldung ist gerade nicht verfügbar. Deine Daten sind sicher. Bitte versuche es in ein paar Sekunden noch einmal.',
  issuerUnavailable:
    'Der Dienst, der dich anmeldet, ist gerade nicht erreichbar. Bitte versuche es in ein paar Sekunden noch einmal.',
  issuerRefused: 'Du wurdest nicht angemeldet: Es wurde abgebrochen oder abgelehnt. Du kannst noch einmal beginnen.',
  failedTitle: 'Das hat nicht geklappt',
  failed: 'Die Seite konnte so, wie sie gesendet wurde, nicht verwendet werden. Geh zurück und versuche es noch einmal.',
  notFoundTitle: 'Hier ist nichts',
  notFound: 'Geh zurück in die App und beginne dort noch einmal.',
};
