/** The mails in English. */
import type { MailTexts } from './texts.ts';

export const english: MailTexts = {
  code: (brand, code) => ({
    subject: `${code} is your code${brand === null ? '' : ` for ${brand}`}`,
    paragraphs: [
      `Enter this code on the page where you signed up${brand === null ? '' : ` for ${brand}`}. It is good for 15 minutes.`,
      { code },
      'If it was not you who signed up, you need do nothing: without the code no account is made.',
    ],
  }),
  known: (brand, link) => ({
    subject: `You already have an account${brand === null ? '' : ` with ${brand}`}`,
    paragraphs: [
      `Somebody, probably you, tried to sign up${brand === null ? '' : ` for ${brand}`} with this address. It has an account already: sign in with your password.`,
      'If you do not remember the password, choose a new one here; passkeys have to be set up again then. The link is good for 30 minutes.',
      { link },
      'If it was not you, you need do nothing: your account is as it was.',
    ],
  }),
  reset: (brand, link) => ({
    subject: `Choose a new password${brand === null ? '' : ` for ${brand}`}`,
    paragraphs: [
      'Choose a new password on this page. The link is good for 30 minutes, and once.',
      { link },
      'It ends every sign-in and deletes your passkeys: set them up again afterwards.',
      'If you did not ask for this, you need do nothing: your password stays as it is.',
    ],
  }),
};
