import type { TextStorage } from '../storage.ts';

/** The used part of IndexedDB. */
interface Request<Result> {
  readonly result: Result;
  readonly error: unknown;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}
interface ObjectStore<Value> {
  get(name: string): Request<Value | undefined>;
  add(value: Value, name: string): Request<unknown>;
  put(value: Value, name: string): Request<unknown>;
  delete(name: string): Request<unknown>;
}
interface Database<Value> {
  createObjectStore(name: string): void;
  transaction(
    store: string,
    mode: 'readonly' | 'readwrite',
  ): {
    objectStore(name: string): ObjectStore<Value>;
    readonly error: unknown;
    oncomplete: (() => void) | null;
    onabort: (() => void) | null;
  };
}
interface Databases<Value> {
  open(name: string, version: number): Request<Database<Value>> & { onupgradeneeded: (() => void) | null };
}

/** Values by name in a browser database. Rejects with the browser's error. */
export interface Values<Value> {
  get(name: string): Promise<Value | undefined>;
  set(name: string, value: Value): Promise<void>;
  /** Stores a value. Rejects if the name exists. */
  add(name: string, value: Value): Promise<void>;
  delete(name: string): Promise<void>;
}

/** Keeps texts in IndexedDB, which has more room and works in workers. */
export const indexedDbStorage = (databaseName = 'holdfast'): TextStorage => valuesIn<string>(databaseName);

/** Stores cloneable values in IndexedDB. */
export function valuesIn<Value>(databaseName: string): Values<Value> {
  const { indexedDB } = globalThis as unknown as { readonly indexedDB: Databases<Value> };
  const opening = new Promise<Database<Value>>((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore('texts');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  opening.catch(() => {}); // the next read reports it
  const run = async <Result>(
    mode: 'readonly' | 'readwrite',
    work: (values: ObjectStore<Value>) => Request<Result>,
  ): Promise<Result> => {
    const transaction = (await opening).transaction('texts', mode);
    const request = work(transaction.objectStore('texts'));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  };
  return {
    get: (name) => run('readonly', (values) => values.get(name)),
    set: async (name, value) => void (await run('readwrite', (values) => values.put(value, name))),
    add: async (name, value) => void (await run('readwrite', (values) => values.add(value, name))),
    delete: async (name) => void (await run('readwrite', (values) => values.delete(name))),
  };
}
