/** The texts of an identity provider's form in English. */
import type { Widened } from './widened.ts';

export const signInEn = {
  setUp: 'Set up',
  setUpOf: (name: string) => `Set up ${name}`,
  change: 'Change',
  addOther: 'Another provider (OpenID Connect)',
  other: 'another provider',
  title: (name: string) => `Set up ${name}`,
  register: 'Register this address at the provider, as its redirect or callback URL:',
  openConsole: 'Open its settings',
  slug: 'Short name',
  slugHint: 'It follows “oidc.” in the settings, and cannot be changed later: lower-case letters and digits.',
  fields: {
    name: 'Name on the button',
    issuer: 'Issuer',
    clientId: 'Client id',
    clientSecret: 'Client secret',
    tenant: 'Tenant',
    teamId: 'Team id',
    keyId: 'Key id',
    privateKey: 'Private key',
  },
  hints: {
    issuer: 'Exactly as its ID tokens name it, such as https://login.example.com.',
    tenant: 'common (everybody), organizations, consumers, or the id of one directory.',
    privateKey: 'The text of the .p8 file.',
  },
  secretKept: 'One is stored. Leave this empty to keep it.',
  save: 'Save provider',
  saved: 'The provider is set up',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}`,
  removeText:
    'No project of this account offers it any more, and its secret is deleted. Its players are known again when it is set up again.',
  removed: 'The provider is removed',
  test: 'Try it',
  testText: 'Sign in with it in a new tab, as a player would. It works if the tab ends at a page “Your sign-in”.',
  testSave: 'Save the settings of this page; then you can try it here.',
  testAllow: 'Tick it among the sign-in methods and save; then you can try it here.',
};

export type SignInTexts = Widened<typeof signInEn>;
