/** The mails in German. */
import type { MailTexts } from './mail-text.ts';

export const german: MailTexts = {
  code: (brand, code, title = null) => ({
    subject: title === null ? `${code} ist Ihr Code${brand === null ? '' : ` für ${brand}`}` : `${code} – ${title}`,
    paragraphs: [
      `Geben Sie diesen Code auf der Seite ein, auf der Sie sich${brand === null ? '' : ` bei ${brand}`} registriert haben. Er ist 15 Minuten gültig.`,
      { code },
      'Wenn Sie sich nicht registriert haben, können Sie diese E-Mail ignorieren: Ohne den Code wird kein Konto erstellt.',
    ],
  }),
  known: (brand, link) => ({
    subject: `Sie haben bereits ein Konto${brand === null ? '' : ` bei ${brand}`}`,
    paragraphs: [
      `Jemand, vermutlich Sie, wollte sich${brand === null ? '' : ` bei ${brand}`} mit dieser Adresse registrieren, zu der es bereits ein Konto gibt. Melden Sie sich mit Ihrem Passwort an.`,
      'Wenn Sie es vergessen haben, wählen Sie hier ein neues. Ihre Passkeys müssen Sie danach eventuell neu einrichten. Der Link ist 30 Minuten gültig.',
      { link, label: 'Neues Passwort wählen' },
      'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren: Ihr Konto ist unverändert.',
    ],
  }),
  reset: (brand, link) => ({
    subject: `Wählen Sie ein neues Passwort${brand === null ? '' : ` für ${brand}`}`,
    paragraphs: [
      'Wählen Sie auf dieser Seite ein neues Passwort. Der Link ist 30 Minuten gültig und funktioniert nur einmal.',
      { link, label: 'Neues Passwort wählen' },
      'Mit dem neuen Passwort werden Sie überall abgemeldet. Ohne zweiten Faktor werden auch Ihre Passkeys gelöscht: Richten Sie sie danach neu ein.',
      'Wenn Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren: Ihr Passwort bleibt unverändert.',
    ],
  }),
  invitation: ({ inviter, account }, link) => ({
    subject:
      inviter === null
        ? `Einladung zu ${account ?? 'einem Konto'}`
        : `${inviter} lädt Sie zu ${account ?? 'einem Konto'} ein`,
    paragraphs: [
      `${inviter === null ? 'Sie wurden eingeladen' : `„${inviter}“ lädt Sie ein`}, ${account === null ? 'einem Konto' : `dem Konto „${account}“`} beizutreten.`,
      'Diese Seite zeigt vor der Anmeldung, wer Sie eingeladen hat und welche Rolle Sie erhalten. Der Link ist 7 Tage gültig und funktioniert nur einmal.',
      { link, label: 'Einladung annehmen' },
      'Wenn Sie nicht wissen, wer Sie eingeladen hat, können Sie diese E-Mail ignorieren: Die Einladung läuft ab.',
    ],
  }),
};
