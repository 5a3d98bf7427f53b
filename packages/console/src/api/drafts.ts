/**
 * Unsaved text, kept in this browser until it is saved. It is stored in a database, since `localStorage` has room for a few documents only.
 */
export interface Draft {
  readonly text: string;
  /** The version that the text is based on; 0 if there was none. */
  readonly baseVersion: number;
  /** That version's text, so that merging is possible after a reload. */
  readonly baseText: string;
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
}

const storeName = 'drafts';

let opening: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('holdfast-console', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(storeName);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the drafts cannot be opened'));
  });
  opening.catch(() => {
    opening = undefined;
  });
  return opening;
}

async function run<Result>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
  const database = await open();
  return new Promise((resolve, reject) => {
    const request = work(database.transaction(storeName, mode, { durability: 'strict' }).objectStore(storeName));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the draft cannot be kept'));
  });
}

export const drafts = {
  read: (name: string): Promise<Draft | undefined> => run('readonly', (store) => store.get(name)),
  write: (name: string, draft: Draft): Promise<unknown> => run('readwrite', (store) => store.put(draft, name)),
  remove: (name: string): Promise<unknown> => run('readwrite', (store) => store.delete(name)),
  count: (): Promise<number> => run('readonly', (store) => store.count()),
  clear: (): Promise<unknown> => run('readwrite', (store) => store.clear()),
};
