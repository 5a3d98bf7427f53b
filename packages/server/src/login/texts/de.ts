/** Die deutschen Texte der Anmeldeseiten. */
import type { Texts } from './en.ts';

export const de: Texts = {
  signIn: 'Anmelden',
  signUp: 'Konto anlegen',
  signUpTitle: 'Lege dein Konto an',
  keepTitle: 'Behalte deinen Fortschritt',
  keepSignIn: 'Melde dich an oder lege ein Konto an. Was du bisher gespielt hast, bleibt dir, auch auf anderen Geräten.',
  keepSignUp: 'Mit einem Konto bleibt dir, was du bisher gespielt hast, auch auf anderen Geräten.',
  serviceTagline: 'State that holds.',
  serviceFor: 'Für Entwicklerinnen und Entwickler',
  error: 'Fehler',
  email: 'E-Mail',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  name: 'Name',
  optional: 'optional',
  nameHint: 'Wie die App dich ansprechen darf.',
  passwordHint: 'Mindestens 8 Zeichen. Ein paar zufällige Wörter ergeben ein gutes Passwort.',
  showPassword: 'Zeigen',
  hidePassword: 'Verbergen',
  forgot: 'Passwort vergessen?',
  noAccount: 'Neu hier?',
  haveAccount: 'Schon ein Konto?',
  or: 'oder',
  terms: 'Nutzungsbedingungen',
  privacy: 'Datenschutz',
  continueWith: (provider) => `Weiter mit ${provider}`,
  passkey: 'Mit Passkey anmelden',
  working: 'Einen Moment …',

  rejected: 'E-Mail oder Passwort stimmt nicht. Bitte versuche es noch einmal.',
  throttled: (wait) => `Zu viele Versuche. Du kannst es in ${wait} noch einmal versuchen.`,
  throttledWays: 'Mit einem Passkey oder einem Link über „Passwort vergessen?“ kannst du dich sofort anmelden.',
  busy: 'Gerade melden sich sehr viele Menschen an. Bitte versuche es in ein paar Sekunden noch einmal.',
  passkeyRejected: 'Dieser Passkey hat nicht funktioniert. Versuche es noch einmal oder nimm einen anderen Weg.',
  passkeyLate: 'Diese Seite war zu lange offen. Versuche es noch einmal mit dem Passkey oder nimm einen anderen Weg.',
  pageLate: 'Diese Seite war zu lange offen.',
  startAgain: 'Von vorn beginnen',
  passkeyFailed: 'Der Passkey wurde nicht benutzt. Versuche es noch einmal oder nimm einen anderen Weg.',
  providerDenied:
    'Du wurdest nicht angemeldet: Die Anmeldung wurde dort abgebrochen oder abgelehnt. Versuche es noch einmal oder nimm einen anderen Weg.',
  providerUnavailable: (provider) =>
    `${provider} ist gerade nicht erreichbar. Versuche es noch einmal oder nimm einen anderen Weg.`,
  providerUnavailableNameless:
    'Dieser Anbieter ist gerade nicht erreichbar. Versuche es noch einmal oder nimm einen anderen Weg.',
  providerInvalid:
    'Die Antwort dieses Anbieters ließ sich nicht prüfen. Versuche es noch einmal oder nimm einen anderen Weg.',
  providerNotOffered: 'Diese Art der Anmeldung gibt es hier nicht. Bitte wähle eine andere.',
  signUpClosed:
    'Neue Konten gibt es hier nur auf Einladung. Öffne den Link einer Einladung, oder melde dich mit deinem bestehenden Konto an.',
  byInvitation:
    'Neue Konten gibt es hier nur auf Einladung. Einen Link bekommst du von denen, die diesen Dienst betreiben.',
  invited: 'Melde dich an oder lege ein Konto an, um beizutreten:',

  faultSummary: 'Bitte prüfe das noch einmal:',
  email_malformed: 'Das ist keine E-Mail-Adresse. Eine Adresse sieht aus wie name@example.com.',
  email_deceptive:
    'Der Teil vor dem @ enthält einen Buchstaben, der wie ein anderer aussieht. Bitte nimm eine E-Mail-Adresse ohne ihn.',
  email_missing: 'Gib deine E-Mail-Adresse ein.',
  password_missing: 'Gib dein Passwort ein.',
  password_short: 'Das Passwort ist zu kurz. Es braucht mindestens 8 Zeichen.',
  password_long: 'Das Passwort ist zu lang. Es darf höchstens 256 Zeichen haben.',
  password_common: 'Dieses Passwort ist eines der häufigsten, die zuerst geraten werden. Bitte wähle ein anderes.',
  name_long: 'Der Name ist zu lang.',

  confirmTitle: 'Prüfe deine Mails',
  confirmSent: (email) =>
    `Wir haben eine Nachricht an ${email} geschickt. Gib den Code daraus ein. Wenn du schon ein Konto hast, steht in der Nachricht, wie du dich stattdessen anmeldest.`,
  confirmSentNameless:
    'Wir haben dir eine Nachricht geschickt. Gib den Code daraus ein. Wenn du schon ein Konto hast, steht in der Nachricht, wie du dich stattdessen anmeldest.',
  mailWaiting: (until) =>
    `Die Nachricht wurde noch nicht gesendet: Der Mailserver hat sie nicht angenommen. Wir versuchen es bis ${until} weiter. Lade diese Seite neu, um zu sehen, ob sie inzwischen gesendet wurde.`,
  mailFailed:
    'Die Nachricht konnte an diese Adresse nicht zugestellt werden. Prüfe die Adresse, oder fordere einen neuen Code an.',
  confirmHint: 'Das kann eine Minute dauern. Sieh auch im Spam-Ordner nach.',
  unconfirmed: 'Diese Adresse ist noch nicht bestätigt. Nur der neueste Code gilt.',
  code: 'Code',
  confirm: 'Bestätigen',
  resend: 'Neuen Code schicken',
  resent: 'Es gibt einen neuen Code. Nur der neueste gilt.',
  otherAddress: 'Andere Adresse verwenden',
  code_malformed: 'Gib alle sechs oder neun Ziffern des Codes ein.',
  wrongCode: (left) => `Der Code stimmt nicht. Verbleibende Versuche: ${left}.`,
  codeExpired:
    'Der Code ist abgelaufen oder wurde schon benutzt. Wenn du die Adresse bestätigt hast, melde dich an; sonst beginne noch einmal.',

  forgotTitle: 'Passwort vergessen?',
  forgotText: 'Gib deine Adresse ein. Wir schicken dir einen Link, mit dem du ein neues Passwort wählen kannst.',
  forgotSend: 'Link schicken',
  forgotSentTitle: 'Sieh in deine Mails',
  forgotSent: (email) =>
    `Wenn es ein Konto mit ${email} gibt, schicken wir jetzt eine Nachricht mit einem Link dorthin. Nimmt der Mailserver sie nicht an, versuchen wir es 30 Minuten lang weiter. Der Link gilt einmal und 30 Minuten lang.`,
  backToSignIn: 'Zurück zur Anmeldung',
  resetTitle: 'Wähle ein neues Passwort',
  resetFor: (email) => `Für ${email}`,
  resetSave: 'Passwort speichern',
  resetDoneTitle: 'Dein Passwort ist geändert',
  resetDone:
    'Melde dich mit dem neuen Passwort an. Du wurdest überall abgemeldet, und deine Passkeys wurden gelöscht: Richte sie neu ein.',
  resetDoneKept:
    'Melde dich mit dem neuen Passwort an. Du wurdest überall abgemeldet. Deine Passkeys und dein zweiter Faktor bleiben, wie sie waren.',
  resetExpiredTitle: 'Dieser Link gilt nicht mehr',
  resetExpired:
    'Er wurde schon benutzt, durch einen neueren ersetzt oder ist älter als 30 Minuten. Lass dir einen neuen schicken.',
  resetExpiredNameless:
    'Er wurde schon benutzt, durch einen neueren ersetzt oder ist älter als 30 Minuten. Geh zurück in die App und lass dir bei der Anmeldung einen neuen schicken.',

  chooseTitle: 'Welches Konto?',
  chooseText: 'Du bist Mitglied mehrerer Konten. Später kannst du ohne neue Anmeldung in ein anderes wechseln.',
  chosenLast: 'zuletzt gewählt',
  roles: { owner: 'Eigentümer', admin: 'Verwalter', editor: 'Bearbeiter', support: 'Betreuer', viewer: 'Leser' },
  noneTitle: 'Du hast kein Konto',
  noneText:
    'Du bist in keinem Konto Mitglied, oder nicht mehr. Wenn du es sein solltest, bitte um eine Einladung. Du kannst auch ein eigenes Konto anlegen.',
  noneMake: 'Konto anlegen',

  continueTitle: 'Angemeldet',
  continueText: 'Du bist angemeldet. Weiter zur App …',
  anyProgramText:
    'Ein Programm auf diesem Computer möchte dich anmelden. Mach nur weiter, wenn du die Anmeldung gerade selbst in einem Programm begonnen hast, dem du vertraust.',
  continueTo: (name) => `Weiter zu ${name}`,
  continue: 'Weiter',
  offerTitle: 'Nächstes Mal ohne Passwort?',
  offerText:
    'Ein Passkey meldet dich mit Fingerabdruck, Gesicht oder PIN dieses Geräts an. Er lässt sich nicht erraten, und du musst dir nichts merken.',
  offerAccept: 'Passkey anlegen',
  offerSkip: 'Nicht jetzt',
  passkeyKept: 'Dein Passkey ist gespeichert.',
  offerFailed: 'Es wurde kein Passkey gespeichert. Versuche es noch einmal oder mach ohne weiter.',

  unknownClientTitle: 'Dieser Link funktioniert nicht',
  unknownClient: 'Die App, die dich hergeschickt hat, ist unbekannt oder nimmt gerade keine Anmeldungen an.',
  badRedirect: 'Die App, die dich hergeschickt hat, nennt eine Rückkehradresse, die nicht für sie eingetragen ist.',
  forDevelopers:
    'Falls du diese App machst: Die Anmelde-Einstellungen deines Projekts sagen, was die App verlangt hat, und das Protokoll des Dienstes auch.',
  tellDeveloper:
    'Geh zurück in die App und versuche es noch einmal. Wenn das wieder passiert, sag bitte dem Team der App Bescheid.',
  noMethodTitle: 'Noch keine Anmeldung möglich',
  noMethod: 'Diese App hat noch keine Art der Anmeldung eingerichtet. Bitte sag dem Team der App Bescheid.',
  cookiesTitle: 'Cookies sind nötig',
  cookies:
    'Dein Browser hat kein Cookie zurückgeschickt. Diese Seite braucht eines, um zu wissen, dass das Formular von dir kommt, und verwendet es für nichts anderes. Erlaube Cookies für diese Adresse und versuche es noch einmal.',
  invitationGoneTitle: 'Diese Einladung gilt nicht mehr',
  invitationGone:
    'Sie wurde benutzt oder zurückgezogen, oder sie ist abgelaufen. Du wurdest nicht angemeldet. Bitte um eine neue Einladung, oder melde dich ohne Einladung an.',
  goOn: 'Weiter',
  staleTitle: 'Bitte noch einmal',
  stale:
    'Dieses Formular kam von einer anderen Seite oder von einem früheren Besuch und wurde nicht verwendet. Es hat sich nichts geändert.',
  tryAgain: 'Noch einmal versuchen',
  flowExpiredTitle: 'Das hat zu lange gedauert',
  flowExpired:
    'Die Anmeldung wurde vor zu langer Zeit oder in einem anderen Browser begonnen oder ist schon abgeschlossen. Bitte beginne noch einmal.',
  flowExpiredNameless:
    'Die Anmeldung wurde vor zu langer Zeit oder in einem anderen Browser begonnen oder ist schon abgeschlossen. Geh zurück in die App und beginne noch einmal.',
  limitTitle: 'Zu viele Anfragen',
  limit: (wait) => `Aus deinem Netz kamen zu viele Anfragen. Bitte versuche es in ${wait} noch einmal.`,
  unavailableTitle: 'Gleich wieder da',
  unavailable:
    'Die Anmeldung ist gerade nicht verfügbar. Deine Daten sind sicher. Bitte versuche es in ein paar Sekunden noch einmal.',
  issuerUnavailable:
    'Der Dienst, der dich anmeldet, ist gerade nicht erreichbar. Bitte versuche es in ein paar Sekunden noch einmal.',
  issuerRefused:
    'Du wurdest nicht angemeldet: Die Anmeldung wurde abgebrochen oder abgelehnt. Du kannst noch einmal beginnen.',
  failedTitle: 'Das hat nicht geklappt',
  failed: 'Das Formular war so, wie es gesendet wurde, nicht gültig. Geh zurück und versuche es noch einmal.',
  notFoundTitle: 'Seite nicht gefunden',
  notFound: 'Geh zurück in die App und beginne dort noch einmal.',
};
