/**
 * Bounded caches that can forget all entries of an account, a project or an API key together. `AccessCache` does so whenever access may
 * have changed.
 */
import { LRUCache } from 'lru-cache';
import { type Awaitable, mapAwaitable } from '../../common/async/awaitable.ts';
import { type AccessListener, anyProject, RecentChanges, type Scope, scopeOfChange } from './access-changes.ts';
import { isAdmitted } from './cache-admission.ts';

/** A scope with at least one entry. */
interface Node {
  readonly parent: Node | undefined;
  readonly name: string;
  children: Map<string, Node> | undefined;
  /** The number of entries in exactly this scope, plus the number of scopes in it. */
  count: number;
  isForgotten: boolean;
}

interface Entry<Value> {
  readonly value: Value;
  readonly node: Node;
  /** How many times the cache had forgotten a scope when the entry was last known not to be in one of them. */
  knownAt: number;
}

/**
 * A cache that drops the least recently used entries first. Forgetting a scope takes the same short time for any size: its node is marked
 * and removed from the tree, and entries that refer to it are no longer found. Their space is freed like that of unused entries.
 */
export class ScopedCache<Value extends {}> {
  readonly #sizeMax: number;
  #entries: LRUCache<string, Entry<Value>>;
  #root = newNode(undefined, '');
  #forgotten = 0;

  /** `sizeMax` bounds the total size of all entries. */
  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
    this.#entries = newEntries(sizeMax);
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.knownAt !== this.#forgotten && isForgotten(entry.node)) {
      this.#entries.delete(key);
      return undefined;
    }
    entry.knownAt = this.#forgotten;
    return entry.value;
  }

  /** Stores `value`, which belongs to `scope`, under this key, replacing any earlier one. A value larger than the cache is not stored. */
  set(key: string, value: Value, scope: Scope, size: number): void {
    if (size > this.#sizeMax) this.#entries.delete(key);
    else this.#entries.set(key, { value, node: hold(this.#root, scope), knownAt: this.#forgotten }, { size });
  }

  /**
   * Stores `value` as `set` does while there is room. A full cache accepts only some offers: frequently used values still enter soon, but a
   * cycle of more values than fit does not evict every value before its next use.
   */
  offer(key: string, value: Value, scope: Scope, size: number): void {
    const isFull = this.#entries.calculatedSize + size > this.#sizeMax;
    if (!isFull || isAdmitted()) this.set(key, value, scope, size);
  }

  /** Returns whether there was something under this key. */
  delete(key: string): boolean {
    return this.#entries.delete(key);
  }

  /** Forgets everything in the scope and in the scopes below it. The empty scope is everything. */
  forget(scope: Scope): void {
    this.#forgotten += 1;
    for (const node of nodesOf(this.#root, scope)) {
      node.isForgotten = true;
      if (node.parent !== undefined) {
        unlink(node, node.parent);
        continue;
      }
      this.#root = newNode(undefined, '');
      this.#entries = newEntries(this.#sizeMax);
    }
  }
}

const newEntries = <Value>(sizeMax: number): LRUCache<string, Entry<Value>> =>
  new LRUCache({ maxSize: sizeMax, dispose: ({ node }) => release(node) });

function newNode(parent: Node | undefined, name: string): Node {
  return { parent, name, children: undefined, count: 0, isForgotten: false };
}

/** Returns the nodes of a scope: none, one, or one for each project of an account. */
function nodesOf(root: Node, scope: Scope): Node[] {
  let nodes = [root];
  for (const name of scope) {
    nodes = nodes.flatMap(({ children }) => {
      if (name === anyProject) return [...(children?.values() ?? [])];
      const child = children?.get(name);
      return child === undefined ? [] : [child];
    });
  }
  return nodes;
}

/** Returns the node of the scope, creating it if needed, and counts one more entry. */
function hold(root: Node, scope: Scope): Node {
  let node = root;
  for (const name of scope) {
    node.children ??= new Map();
    let child = node.children.get(name);
    if (child === undefined) {
      child = newNode(node, name);
      node.children.set(name, child);
      node.count += 1;
    }
    node = child;
  }
  node.count += 1;
  return node;
}

/** Counts one entry fewer. An empty node is removed from the tree, unless it was removed before. */
function release(node: Node): void {
  node.count -= 1;
  if (node.count === 0 && node.parent !== undefined && !node.isForgotten) unlink(node, node.parent);
}

function unlink({ name }: Node, parent: Node): void {
  parent.children?.delete(name);
  release(parent);
}

function isForgotten(node: Node): boolean {
  for (let each: Node | undefined = node; each !== undefined; each = each.parent) if (each.isForgotten) return true;
  return false;
}

/** The bytes of an entry apart from its key: the value, its slots in the cache's tables, and its scopes. */
const entryOverheadBytes = 512;

export interface AccessCacheOptions<Value> {
  /** The approximate size of all entries. The least recently used are dropped first. */
  readonly bytesMax: number;
  /** Returns the scope of an entry's record: an account, a project or an API key. */
  readonly scopeOf: (key: string, value: Value) => Scope;
}

/**
 * A bounded cache that forgets an entry whenever access to its account, project or key may have changed. A look-up begun before such a
 * change never fills the cache after it, so revoked access never comes back. Changes of other accounts do not affect it.
 *
 * Keys are Latin-1 text: header values and identifiers.
 */
export class AccessCache<Value extends {}> {
  readonly #entries: ScopedCache<Value>;
  readonly #scopeOf: AccessCacheOptions<Value>['scopeOf'];
  readonly #recent = new RecentChanges();

  constructor(store: { onAccessChange(listener: AccessListener): void }, { bytesMax, scopeOf }: AccessCacheOptions<Value>) {
    this.#entries = new ScopedCache(bytesMax);
    this.#scopeOf = scopeOf;
    store.onAccessChange((change) => {
      const scope = scopeOfChange(change);
      if (scope !== undefined) this.forget(scope);
    });
  }

  /** Returns the value cached under `key`. */
  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Forgets everything in this scope, and makes running look-ups discard their results. */
  forget(scope: Scope): void {
    this.#recent.add(scope);
    this.#entries.forget(scope);
  }

  /**
   * Returns the result of `lookUp`, synchronously if the store answers synchronously. Caches it unless it is undefined or access has
   * changed in the meantime.
   */
  fill<Found extends Value | undefined>(key: string, lookUp: () => Awaitable<Found>): Awaitable<Found> {
    const begun = this.#recent.count;
    return mapAwaitable(lookUp(), (found) => this.#keep(key, found, begun));
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

/** A string cut out of a longer one, for example a URL segment, keeps the longer one in memory; a copy does not. */
function ownCopy(key: string): string {
  return Buffer.from(key, 'latin1').toString('latin1');
}
