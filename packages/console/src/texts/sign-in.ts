/** The texts of players' sign-in and of an identity provider's form. They are separate, so that the first page does not load them. */
import { useLanguage } from './index.ts';
import { loadTexts } from './language.ts';
import type { SignInTexts } from './sign-in-en.ts';

export type { SignInTexts };

const now = await loadTexts<SignInTexts>({
  en: async () => (await import('./sign-in-en.ts')).signInEn,
  de: async () => (await import('./sign-in-de.ts')).signInDe,
});

export function useSignInTexts(): SignInTexts {
  useLanguage();
  return now();
}
