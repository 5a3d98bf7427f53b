/** The mails in English. */
import type { MailTexts } from './mail-text.ts';

export const english: MailTexts = {
  code: (brand, code) => ({
    subject: `${code} is your code${brand === null ? '' : ` for ${brand}`}`,
    paragraphs: [
      `Enter this code on the page where you signed up${brand === null ? '' : ` for ${brand}`}. It works for 15 minutes.`,
      { code },
      'If you did not sign up, you do not need to do anything: without the code, no account is created.',
    ],
  }),
  known: (brand, link) => ({
    subject: `You already have an account${brand === null ? '' : ` with ${brand}`}`,
    paragraphs: [
      `Somebody, probably you, tried to sign up${brand === null ? '' : ` for ${brand}`} with this address. It already has an account: sign in with your password.`,
      'If you do not remember the password, choose a new one here. Your passkeys then have to be set up again. The link works for 30 minutes.',
      { link },
      'If it was not you, you do not need to do anything: your account has not changed.',
    ],
  }),
  reset: (brand, link) => ({
    subject: `Choose a new password${brand === null ? '' : ` for ${brand}`}`,
    paragraphs: [
      'Choose a new password on this page. The link works once, for 30 minutes.',
      { link },
      'A new password signs you out everywhere and deletes your passkeys: set them up again afterwards.',
      'If you did not ask for this, you do not need to do anything: your password stays the same.',
    ],
  }),
  invitation: (account, link) => ({
    subject: 'You are invited to an account',
    paragraphs: [
      `You are invited to become a member of the account “${account}”.`,
      'The page behind this link says who invites you, and to what, before you sign in. The link works once, within 7 days.',
      { link },
      'If you do not know who invites you, you do not need to do anything: the invitation expires.',
    ],
  }),
};
