/** A bounded cache of records that can forget everything of an account, a project or an API key at once. */
import { LRUCache } from 'lru-cache';

/** The path of a record in the tree of accounts, projects and keys: `[accountId]`, `[accountId, slug]`, or one longer. */
export type Scope = readonly string[];

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
}

/**
 * A cache that drops the least recently used entries first. Forgetting a scope takes the same short time whatever it holds:
 * its node is marked and taken out of the tree, and entries that refer to it are no longer found. Their room is freed like
 * that of entries that nobody uses.
 */
export class ScopedCache<Value extends {}> {
  readonly #entries: LRUCache<string, Entry<Value>>;
  readonly #sizeMax: number;
  #root = newNode(undefined, '');

  /** `sizeMax` bounds the sizes of all entries together. */
  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
    this.#entries = new LRUCache({ maxSize: sizeMax, dispose: ({ node }) => release(node) });
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (!isForgotten(entry.node)) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /**
   * Keeps `value`, which belongs to `scope`, under this key, instead of what was kept there. A value larger than the cache
   * is not kept.
   */
  set(key: string, value: Value, scope: Scope, size: number): void {
    if (size > this.#sizeMax) this.#entries.delete(key);
    else this.#entries.set(key, { value, node: hold(this.#root, scope) }, { size });
  }

  /** Returns whether there was something under this key. */
  delete(key: string): boolean {
    return this.#entries.delete(key);
  }

  /** Forgets everything in the scope and in the scopes below it. The empty scope is everything. */
  forget(scope: Scope): void {
    let node: Node | undefined = this.#root;
    for (const name of scope) node = node?.children?.get(name);
    if (node === undefined) return;
    if (node.parent !== undefined) unlink(node, node.parent);
    else this.#root = newNode(undefined, '');
    node.isForgotten = true;
  }
}

function newNode(parent: Node | undefined, name: string): Node {
  return { parent, name, children: undefined, count: 0, isForgotten: false };
}

/** Returns the node of the scope, creating it if needed, and counts one entry more. */
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

/** Counts one entry less. An empty node is removed from the tree, unless it was taken out before. */
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
