/**
 * Who is a member of which account. Every token refresh of a developer needs this, so it is remembered until access to the account changes.
 */

import { type Awaitable, mapAwaitable } from '../common/async/awaitable.ts';
import { AccessCache } from '../storage/caches/scoped-cache.ts';
import type { Store } from '../storage/store.ts';
import { createLastUses } from './last-uses.ts';

/** Room for some 10,000 members, at about 600 bytes each. */
const bytesMax = 6 * 1024 * 1024;
/** The time when a developer was last seen is accurate to an hour. */
const developerSeenIntervalMs = 60 * 60 * 1000;

export interface Memberships {
  /**
   * Whether somebody may still get tokens for an account; if so, records that they were seen. Memberships are remembered. The end of one
   * takes effect immediately on this node, and within a second on every other.
   */
  admits(accountId: string, subject: string): Awaitable<boolean>;
  /** Records that a developer was seen. */
  note(accountId: string, subject: string): void;
  /** Writes when developers were last seen. Call it before the store is closed. */
  close(): Promise<void>;
}

/** Returns the memberships of developers who sign in at one issuer. */
export function createMemberships(
  store: Pick<Store, 'onAccessChange' | 'findMember' | 'recordDevelopersSeen'>,
  issuer: string,
  now: () => number,
): Memberships {
  const present = new AccessCache<true>(store, { bytesMax, scopeOf: (name) => name.split('/').slice(0, 1) });
  const seen = createLastUses(nameOf, developerSeenIntervalMs, (uses) =>
    store.recordDevelopersSeen(
      issuer,
      uses.map(([{ accountId, subject }, seenAt]) => ({ accountId, subject, seenAt })),
    ),
  );
  const note = (accountId: string, subject: string) => void seen.note({ accountId, subject }, now());
  return {
    note,
    admits(accountId, subject) {
      const name = nameOf({ accountId, subject });
      const find = async () => ((await store.findMember(accountId, issuer, subject)) === undefined ? undefined : true);
      return mapAwaitable(present.get(name) ?? present.fill(name, find), (isPresent) => {
        if (isPresent === undefined) return false;
        note(accountId, subject);
        return true;
      });
    },
    close: () => seen.close(),
  };
}

interface Member {
  readonly accountId: string;
  readonly subject: string;
}

/** A subject may be any text, but cache names are Latin-1. */
const nameOf = ({ accountId, subject }: Member): string =>
  `${accountId}/${/^[\w.@|-]*$/.test(subject) ? `=${subject}` : Buffer.from(subject).toString('base64url')}`;
