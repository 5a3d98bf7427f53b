/** Names of sign-in methods. */
import { knownProviders } from '@holdfast/contract';
import type { Texts } from '../texts/index.ts';
import { plain } from '../ui/plain-text.ts';

/** Providers with well-known names. */
export const providerNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(knownProviders).map(([id, { name }]) => [id, name])),
  steam: 'Steam',
  'oidc.steam': 'Steam',
};

/** Returns the name of a sign-in method; a custom provider's is its identifier. */
export function methodName(t: Texts, id: string): string {
  if (id === 'password') return t.signIn.password;
  return (Object.hasOwn(providerNames, id) ? providerNames[id] : undefined) ?? plain(id.replace(/^oidc\./, ''));
}
