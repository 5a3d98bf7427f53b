/** What a use of a refresh token takes for granted about its family. */
import type { Grant, RefreshFamily } from './sign-in-store.ts';

/** What the family must speak for; what is undefined may be anything. */
export type RefreshTerms = {
  readonly [Name in keyof Grant]?: NonNullable<Grant[Name]> | undefined;
};

/** Whether a family speaks for what the terms say. */
export function meetsTerms(family: RefreshFamily, terms: RefreshTerms): boolean {
  const names = ['accountId', 'slug', 'environment', 'clientId', 'subject', 'scope'] as const satisfies (keyof Grant)[];
  return names.every((name) => terms[name] === undefined || terms[name] === family[name]);
}
