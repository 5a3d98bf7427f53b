/** The texts of an identity provider's form in English. */
import type { Widened } from './widened.ts';

export const signInEn = {
  setUp: 'Set up',
  setUpOf: (name: string) => `Set up ${name}`,
  change: 'Change',
  addOther: 'Another provider (OpenID Connect)',
  other: 'another provider',
  title: (name: string) => `Set up ${name}`,
  register: 'Register this address with the provider as the redirect or callback URL:',
  openConsole: 'Open the provider’s settings',
  slug: 'Short name',
  slugHint: 'Lower-case letters and digits. Follows “oidc.” in the settings. You cannot change it later.',
  fields: {
    name: 'Name on the button',
    issuer: 'Issuer',
    clientId: 'Client ID',
    clientSecret: 'Client secret',
    tenant: 'Tenant',
    teamId: 'Team ID',
    keyId: 'Key ID',
    privateKey: 'Private key',
  },
  hints: {
    issuer: 'Exactly as in its ID tokens, such as https://login.example.com.',
    tenant: 'common (everybody), organizations, consumers, or the ID of a directory.',
    privateKey: 'The text of the .p8 file.',
  },
  secretKept: 'Already stored. Leave this empty to keep it.',
  save: 'Save provider',
  saved: 'Provider saved',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}`,
  removeText:
    'No project in this account will offer it, and its secret will be deleted. If you set it up again, its players keep their accounts.',
  removed: 'Provider removed',
  test: 'Try it',
  testText: 'Sign in with it in a new tab, as a player would. It works if the tab then shows the page “Your sign-in”.',
  testSave: 'Save the settings of this page to try it here.',
  testAllow: 'Tick it under “Sign-in methods” and save to try it here.',
};

export type SignInTexts = Widened<typeof signInEn>;
