/**
 * What clients of sign-in asked for in vain: redirect URIs that are not registered, and scopes that there are not. Kept for the
 * developer of the project, since the page must reveal nothing to a stranger. In memory, so each node has what it has seen itself.
 */
import { LRUCache } from 'lru-cache';
import type { ProjectKey } from '../storage/store.ts';

/** Accounts that are remembered, and wishes of each: some 4 MB if every one of them is as long as it may be. */
const accountsMax = 500;
const wishesOfAccountMax = 16;
const valueCharactersMax = 200;
const keptMs = 24 * 60 * 60 * 1000;

/** What was asked for: a redirect URI or a scope. */
export interface Wish {
  readonly kind: 'redirect_uri' | 'scope';
  readonly value: string;
}

export interface AskedInVain {
  /** Remembers a wish, cut to 200 characters. */
  note(project: ProjectKey, wish: Wish): void;
  /** Returns the wishes of the last 24 hours, the newest first. */
  of(project: ProjectKey): readonly (Wish & { readonly at: number })[];
}

interface Noted extends Wish {
  readonly slug: string;
  readonly at: number;
}

/** `now` gives milliseconds since the epoch. */
export function createAskedInVain(now: () => number): AskedInVain {
  // By account, so that one account has one share, however many projects it has.
  const noted = new LRUCache<string, readonly Noted[]>({ max: accountsMax });
  return {
    note({ accountId, slug }, { kind, value: whole }) {
      const value = whole.slice(0, valueCharactersMax);
      const others = (noted.get(accountId) ?? []).filter(
        (one) => one.slug !== slug || one.kind !== kind || one.value !== value,
      );
      noted.set(accountId, [{ slug, kind, value, at: now() }, ...others].slice(0, wishesOfAccountMax));
    },
    of({ accountId, slug }) {
      const oldest = now() - keptMs;
      return (noted.get(accountId) ?? []).filter((one) => one.slug === slug && one.at > oldest);
    },
  };
}
