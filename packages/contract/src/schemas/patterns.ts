/** The patterns of schemas, each with its meaning in words, since messages for people contain no regular expressions. */
import { keysOf } from '../keys.ts';
import { knownProviders } from '../sign-in-methods.ts';

const meanings = new Map<string, string>();

/** Returns the keyword of a schema for this pattern. The meaning ends a sentence about text that matches it: it must be … */
export function pattern(of: string | RegExp, meaning: string): { readonly pattern: string } {
  const source = typeof of === 'string' ? of : of.source;
  meanings.set(source, meaning);
  return { pattern: source };
}

/** Returns the end of a sentence about text that matches the pattern; undefined for unknown patterns. */
export const meaningOfPattern = (source: string): string | undefined => meanings.get(source);

/** The names of providers other than one's own passwords. */
export const providerNames = `${keysOf(knownProviders).join(', ')}, or oidc. and a name, such as oidc.studio`;
