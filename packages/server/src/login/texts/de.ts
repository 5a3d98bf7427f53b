/** Die deutschen Texte der Anmeldeseiten. */
import type { Texts } from './en.ts';

export const de: Texts = {
  signIn: 'Anmelden',
  signUp: 'Konto erstellen',
  signUpTitle: 'Konto erstellen',
  keepTitle: 'Fortschritt behalten',
  keepSignIn:
    'Melden Sie sich an oder erstellen Sie ein Konto, um Ihren Fortschritt zu behalten, auch auf anderen Geräten.',
  keepSignUp: 'Mit einem Konto behalten Sie Ihren Fortschritt, auch auf anderen Geräten.',
  error: 'Fehler',
  email: 'E-Mail',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  name: 'Name',
  optional: 'optional',
  nameHint: 'So spricht die App Sie an.',
  passwordHint: 'Mindestens 8 Zeichen. Ein paar zufällige Wörter ergeben ein gutes Passwort.',
  showPassword: 'Anzeigen',
  hidePassword: 'Verbergen',
  forgot: 'Passwort vergessen?',
  noAccount: 'Neu hier?',
  haveAccount: 'Schon ein Konto?',
  or: 'oder',
  terms: 'Nutzungsbedingungen',
  languages: 'Sprache',
  privacy: 'Datenschutz',
  continueWith: (provider) => `Weiter mit ${provider}`,
  passkey: 'Mit Passkey anmelden',
  working: 'Einen Moment …',

  rejected: 'E-Mail-Adresse oder Passwort ist falsch. Bitte versuchen Sie es erneut.',
  throttled: (wait) => `Zu viele Versuche. Sie können es in ${wait} erneut versuchen.`,
  throttledWays: 'Mit einem Passkey oder einem Link über „Passwort vergessen?“ können Sie sich sofort anmelden.',
  busy: 'Gerade melden sich sehr viele Menschen an. Bitte versuchen Sie es in ein paar Sekunden erneut.',
  passkeyRejected: 'Dieser Passkey hat nicht funktioniert. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.',
  passkeyLate: 'Diese Seite war zu lange offen. Versuchen Sie es erneut mit dem Passkey oder wählen Sie einen anderen Weg.',
  pageLate: 'Diese Seite war zu lange offen.',
  startAgain: 'Neu beginnen',
  passkeyFailed: 'Der Passkey wurde nicht verwendet. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.',
  providerDenied:
    'Sie wurden nicht angemeldet: Die Anmeldung wurde dort abgebrochen oder abgelehnt. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.',
  providerUnavailable: (provider) =>
    `${provider} ist gerade nicht erreichbar. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.`,
  providerUnavailableNameless:
    'Der Anbieter ist gerade nicht erreichbar. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.',
  providerInvalid:
    'Die Antwort des Anbieters ließ sich nicht prüfen. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.',
  providerNotOffered: 'Diese Anmeldemethode gibt es hier nicht. Bitte wählen Sie eine andere.',
  signUpClosed:
    'Um hier ein Konto zu erstellen, brauchen Sie eine Einladung. Öffnen Sie Ihren Einladungslink oder melden Sie sich mit Ihrem bestehenden Konto an.',
  byInvitation:
    'Um hier ein Konto zu erstellen, brauchen Sie eine Einladung. Wenden Sie sich an den Betreiber dieses Dienstes.',
  demoLink:
    'Um das Demoprojekt auszuprobieren, öffnen Sie den Link, der beim Start im Terminal steht. Einen neuen erhalten Sie mit:',
  invited: 'Melden Sie sich an oder erstellen Sie ein Konto, um beizutreten:',

  faultSummary: 'Bitte prüfen Sie diese Angaben:',
  email_malformed: 'Das ist keine E-Mail-Adresse. Eine Adresse sieht aus wie name@example.com.',
  email_deceptive:
    'Der Teil vor dem @ enthält einen Buchstaben, der wie ein anderer aussieht. Bitte verwenden Sie eine E-Mail-Adresse ohne ihn.',
  email_missing: 'Geben Sie Ihre E-Mail-Adresse ein.',
  password_missing: 'Geben Sie Ihr Passwort ein.',
  password_short: 'Das Passwort ist zu kurz. Es braucht mindestens 8 Zeichen.',
  password_long: 'Das Passwort ist zu lang. Es darf höchstens 256 Zeichen haben.',
  password_common: 'Dieses Passwort ist sehr häufig und leicht zu erraten. Bitte wählen Sie ein anderes.',
  name_long: 'Der Name ist zu lang.',

  confirmTitle: 'Sehen Sie in Ihrem Postfach nach',
  confirmSent: (email) =>
    `Wir haben eine Nachricht an ${email} geschickt. Geben Sie den Code daraus ein. Wenn Sie bereits ein Konto haben, steht in der Nachricht, wie Sie sich anmelden.`,
  confirmSentNameless:
    'Wir haben Ihnen eine Nachricht geschickt. Geben Sie den Code daraus ein. Wenn Sie bereits ein Konto haben, steht in der Nachricht, wie Sie sich anmelden.',
  mailWaiting: (until) =>
    `Die Nachricht wurde noch nicht gesendet, weil der Mailserver sie nicht angenommen hat. Wir versuchen es bis ${until} weiter. Laden Sie diese Seite neu, um zu sehen, ob sie inzwischen gesendet wurde.`,
  mailFailed:
    'Die Nachricht konnte an diese Adresse nicht zugestellt werden. Prüfen Sie die Adresse oder fordern Sie einen neuen Code an.',
  confirmHint: 'Das kann eine Minute dauern. Sehen Sie auch im Spam-Ordner nach.',
  unconfirmed: 'Diese Adresse ist noch nicht bestätigt. Nur der neueste Code gilt.',
  code: 'Code',
  confirm: 'Bestätigen',
  resend: 'Neuen Code senden',
  resent: 'Es gibt einen neuen Code. Nur der neueste Code gilt.',
  otherAddress: 'Andere Adresse verwenden',
  code_malformed: 'Geben Sie alle sechs oder neun Ziffern des Codes ein.',
  wrongCode: (left) => `Der Code ist falsch. Verbleibende Versuche: ${left}.`,
  codeExpired:
    'Der Code ist abgelaufen oder wurde bereits verwendet. Wenn Sie Ihre Adresse bestätigt haben, melden Sie sich an. Beginnen Sie sonst noch einmal.',

  forgotTitle: 'Passwort vergessen?',
  forgotText: 'Geben Sie Ihre E-Mail-Adresse ein. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort wählen.',
  forgotSend: 'Link senden',
  forgotSentTitle: 'Sehen Sie in Ihrem Postfach nach',
  forgotSent: (email) =>
    `Wenn es ein Konto mit ${email} gibt, schicken wir jetzt eine Nachricht mit einem Link dorthin. Wenn der Mailserver sie nicht annimmt, versuchen wir es 30 Minuten lang weiter. Der Link gilt einmal und 30 Minuten lang.`,
  backToSignIn: 'Zurück zur Anmeldung',
  resetTitle: 'Neues Passwort wählen',
  resetFor: (email) => `Für ${email}`,
  resetSave: 'Passwort speichern',
  resetDoneTitle: 'Ihr Passwort wurde geändert',
  resetDone:
    'Melden Sie sich mit dem neuen Passwort an. Sie wurden überall abgemeldet, und Ihre Passkeys wurden gelöscht: Richten Sie sie neu ein.',
  resetDoneKept:
    'Melden Sie sich mit dem neuen Passwort an. Sie wurden überall abgemeldet. Ihre Passkeys und Ihr zweiter Faktor sind unverändert.',
  resetExpiredTitle: 'Dieser Link ist nicht mehr gültig',
  resetExpired:
    'Er wurde bereits verwendet, durch einen neueren ersetzt oder ist älter als 30 Minuten. Fordern Sie einen neuen an.',
  resetExpiredNameless:
    'Er wurde bereits verwendet, durch einen neueren ersetzt oder ist älter als 30 Minuten. Gehen Sie zurück zur App und fordern Sie bei der Anmeldung einen neuen an.',

  chooseTitle: 'Welches Konto?',
  chooseText: 'Sie sind Mitglied mehrerer Konten. Sie können später ohne neue Anmeldung zu einem anderen wechseln.',
  chosenLast: 'zuletzt verwendet',
  roles: { owner: 'Eigentümer', admin: 'Admin', editor: 'Bearbeiter', support: 'Support', viewer: 'Leser' },
  noneTitle: 'Sie haben kein Konto',
  noneText:
    'Sie sind in keinem Konto Mitglied. Wenn Sie eines sein sollten, bitten Sie um eine Einladung. Sie können auch ein eigenes Konto erstellen.',
  noneMake: 'Eigenes Konto erstellen',

  continueTitle: 'Angemeldet',
  continueText: 'Sie sind angemeldet. Weiter zur App …',
  anyProgramText:
    'Ein Programm auf diesem Computer möchte Sie anmelden. Fahren Sie nur fort, wenn Sie die Anmeldung gerade selbst in einem Programm gestartet haben, dem Sie vertrauen.',
  continueTo: (name) => `Weiter zu ${name}`,
  continue: 'Weiter',
  offerTitle: 'Nächstes Mal ohne Passwort?',
  offerText:
    'Mit einem Passkey melden Sie sich mit Fingerabdruck, Gesicht oder PIN dieses Geräts an. Er lässt sich nicht erraten, und Sie müssen sich nichts merken.',
  offerAccept: 'Passkey erstellen',
  offerSkip: 'Nicht jetzt',
  passkeyKept: 'Ihr Passkey ist gespeichert.',
  offerFailed: 'Es wurde kein Passkey gespeichert. Versuchen Sie es erneut oder fahren Sie ohne fort.',

  unknownClientTitle: 'Dieser Link funktioniert nicht',
  unknownClient: 'Die App, von der Sie kommen, ist unbekannt oder nimmt gerade keine Anmeldungen an.',
  badRedirect: 'Die App, von der Sie kommen, hat eine Rückkehradresse genannt, die nicht für sie eingetragen ist.',
  forDevelopers:
    'Wenn das Ihre App ist: Öffnen Sie in der Konsole die Anmeldeeinstellungen des Projekts und fügen Sie die Adresse dort hinzu.',
  tellDeveloper:
    'Gehen Sie zurück zur App und versuchen Sie es erneut. Wenn das wieder passiert, melden Sie es bitte dem Team der App.',
  noMethodTitle: 'Noch keine Anmeldung möglich',
  noMethod: 'Diese App hat noch keine Anmeldemethode eingerichtet. Bitte melden Sie es dem Team der App.',
  cookiesTitle: 'Cookies sind nötig',
  cookies:
    'Ihr Browser hat kein Cookie zurückgeschickt. Diese Seite braucht eines, um zu wissen, dass das Formular von Ihnen kommt, und verwendet es für nichts anderes. Erlauben Sie Cookies für diese Adresse und versuchen Sie es erneut.',
  invitationGoneTitle: 'Diese Einladung ist nicht mehr gültig',
  invitationGone:
    'Sie wurde verwendet oder zurückgezogen oder ist abgelaufen. Sie wurden nicht angemeldet. Bitten Sie um eine neue oder melden Sie sich ohne Einladung an.',
  goOn: 'Weiter',
  staleTitle: 'Bitte versuchen Sie es erneut',
  stale:
    'Dieses Formular kam von einer anderen Seite oder von einem früheren Besuch und wurde nicht verwendet. Es wurde nichts geändert.',
  tryAgain: 'Erneut versuchen',
  flowExpiredTitle: 'Das hat zu lange gedauert',
  flowExpired:
    'Die Anmeldung wurde vor zu langer Zeit oder in einem anderen Browser begonnen oder ist bereits abgeschlossen. Bitte beginnen Sie noch einmal.',
  flowExpiredNameless:
    'Die Anmeldung wurde vor zu langer Zeit oder in einem anderen Browser begonnen oder ist bereits abgeschlossen. Gehen Sie zurück zur App und beginnen Sie noch einmal.',
  limitTitle: 'Zu viele Anfragen',
  limit: (wait) => `Aus Ihrem Netz kamen zu viele Anfragen. Bitte versuchen Sie es in ${wait} erneut.`,
  unavailableTitle: 'Gleich wieder da',
  unavailable:
    'Die Anmeldung ist gerade nicht verfügbar. Ihre Daten sind sicher. Bitte versuchen Sie es in ein paar Sekunden erneut.',
  issuerUnavailable:
    'Der Dienst, der Sie anmeldet, ist gerade nicht erreichbar. Bitte versuchen Sie es in ein paar Sekunden erneut.',
  issuerRefused:
    'Sie wurden nicht angemeldet: Die Anmeldung wurde abgebrochen oder abgelehnt. Sie können noch einmal beginnen.',
  failedTitle: 'Das hat nicht geklappt',
  failed: 'Das Formular war ungültig. Gehen Sie zurück und versuchen Sie es erneut.',
  notFoundTitle: 'Seite nicht gefunden',
  notFound: 'Gehen Sie zurück zur App und beginnen Sie dort noch einmal.',
};
