/** The texts of players' sign-in and of an identity provider's form. They are separate, so that the first page does not load them. */
import { textHook } from './index.ts';
import type { SignInTexts } from './sign-in-en.ts';

export type { SignInTexts };

export const useSignInTexts = await textHook<SignInTexts>({
  en: async () => (await import('./sign-in-en.ts')).signInEn,
  de: async () => (await import('./sign-in-de.ts')).signInDe,
});
