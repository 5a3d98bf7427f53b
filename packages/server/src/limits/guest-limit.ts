/** Limits on new guests per hour, for a client address and for its network. @see docs/contract.md §7.14 */
import { LRUCache } from 'lru-cache';
import type { WindowVerbs } from '../storage/contract/engine-verbs.ts';
import { networkName } from './client-address.ts';
import { networkFactor } from './rate-limit.ts';
import { type Limit, windowOpener } from './shared-window.ts';

const windowSeconds = 60 * 60;
/** Addresses with windows in memory, at about 300 bytes each. */
const windowsMax = 50_000;

/**
 * Returns a function that gives the windows of an address: its own, and its network's, which is larger. None if the setting is 0, meaning
 * unlimited.
 */
export function guestWindows(store: WindowVerbs, countMax: number) {
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
