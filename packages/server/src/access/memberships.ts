/** Who is a member of which account. Every refresh of a developer asks for it, so it is remembered until access to the account changes. */
import { createLastUses } from '../common/last-uses.ts';
import { AccessCache } from '../storage/scoped-cache.ts';
import type { Store } from '../storage/store.ts';

/** Room for some 10,000 members, at about 600 bytes each. */
const bytesMax = 6 * 1024 * 1024;
/** When a developer was last seen is right to an hour. */
const developerSeenIntervalMs = 60 * 60 * 1000;

export interface Memberships {
  /**
   * Whether somebody still gets tokens for an account; if so, notes that they were seen. That of a member is remembered. It ends on this
   * node at once, and on every other within a second.
   */
  admits(accountId: string, subject: string): Promise<boolean>;
  /** Notes that a developer was seen. */
  note(accountId: string, subject: string): void;
  /** Writes when developers were last seen. Call it before the store is closed. */
  close(): Promise<void>;
}

/** Returns the memberships of developers whose subjects are those of an issuer. */
export function createMemberships(
  store: Pick<Store, 'onAccessChange' | 'findMember' | 'recordDevelopersSeen'>,
  issuer: string,
  now: () => number,
): Memberships {
  const present = new AccessCache<true>(store, { bytesMax, scopeOf: (name) => name.split('/').slice(0, 1) });
  const seen = createLastUses(developerSeenIntervalMs, (uses) =>
    store.recordDevelopersSeen(
      issuer,
      uses.map(([name, seenAt]) => {
        const [accountId = '', ...subject] = name.split(' ');
        return { accountId, subject: subject.join(' '), seenAt };
      }),
    ),
  );
  const note = (accountId: string, subject: string) => void seen.note(`${accountId} ${subject}`, now());
  return {
    note,
    async admits(accountId, subject) {
      const name = `${accountId}/${nameOf(subject)}`;
      const find = async () => ((await store.findMember(accountId, issuer, subject)) === undefined ? undefined : true);
      if ((present.get(name) ?? (await present.fill(name, find))) === undefined) return false;
      note(accountId, subject);
      return true;
    },
    close: () => seen.close(),
  };
}

/** A subject is any text, and names in a cache are Latin-1. */
const nameOf = (subject: string): string =>
  /^[\w.@|-]*$/.test(subject) ? `=${subject}` : Buffer.from(subject).toString('base64url');
