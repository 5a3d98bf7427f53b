import type { TextStorage } from '../storage.ts';

/** What is used of IndexedDB. */
interface Request<Result> {
  readonly result: Result;
  readonly error: unknown;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}
interface ObjectStore {
  get(name: string): Request<string | undefined>;
  put(text: string, name: string): Request<unknown>;
  delete(name: string): Request<unknown>;
}
interface Database {
  createObjectStore(name: string): void;
  transaction(
    store: string,
    mode: 'readonly' | 'readwrite',
  ): {
    objectStore(name: string): ObjectStore;
    readonly error: unknown;
    oncomplete: (() => void) | null;
    onabort: (() => void) | null;
  };
}
interface Databases {
  open(name: string, version: number): Request<Database> & { onupgradeneeded: (() => void) | null };
}

/** Keeps texts in IndexedDB: as much as the browser gives, also in workers. */
export function indexedDbStorage(databaseName = 'holdfast'): TextStorage {
  const { indexedDB } = globalThis as unknown as { readonly indexedDB: Databases };
  const opening = new Promise<Database>((resolve, reject) => {
    const request = indexedDB.open(databaseName, 1);
    request.onupgradeneeded = () => request.result.createObjectStore('texts');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  opening.catch(() => {}); // whoever asks for a text learns of it
  const run = async <Result>(
    mode: 'readonly' | 'readwrite',
    work: (texts: ObjectStore) => Request<Result>,
  ): Promise<Result> => {
    const transaction = (await opening).transaction('texts', mode);
    const request = work(transaction.objectStore('texts'));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  };
  return {
    get: (name) => run('readonly', (texts) => texts.get(name)),
    set: async (name, text) => void (await run('readwrite', (texts) => texts.put(text, name))),
    delete: async (name) => void (await run('readwrite', (texts) => texts.delete(name))),
  };
}
