/** Remembers what the store said about access, exactly as long as it holds. */
import { RecentChanges, scopeOfChange } from './access-changes.ts';
import { type Awaitable, whenHere } from './awaitable.ts';
import { type Scope, ScopedCache } from './scoped-cache.ts';
import type { Store } from './store.ts';

/** What an entry takes beside its key: the value, its places in the tables of the cache, and the scopes that it is in. */
const entryOverheadBytes = 512;

export interface AccessCacheOptions<Value> {
  /** About the room that all entries take together. The least recently used go first. */
  readonly bytesMax: number;
  /** Returns the scope of the record that an entry was made from: an account, a project or an API key. */
  readonly scopeOf: (key: string, value: Value) => Scope;
}

/**
 * A bounded cache that forgets an entry whenever access to its account, project or key may have changed. A look-up that was
 * begun before such a change never fills the cache after it, so nothing that was revoked comes back. Changes of other accounts
 * leave it alone.
 *
 * Keys are Latin-1 text: header values and identifiers.
 */
export class AccessCache<Value extends {}> {
  readonly #entries: ScopedCache<Value>;
  readonly #scopeOf: AccessCacheOptions<Value>['scopeOf'];
  readonly #recent = new RecentChanges();

  constructor(store: Pick<Store, 'onAccessChange'>, { bytesMax, scopeOf }: AccessCacheOptions<Value>) {
    this.#entries = new ScopedCache(bytesMax);
    this.#scopeOf = scopeOf;
    store.onAccessChange((change) => {
      const scope = scopeOfChange(change);
      if (scope !== undefined) this.forget(scope);
    });
  }

  /** Returns what is remembered under `key`. */
  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Forgets everything in this scope, and makes look-ups that are under way discard what they find. */
  forget(scope: Scope): void {
    this.#recent.add(scope);
    this.#entries.forget(scope);
  }

  /**
   * Returns what `lookUp` finds: at once if the store answers at once. Remembers it unless it is undefined or access has
   * changed meanwhile.
   */
  fill<Found extends Value | undefined>(key: string, lookUp: () => Awaitable<Found>): Awaitable<Found> {
    const begun = this.#recent.count;
    return whenHere(lookUp(), (found) => this.#keep(key, found, begun));
  }

  #keep<Found extends Value | undefined>(key: string, found: Found, begun: number): Found {
    if (found === undefined) return found;
    const scope = this.#scopeOf(key, found);
    if (!this.#recent.concernSince(begun, scope)) {
      const kept = ownCopy(key);
      this.#entries.set(kept, found, scope, kept.length + entryOverheadBytes);
    }
    return found;
  }
}

/** A string cut out of a longer one, such as a segment out of a URL, keeps the longer one in memory; a copy does not. */
function ownCopy(key: string): string {
  return Buffer.from(key, 'latin1').toString('latin1');
}
