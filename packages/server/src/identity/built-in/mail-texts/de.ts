/** The mails in German. */
import type { MailTexts } from './mail-text.ts';

export const german: MailTexts = {
  code: (brand, code) => ({
    subject: `${code} ist dein Code${brand === null ? '' : ` für ${brand}`}`,
    paragraphs: [
      `Gib diesen Code auf der Seite ein, auf der du dich${brand === null ? '' : ` bei ${brand}`} registriert hast. Er gilt 15 Minuten.`,
      { code },
      'Wenn du dich nicht registriert hast, brauchst du nichts zu tun: Ohne den Code entsteht kein Konto.',
    ],
  }),
  known: (brand, link) => ({
    subject: `Du hast schon ein Konto${brand === null ? '' : ` bei ${brand}`}`,
    paragraphs: [
      `Jemand, vermutlich du, wollte sich mit dieser Adresse${brand === null ? '' : ` bei ${brand}`} registrieren. Dazu gibt es schon ein Konto: Melde dich mit deinem Passwort an.`,
      'Wenn du das Passwort nicht mehr weißt, wähle hier ein neues; Passkeys musst du dann neu einrichten. Der Link gilt 30 Minuten.',
      { link },
      'Wenn du das nicht warst, brauchst du nichts zu tun: Dein Konto ist unverändert.',
    ],
  }),
  reset: (brand, link) => ({
    subject: `Wähle ein neues Passwort${brand === null ? '' : ` für ${brand}`}`,
    paragraphs: [
      'Wähle auf dieser Seite ein neues Passwort. Der Link gilt einmal und 30 Minuten lang.',
      { link },
      'Ein neues Passwort meldet dich überall ab und löscht deine Passkeys: Richte sie danach neu ein.',
      'Wenn du nicht darum gebeten hast, brauchst du nichts zu tun: Dein Passwort bleibt gleich.',
    ],
  }),
  invitation: (account, link) => ({
    subject: 'Du bist in ein Konto eingeladen',
    paragraphs: [
      `Du bist eingeladen, Mitglied des Kontos „${account}“ zu werden.`,
      'Auf dieser Seite steht, wer dich wozu einlädt, bevor du dich anmeldest. Der Link gilt einmal und 7 Tage lang.',
      { link },
      'Wenn du nicht weißt, wer dich einlädt, brauchst du nichts zu tun: Die Einladung läuft von selbst ab.',
    ],
  }),
};
