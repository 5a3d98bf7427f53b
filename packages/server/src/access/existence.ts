/** Which accounts and projects exist. Nearly every request asks for this, so it is remembered. */

import { AccessCache } from '../storage/scoped-cache.ts';
import type { Awaitable, ProjectKey, Store } from '../storage/store.ts';

/** Room for 50,000 accounts and projects, at about 550 bytes each. */
const bytesMax = 50_000 * 550;

export interface Existence {
  /** Whether the account exists. */
  hasAccount(accountId: string): Promise<boolean>;
  /** When the project was created; undefined when there is none. At once when that is remembered. */
  projectCreatedAt(key: ProjectKey): Awaitable<number | undefined>;
}

/** Returns the existence of accounts and projects in `store`. Presence is remembered, absence never. */
export function createExistence(store: Pick<Store, 'onAccessChange' | 'findAccount' | 'findProject'>): Existence {
  /** When each was created. */
  const present = new AccessCache<number>(store, { bytesMax, scopeOf: (name) => name.split('/') });
  const createdAt = (name: string, find: () => Awaitable<{ readonly createdAt: number } | undefined>) =>
    present.get(name) ?? present.fill(name, async () => (await find())?.createdAt);
  return {
    hasAccount: async (accountId) => (await createdAt(accountId, () => store.findAccount(accountId))) !== undefined,
    projectCreatedAt: (key) => createdAt(projectName(key), () => store.findProject(key)),
  };
}

/** The same project comes again and again as the same object. Finding its name here is faster than joining and hashing it. */
const projectNames = new WeakMap<ProjectKey, string>();

function projectName(key: ProjectKey): string {
  let name = projectNames.get(key);
  if (name === undefined) {
    name = `${key.accountId}/${key.slug}`;
    projectNames.set(key, name);
  }
  return name;
}
