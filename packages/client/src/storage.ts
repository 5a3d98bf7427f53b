import { HoldfastError } from './errors.ts';
import { runtime } from './runtime.ts';

/** Keeps texts by name: tokens, cached documents, queued changes. Each function may return a promise. */
export interface TextStorage {
  /** Returns the text with this name, or null or undefined. */
  get(name: string): string | null | undefined | Promise<string | null | undefined>;
  /** Stores or replaces a text. */
  set(name: string, text: string): void | Promise<void>;
  /** Removes a text, if it exists. */
  delete(name: string): void | Promise<void>;
}

/** Keeps texts in memory. */
export function memoryStorage(): TextStorage {
  const texts = new Map<string, string>();
  return {
    get: (name) => texts.get(name),
    set: (name, text) => {
      texts.set(name, text);
    },
    delete: (name) => {
      texts.delete(name);
    },
  };
}

/** Keeps texts in `localStorage`, which all tabs of an origin share; without it, in memory. */
export function browserStorage(): TextStorage {
  let local: typeof runtime.localStorage;
  try {
    local = runtime.localStorage; // throws in frames without storage access
    local?.getItem('');
  } catch {
    local = undefined;
  }
  if (local === undefined) return memoryStorage();
  const found = local;
  return {
    get: (name) => found.getItem(name),
    set: (name, text) => found.setItem(name, text),
    delete: (name) => found.removeItem(name),
  };
}

/** A storage of the package. Failed reads and writes reject with `storage_failed`. */
export interface GuardedStorage {
  get(name: string): Promise<string | undefined>;
  /** The text with this name, without waiting: undefined if the storage needs time, or fails. */
  peek(name: string): string | undefined;
  set(name: string, text: string): Promise<void>;
  delete(name: string): Promise<void>;
}

/** Wraps an application's storage, which can be full, denied or broken. */
export function guarded(storage: TextStorage): GuardedStorage {
  const guard = async <Result>(what: string, work: () => Result | Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (cause) {
      throw damaged(`the storage cannot ${what} a text: ${cause}`, cause);
    }
  };
  return {
    async get(name) {
      const text = await guard('read', () => storage.get(name));
      return typeof text === 'string' ? text : undefined;
    },
    peek(name) {
      try {
        const text = storage.get(name);
        if (typeof text === 'string') return text;
        text?.catch(() => {}); // it is read again
      } catch {} // the next read reports it
      return undefined;
    },
    set: (name, text) => guard('keep', () => storage.set(name, text)),
    delete: (name) => guard('remove', () => storage.delete(name)),
  };
}

/** The error of a storage. */
export const damaged = (message: string, cause?: unknown): HoldfastError =>
  new HoldfastError('storage_failed', message, { cause });
