/** The mails in English. */
import type { MailTexts } from './mail-text.ts';

export const english: MailTexts = {
  code: (brand, code) => ({
    subject: `${code} is your code${brand === null ? '' : ` for ${brand}`}`,
    paragraphs: [
      `Enter this code on the page where you signed up${brand === null ? '' : ` for ${brand}`}. It works for 15 minutes.`,
      { code },
      'If you did not sign up, you can ignore this mail: without the code, no account is created.',
    ],
  }),
  known: (brand, link) => ({
    subject: `You already have an account${brand === null ? '' : ` with ${brand}`}`,
    paragraphs: [
      `Somebody, probably you, tried to sign up${brand === null ? '' : ` for ${brand}`} with this address, which already has an account. Sign in with your password.`,
      'If you have forgotten it, choose a new one here. You will then have to set up your passkeys again. The link works for 30 minutes.',
      { link },
      'If it was not you, you can ignore this mail: your account has not changed.',
    ],
  }),
  reset: (brand, link) => ({
    subject: `Choose a new password${brand === null ? '' : ` for ${brand}`}`,
    paragraphs: [
      'Choose a new password on this page. The link works once, within 30 minutes.',
      { link },
      'A new password signs you out everywhere and deletes your passkeys. Set them up again afterwards.',
      'If you did not ask for this, you can ignore this mail: your password stays the same.',
    ],
  }),
  invitation: (account, link) => ({
    subject: 'You are invited to an account',
    paragraphs: [
      `You are invited to become a member of the account “${account}”.`,
      'This page shows who invited you and which role you get, before you sign in. The link works once, within 7 days.',
      { link },
      'If you do not know who invited you, you can ignore this mail: the invitation expires.',
    ],
  }),
};
