/** Wires guests together. */

import { LRUCache } from 'lru-cache';
import { networkName } from '../limits/client-address.ts';
import { networkFactor } from '../limits/rate-limit.ts';
import type { Limit } from '../limits/shared-window.ts';
import { windowOpener } from '../limits/shared-window.ts';
import { createNewGuests } from '../players/first-seen.ts';
import { createGuestNonces, type GuestNonces } from '../players/guest-nonces.ts';
import { createGuests, type Guests } from '../players/guests.ts';
import type { Wiring } from './wiring.ts';

const windowSeconds = 60 * 60;
/** Addresses whose windows are in memory, at about 300 bytes each. */
const windowsMax = 50_000;

export interface GuestParts {
  readonly guests: Guests;
  readonly nonces: GuestNonces;
}

/** Returns guests, and the nonces that they sign. */
export function createGuestParts(wiring: Wiring): GuestParts {
  const { store, secretKey, baseUrl: audience, now } = wiring;
  const nonces = createGuestNonces(secretKey, now);
  const newGuests = createNewGuests({ store, windowsOf: windowsOf(wiring), now });
  return { nonces, guests: createGuests({ store, nonces, newGuests, audience, now }) };
}

/** Returns the windows of an address: its own, and that of its network, which has room for more. */
function windowsOf({ store, config: { guestsPerHour: countMax } }: Wiring) {
  if (countMax === 0) return () => [];
  const open = windowOpener(store);
  const windows = new LRUCache<string, ReturnType<ReturnType<typeof open>>>({
    maxSize: windowsMax,
    sizeCalculation: () => 1,
  });
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
  return (clientName: string) => {
    const network = networkName(clientName);
    return network === clientName ? [ofAddress(clientName)] : [ofAddress(clientName), ofNetwork(network)];
  };
}
