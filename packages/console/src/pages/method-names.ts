/** What ways to sign in are called. */
import type { Texts } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';

/** Providers that need no name of their own. */
export const providerNames: Readonly<Record<string, string>> = {
  'google.com': 'Google',
  'apple.com': 'Apple',
  'github.com': 'GitHub',
  'microsoft.com': 'Microsoft',
};

/** Returns the name of a way to sign in; a provider that somebody set up is named by its identifier. */
export function methodName(t: Texts, id: string): string {
  if (id === 'password') return t.signIn.password;
  return (Object.hasOwn(providerNames, id) ? providerNames[id] : undefined) ?? plain(id.replace(/^oidc\./, ''));
}
