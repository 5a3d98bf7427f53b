/** Texts that outlast their tab, in a database of this browser. If it fails, nothing is kept. */
const storeName = 'texts';

let opening: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('holdfast-session', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opening;
}

/** Resolves when the database has committed the changes of `work`. */
async function run<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result | undefined> {
  try {
    const database = await open();
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(storeName, mode);
      const request = work(transaction.objectStore(storeName));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } catch {
    return undefined;
  }
}

export const persistentStorage = {
  async get(name: string): Promise<string | undefined> {
    const text: unknown = await run('readonly', (store) => store.get(name));
    return typeof text === 'string' ? text : undefined;
  },
  set: async (name: string, text: string): Promise<void> => void (await run('readwrite', (store) => store.put(text, name))),
  delete: async (name: string): Promise<void> => void (await run('readwrite', (store) => store.delete(name))),
};
