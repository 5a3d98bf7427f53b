/** Access changes: their listeners, and which part of a cache they affect. */

import { playerMark } from '../../common/ids/player-hash.ts';
import type { ProjectKey } from '../contract/projects.ts';
import type { SigningPurpose } from '../contract/sign-ins.ts';

/** The path of a record in the tree of accounts, projects, and keys and players: `[accountId]`, `[accountId, slug]`, or longer. */
export type Scope = readonly string[];

/** The record that may have been deleted or changed. An account or a project includes everything in it. */
export type AccessChange =
  /** From a store that cannot tell which records have changed. */
  | { readonly kind: 'everything' }
  | { readonly kind: 'account'; readonly accountId: string }
  | ({ readonly kind: 'project' } & ProjectKey)
  | ({ readonly kind: 'api_key'; readonly keyId: string } & ProjectKey)
  /** Tokens of a player have ended; a null slug means all projects. `player` is the player's key (player-hash.ts). */
  | { readonly kind: 'player'; readonly accountId: string; readonly slug: string | null; readonly player: string }
  | { readonly kind: 'signing_keys'; readonly purpose: SigningPurpose };

export type AccessListener = (change: AccessChange) => void;

export const everything: AccessChange = { kind: 'everything' };
export const accountChange = (accountId: string): AccessChange => ({ kind: 'account', accountId });
export const projectChange = ({ accountId, slug }: ProjectKey): AccessChange => ({ kind: 'project', accountId, slug });

export const playerChange = (
  { accountId, slug }: { readonly accountId: string; readonly slug: string | null },
  playerId: string,
): AccessChange => ({ kind: 'player', accountId, slug, player: playerMark(accountId, playerId) });

/** In a forgotten scope: any project. No slug has this form. */
export const anyProject = '*';

/** The listeners of a store. */
export class AccessListeners {
  readonly #all: AccessListener[] = [];

  add(listener: AccessListener): void {
    this.#all.push(listener);
  }

  /** Calls all listeners in the order in which they were added. None of them throws. */
  notify(change: AccessChange): void {
    for (const listener of this.#all) listener(change);
  }
}

/** Returns the scope of a change; undefined for signing keys, which do not belong to an account. */
export function scopeOfChange(change: AccessChange): Scope | undefined {
  switch (change.kind) {
    case 'everything':
      return [];
    case 'account':
      return [change.accountId];
    case 'project':
      return [change.accountId, change.slug];
    case 'api_key':
      return [change.accountId, change.slug, change.keyId];
    case 'player':
      return [change.accountId, change.slug ?? anyProject, change.player];
    case 'signing_keys':
      return undefined;
  }
}

/** The number of changes remembered: far more than one look-up can overlap. */
const recentMax = 1_000;

/** The scopes of the last changes. They show whether something changed during a look-up. */
export class RecentChanges {
  readonly #scopes: Scope[] = [];
  #count = 0;

  /** The number of changes so far. */
  get count(): number {
    return this.#count;
  }

  add(scope: Scope): void {
    this.#scopes[this.#count % recentMax] = scope;
    this.#count += 1;
  }

  /** Whether a change after `count` may affect a record of `scope`. */
  concernSince(count: number, scope: Scope): boolean {
    if (this.#count - count > recentMax) return true;
    for (let i = count; i < this.#count; i++) if (contains(this.#scopes[i % recentMax] as Scope, scope)) return true;
    return false;
  }
}

const contains = (outer: Scope, inner: Scope): boolean =>
  outer.every((name, depth) => inner[depth] === name || (name === anyProject && inner.length > depth));
