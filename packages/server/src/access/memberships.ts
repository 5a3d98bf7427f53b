/** Who is a member of which account. Every refresh of a developer asks for it, so it is remembered until access to the account changes. */
import { mapAwaitable } from '../common/awaitable.ts';
import type { MemberStore } from '../storage/member-store.ts';
import { AccessCache } from '../storage/scoped-cache.ts';
import type { Awaitable, Store } from '../storage/store.ts';

/** Room for some 10,000 members, at about 600 bytes each. */
const bytesMax = 6 * 1024 * 1024;

export interface Memberships {
  /** At once when it is remembered: for members only. It ends on this node at once, and on every other within a second. */
  has(accountId: string, subject: string): Awaitable<boolean>;
}

/** Returns the memberships of developers whose subjects are those of an issuer. */
export function createMemberships(
  store: Pick<Store, 'onAccessChange'> & Pick<MemberStore, 'findMember'>,
  issuer: string,
): Memberships {
  const present = new AccessCache<true>(store, { bytesMax, scopeOf: (name) => name.split('/').slice(0, 1) });
  return {
    has(accountId, subject) {
      // A subject is any text, and names in a cache are Latin-1.
      const name = `${accountId}/${Buffer.from(subject).toString('base64url')}`;
      if (present.get(name) !== undefined) return true;
      const find = async () => ((await store.findMember(accountId, issuer, subject)) === undefined ? undefined : true);
      return mapAwaitable(present.fill(name, find), (found) => found === true);
    },
  };
}
