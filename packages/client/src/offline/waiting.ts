/** Changes that wait, as they are stored: for all tabs of an origin in one place. */
import { runtime } from '../runtime.ts';
import type { TextStorage } from '../storage.ts';
import { exclusive } from './exclusive.ts';

export interface Entry {
  readonly id: string;
  readonly name: string;
  readonly args: readonly unknown[];
  /** The request that was sent for it, or was about to be: it is sent again unchanged, so that it counts once. */
  readonly sent?: { readonly key: string; readonly body: string; readonly version: number | null; readonly at: number };
}

/** What waits under a name, and the version as which a change of it was applied last. */
export class Waiting {
  readonly #storage: TextStorage;
  readonly #place: string;
  readonly #listeners = new Set<() => void>();
  readonly #channel: BroadcastChannel | undefined;

  constructor(storage: TextStorage, place: string) {
    this.#storage = storage;
    this.#place = place;
    // As tokens have it: elsewhere a channel would keep the process alive.
    if (runtime.addEventListener === undefined || typeof BroadcastChannel === 'undefined') return;
    this.#channel = new BroadcastChannel(place);
    this.#channel.onmessage = () => this.#tell();
  }

  async read(): Promise<Entry[]> {
    return JSON.parse((await this.#storage.get(this.#place)) ?? '[]');
  }

  /** The version as which a change was applied last; 0 when none was. Read it after the entries: it is written before one is removed. */
  async appliedVersion(): Promise<number> {
    return Number((await this.#storage.get(`${this.#place}:applied`)) ?? 0);
  }

  async add(entry: Entry): Promise<void> {
    await this.#edit((entries) => [...entries, entry]);
  }

  async replace(entry: Entry): Promise<void> {
    await this.#edit((entries) => entries.map((each) => (each.id === entry.id ? entry : each)));
  }

  /** Removes what has been settled, and keeps the version as which it was applied. */
  async remove(id: string, version: number | undefined): Promise<void> {
    if (version !== undefined) await this.#storage.set(`${this.#place}:applied`, String(version));
    await this.#edit((entries) => entries.filter((each) => each.id !== id));
  }

  async #edit(change: (entries: Entry[]) => Entry[]): Promise<void> {
    await exclusive(`${this.#place}:edit`, async () =>
      this.#storage.set(this.#place, JSON.stringify(change(await this.read()))),
    );
    this.#channel?.postMessage(null);
    this.#tell();
  }

  /** Calls the listener at each change, in whichever tab it was made. Returns what ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  close(): void {
    this.#channel?.close();
  }
}
