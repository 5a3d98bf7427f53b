/**
 * Limits the new guests per hour from a client address and from its network. Guests with a user state, and guests that this node admitted
 * recently, are known: returning guests are never refused.
 *
 * @see docs/contract.md §7.14
 */
import { LRUCache } from 'lru-cache';
import { Refusal } from '../common/requests/refusal.ts';
import type { WindowVerbs } from '../storage/contract/engine-verbs.ts';
import type { UserStateKey } from '../storage/contract/user-states.ts';
import type { Store } from '../storage/store.ts';
import { networkName } from './client-address.ts';
import { networkFactor } from './limits.ts';
import { type Limit, type SharedWindow, windowOpener } from './shared-window.ts';

const windowSeconds = 60 * 60;
/** Addresses with windows in memory, at about 300 bytes each. */
const windowsMax = 50_000;
/** Guests that a node remembers, at about 150 bytes each. */
const rememberedMax = 100_000;

/** The store and the limit. */
export interface NewGuestsOptions {
  readonly store: Pick<Store, 'currentUserVersions'> & WindowVerbs;
  /** New guests of an address per hour; 0 if unlimited. */
  readonly countMax: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Returns a function that admits a guest from an address. It rejects with the refusal `rate_limited`, and with `StoreUnavailable`. */
export function createNewGuests({ store, countMax, now }: NewGuestsOptions) {
  const remembered = new LRUCache<string, true>({ maxSize: rememberedMax, sizeCalculation: () => 1 });
  const windowsOf = guestWindows(store, countMax);

  async function count(clientName: string): Promise<void> {
    const time = now();
    const taken: SharedWindow[] = [];
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
    async admit(guest: UserStateKey, clientName: string): Promise<void> {
      // An id belongs to one account; a guest without a user state does not belong to a particular project.
      const { playerId } = guest;
      if (remembered.get(playerId)) return;
      const [userState] = await store.currentUserVersions([guest]);
      if (userState?.kind !== 'present') await count(clientName);
      remembered.set(playerId, true);
    },
  };
}

/**
 * Returns a function that gives the windows of an address: its own, and its network's, which is larger. None if the limit is 0, meaning
 * unlimited.
 */
function guestWindows(store: WindowVerbs, countMax: number): (clientName: string) => readonly SharedWindow[] {
  if (countMax === 0) return () => [];
  const open = windowOpener(store);
  const windows = new LRUCache<string, SharedWindow>({ maxSize: windowsMax, sizeCalculation: () => 1 });
  const named = (limit: Limit) => {
    const openNamed = open(limit);
    return (name: string) => {
      const key = `${limit.name} ${name}`;
      const window = windows.get(key) ?? openNamed(name);
      windows.set(key, window);
      return window;
    };
  };
  const ofAddress = named({ name: 'guests-of-address', countMax, windowSeconds });
  const ofNetwork = named({ name: 'guests-of-network', countMax: countMax * networkFactor, windowSeconds });
  return (clientName) => {
    const network = networkName(clientName);
    return network === clientName ? [ofAddress(clientName)] : [ofAddress(clientName), ofNetwork(network)];
  };
}

const tooMany = (retryAfterSeconds: number): Refusal =>
  new Refusal('rate_limited', `this address has reached its hourly limit of new guests; wait ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  });
