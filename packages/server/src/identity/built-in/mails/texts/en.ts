/** The mails in English. */
import type { MailTexts } from './mail-text.ts';

export const english: MailTexts = {
  code: (brand, code, title = null) => ({
    subject: title === null ? `${code} is your code${brand === null ? '' : ` for ${brand}`}` : `${code} – ${title}`,
    paragraphs: [
      `Enter this code on the page where you signed up${brand === null ? '' : ` for ${brand}`}. It works for 15 minutes.`,
      { code },
      'If you did not sign up, you can ignore this email: without the code, no account is created.',
    ],
  }),
  known: (brand, link) => ({
    subject: `You already have an account${brand === null ? '' : ` with ${brand}`}`,
    paragraphs: [
      `Somebody, probably you, tried to sign up${brand === null ? '' : ` for ${brand}`} with this address, which already has an account. Sign in with your password.`,
      'If you have forgotten it, choose a new one here. You may then have to set up your passkeys again. The link expires after 30 minutes.',
      { link, label: 'Choose a new password' },
      'If it was not you, you can ignore this email: your account has not changed.',
    ],
  }),
  reset: (brand, link) => ({
    subject: `Choose a new password${brand === null ? '' : ` for ${brand}`}`,
    paragraphs: [
      'Choose a new password on this page. The link works only once and expires after 30 minutes.',
      { link, label: 'Choose a new password' },
      'A new password signs you out everywhere. Unless you have a second factor, your passkeys are deleted too: set them up again afterwards.',
      'If you did not ask for this, you can ignore this email: your password has not changed.',
    ],
  }),
  invitation: ({ inviter, account }, link) => ({
    subject: `${inviter === null ? 'You are invited' : `${inviter} invited you`} to ${account ?? 'an account'}`,
    paragraphs: [
      `${inviter === null ? 'You are invited' : `“${inviter}” invited you`} to join ${account === null ? 'an account' : `the account “${account}”`}.`,
      'Before you sign in, this page shows who invited you and which role you will have. The link works only once and expires after 7 days.',
      { link, label: 'Accept the invitation' },
      'If you do not know who invited you, you can ignore this email: the invitation will expire.',
    ],
  }),
};
