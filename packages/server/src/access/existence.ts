/** Which accounts and projects exist: asked on nearly every request, and so remembered. */

import { AccessCache } from '../storage/access-cache.ts';
import { whenHere } from '../storage/awaitable.ts';
import type { Awaitable, ProjectKey, Store } from '../storage/store.ts';

/** Room for 50,000 accounts and projects, at about 550 bytes each. */
const bytesMax = 50_000 * 550;

export interface Existence {
  /** Whether the account exists; at once when that is remembered or the store answers at once. */
  hasAccount(accountId: string): Awaitable<boolean>;
  /** Whether the project exists; at once when that is remembered or the store answers at once. */
  hasProject(key: ProjectKey): Awaitable<boolean>;
}

/** Returns the existence of accounts and projects in `store`. Presence is remembered, absence never. */
export function createExistence(store: Pick<Store, 'onAccessChange' | 'findAccount' | 'findProject'>): Existence {
  const present = new AccessCache<true>(store, { bytesMax, scopeOf: (name) => name.split('/') });
  const isPresent = (name: string, find: () => Awaitable<object | undefined>): Awaitable<boolean> =>
    whenHere(
      present.fill(name, () => whenHere(find(), (record) => (record === undefined ? undefined : true))),
      (found) => found === true,
    );
  return {
    hasAccount: (accountId) => present.get(accountId) ?? isPresent(accountId, () => store.findAccount(accountId)),
    hasProject(key) {
      const name = projectName(key);
      return present.get(name) ?? isPresent(name, () => store.findProject(key));
    },
  };
}

/** The same project comes again and again as the same object; joining and hashing its name takes longer than finding it. */
const projectNames = new WeakMap<ProjectKey, string>();

function projectName(key: ProjectKey): string {
  let name = projectNames.get(key);
  if (name === undefined) {
    name = `${key.accountId}/${key.slug}`;
    projectNames.set(key, name);
  }
  return name;
}
