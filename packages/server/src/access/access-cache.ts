/** Remembers what the store said about access, exactly as long as it holds. */
import { LRUCache } from 'lru-cache';
import type { Awaitable, Store } from '../storage/store.ts';
import { whenHere } from './awaitable.ts';

/** What an entry takes beside its key: the value, and its places in the tables of the cache. */
const entryOverheadBytes = 384;

/**
 * A bounded cache that forgets everything whenever access may have changed. A look-up that was begun before such a change
 * never fills the cache after it, so nothing that was revoked comes back.
 *
 * Keys are Latin-1 text: header values and identifiers.
 */
export class AccessCache<Value extends {}> {
  readonly #entries: LRUCache<string, Value>;
  #epoch = 0;

  /** `bytesMax` bounds what the entries take, about; the least recently used go first. */
  constructor(store: Pick<Store, 'onAccessChange'>, bytesMax: number) {
    this.#entries = new LRUCache({ maxSize: bytesMax, sizeCalculation: (_, key) => key.length + entryOverheadBytes });
    store.onAccessChange(() => {
      this.#epoch += 1;
      this.#entries.clear();
    });
  }

  /** Returns what is remembered under `key`. */
  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Returns what `lookUp` finds, at once if it does, and remembers it unless it is nothing or access changed meanwhile. */
  fill<Found extends Value | undefined>(key: string, lookUp: () => Awaitable<Found>): Awaitable<Found> {
    const begun = this.#epoch;
    return whenHere(lookUp(), (found) => this.#keep(key, found, begun));
  }

  #keep<Found extends Value | undefined>(key: string, found: Found, begun: number): Found {
    if (found !== undefined && begun === this.#epoch) this.#entries.set(ownCopy(key), found);
    return found;
  }
}

/** A string cut out of a longer one, such as a segment out of a URL, keeps the longer one in memory; a copy does not. */
function ownCopy(key: string): string {
  return Buffer.from(key, 'latin1').toString('latin1');
}
