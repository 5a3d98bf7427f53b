/**
 * Parameters that sign-in has rejected: redirect URIs that are not registered, and scopes that there are not. Kept for the
 * developer of the project, since the page must reveal nothing to a stranger. In memory, so each node has what it has seen itself.
 */
import { LRUCache } from 'lru-cache';
import type { ProjectKey } from '../storage/store.ts';

/** Accounts that are remembered, and parameters of each: some 4 MB if every one of them is as long as it may be. */
const accountsMax = 500;
const parametersOfAccountMax = 16;
const valueCharactersMax = 200;
const keptMs = 24 * 60 * 60 * 1000;

export interface RejectedParameter {
  readonly kind: 'redirect_uri' | 'scope';
  readonly value: string;
}

/** A rejected parameter, and when it was sent last. */
export interface SeenParameter extends RejectedParameter {
  readonly at: number;
}

export interface RejectedParameters {
  /** Remembers a parameter, cut to 200 characters. */
  note(project: ProjectKey, parameter: RejectedParameter): void;
  /** Returns those of the last 24 hours, the newest first. */
  of(project: ProjectKey): readonly SeenParameter[];
}

interface Noted extends SeenParameter {
  readonly slug: string;
}

/** `now` gives milliseconds since the epoch. */
export function createRejectedParameters(now: () => number): RejectedParameters {
  // By account, so that one account has one share, however many projects it has.
  const noted = new LRUCache<string, readonly Noted[]>({ max: accountsMax });
  return {
    note({ accountId, slug }, { kind, value: whole }) {
      const value = whole.slice(0, valueCharactersMax);
      const others = (noted.get(accountId) ?? []).filter(
        (one) => one.slug !== slug || one.kind !== kind || one.value !== value,
      );
      noted.set(accountId, [{ slug, kind, value, at: now() }, ...others].slice(0, parametersOfAccountMax));
    },
    of({ accountId, slug }) {
      const oldest = now() - keptMs;
      return (noted.get(accountId) ?? []).filter((one) => one.slug === slug && one.at > oldest);
    },
  };
}
