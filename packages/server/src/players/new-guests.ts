/**
 * Limits the new guests from one address per hour. Guests with a user state, and guests that this node admitted recently, are known:
 * returning guests are never refused.
 */
import { LRUCache } from 'lru-cache';
import { Refusal } from '../common/refusal.ts';
import type { UserStateKey } from '../storage/contract/user-states.ts';
import type { Awaitable, Store } from '../storage/store.ts';

/** Guests that a node remembers, at about 150 bytes each. */
const rememberedMax = 100_000;

/** The new guests from an address in the hour since the first one. Times are in milliseconds. */
export interface GuestWindow {
  readonly endsAt: number;
  take(now: number): Awaitable<boolean>;
  putBack(now: number): void;
}

/** The store and limits for new guests. */
export interface NewGuestsOptions {
  readonly store: Pick<Store, 'currentUserVersions'>;
  /** Returns an address's windows, narrowest first: the address, then its network. Empty if there is no limit. */
  readonly windowsOf: (clientName: string) => readonly GuestWindow[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface NewGuests {
  /**
   * Resolves if the guest is known, or the address may add another. Rejects with the refusal `rate_limited`, and with `StoreUnavailable`.
   */
  admit(guest: UserStateKey, clientName: string): Promise<void>;
}

/** Returns the count of new guests. */
export function createNewGuests({ store, windowsOf, now }: NewGuestsOptions): NewGuests {
  const remembered = new LRUCache<string, true>({ maxSize: rememberedMax, sizeCalculation: () => 1 });

  async function count(clientName: string): Promise<void> {
    const time = now();
    const taken: GuestWindow[] = [];
    for (const window of windowsOf(clientName)) {
      if (await window.take(time)) {
        taken.push(window);
        continue;
      }
      for (const one of taken) one.putBack(time);
      throw tooMany(Math.max(1, Math.ceil((window.endsAt - time) / 1000)));
    }
  }

  return {
    async admit(guest, clientName) {
      // An id belongs to one account; a guest without a user state does not belong to a particular project.
      const { playerId } = guest;
      if (remembered.get(playerId)) return;
      const [userState] = await store.currentUserVersions([guest]);
      if (userState?.kind !== 'present') await count(clientName);
      remembered.set(playerId, true);
    },
  };
}

const tooMany = (retryAfterSeconds: number): Refusal =>
  new Refusal(
    'rate_limited',
    `this address has brought as many new guests as it may in an hour; wait ${retryAfterSeconds} s`,
    {
      retryAfterSeconds,
    },
  );
