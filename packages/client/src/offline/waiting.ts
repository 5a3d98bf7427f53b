/**
 * Changes that wait, as they are stored: for all tabs of an origin in one place, and for each user in another. A change is a text of
 * its own, so that one more costs the same however many there are.
 */

import { runtime } from '../runtime.ts';
import { settle } from '../settle.ts';
import { damaged, type GuardedStorage } from '../storage.ts';
import { exclusive } from './exclusive.ts';

export interface Entry {
  /** Its place in the line. */
  readonly at: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** The request that was sent for the first changes, or was about to be: it is sent again unchanged, so that it counts once. */
export interface Sent {
  readonly key: string;
  readonly body: string;
  readonly version: number | null;
  /** When it was made. */
  readonly at: number;
  /** The last change that it has. */
  readonly through: number;
}

/** Which changes wait: from `first` to before `next`. */
interface Range {
  readonly first: number;
  readonly next: number;
  /** Whether what version 0.1.0 stored has been taken over. */
  readonly hasAdopted?: boolean;
}

/** What waits for one user under a name, and the version as which a change of it was applied last. */
export class Waiting {
  readonly place: string;
  readonly #storage: GuardedStorage;
  readonly #onChange: () => void;
  #channel: BroadcastChannel | undefined;
  /** What has been read: a change does not change any more. */
  readonly #known = new Map<number, Entry>();

  constructor(storage: GuardedStorage, place: string, onChange: () => void) {
    this.#storage = storage;
    this.place = place;
    this.#onChange = onChange;
    // localStorage may reach another tab after the message about it.
    runtime.addEventListener?.('storage', this.#hear);
    // As tokens have it: elsewhere a channel would keep the process alive.
    if (runtime.addEventListener === undefined || typeof BroadcastChannel === 'undefined') return;
    this.#channel = new BroadcastChannel(place);
    this.#channel.onmessage = onChange;
  }

  async #range(): Promise<Range> {
    const range = await this.#parse<Range>(this.place, isRange);
    return range ?? { first: 0, next: 0 };
  }

  /** What waits, in order. */
  async read(): Promise<readonly Entry[]> {
    const { first, next } = await this.#range();
    const entries: Entry[] = [];
    for (let at = first; at < next; at++) {
      const entry = this.#known.get(at) ?? (await this.#readEntry(at));
      if (entry !== undefined) entries.push(entry);
    }
    for (const at of this.#known.keys()) if (at < first) this.#known.delete(at);
    return entries;
  }

  async #readEntry(at: number): Promise<Entry | undefined> {
    const text = await this.#storage.get(this.#nameOf(at));
    if (text === undefined) return undefined; // settled a moment ago
    let entry: Entry;
    try {
      entry = { ...JSON.parse(text), at };
    } catch {
      entry = { at, name: '', args: [] }; // there is no such mutator: it is refused in its turn
    }
    this.#known.set(at, entry);
    return entry;
  }

  /** The request that is under way. Read it before what waits: it is removed last. */
  async sent(): Promise<Sent | undefined> {
    return this.#parse<Sent>(this.#nameOf('sent'), isSent);
  }

  /** The version as which a change was applied last; 0 when none was. Read it after what waits: it is written before one is removed. */
  async appliedVersion(): Promise<number> {
    return Number((await this.#storage.get(this.#nameOf('applied'))) ?? 0);
  }

  /** Adds a change. Rejects with `invalid_state` or `inexact_number` when its arguments are not JSON. */
  async add(name: string, given: readonly unknown[]): Promise<void> {
    const some = [...given];
    while (some.length > 0 && some.at(-1) === undefined) some.pop(); // they were left out, and may have a default
    const args = settle(some, { hasBigints: false });
    await this.#edit(async (range) => {
      await this.#storage.set(this.#nameOf(range.next), JSON.stringify({ name, args }));
      return { ...range, next: range.next + 1 };
    });
  }

  /** Keeps the request that is about to be sent; undefined when it is given up. */
  async send(sent: Sent | undefined): Promise<void> {
    if (sent === undefined) await this.#storage.delete(this.#nameOf('sent'));
    else await this.#storage.set(this.#nameOf('sent'), JSON.stringify(sent));
    this.#tell();
  }

  /** Removes the changes up to one, which are settled, and keeps the version as which they were applied. */
  async settle(through: number, version: number | undefined): Promise<void> {
    await this.#edit(async (range) => {
      if (version !== undefined) await this.#storage.set(this.#nameOf('applied'), String(version));
      for (let at = range.first; at <= through; at++) await this.#storage.delete(this.#nameOf(at));
      await this.#storage.delete(this.#nameOf('sent'));
      return { ...range, first: Math.max(range.first, through + 1) };
    });
  }

  /** Takes over what version 0.1.0 stored, which does not say whose it is. Once, and not behind what waits already. */
  async adopt(place: string): Promise<void> {
    await exclusive(`${place}:edit`, () =>
      this.#edit(async (range) => {
        if (range.hasAdopted || range.first < range.next) return range;
        const old = (await this.#parse<readonly OldEntry[]>(place, Array.isArray)) ?? [];
        let { next } = range;
        for (const { name, args, sent } of old) {
          if (sent !== undefined) await this.send({ ...sent, through: next });
          await this.#storage.set(this.#nameOf(next++), JSON.stringify({ name, args }));
        }
        return { ...range, next, hasAdopted: true };
      }),
    );
    if ((await this.#range()).hasAdopted) await this.#storage.delete(place);
  }

  async #edit(change: (range: Range) => Promise<Range>): Promise<void> {
    await exclusive(`${this.place}:edit`, async () => {
      await this.#storage.set(this.place, JSON.stringify(await change(await this.#range())));
    });
    this.#tell();
  }

  #tell(): void {
    this.#channel?.postMessage(null);
    this.#onChange();
  }

  #nameOf(part: string | number): string {
    return `${this.place}:${part}`;
  }

  /** What is stored under a name. Rejects when it is not what is kept there: what waits would be lost. */
  async #parse<Value>(name: string, isKind: (value: Value) => boolean): Promise<Value | undefined> {
    const text = await this.#storage.get(name);
    if (text === undefined) return undefined;
    try {
      const value: Value = JSON.parse(text);
      if (isKind(value)) return value;
    } catch {
      // It is not even JSON.
    }
    throw damaged(`what waits at ${name} is damaged: it cannot be sent`);
  }

  readonly #hear = ({ key }: { readonly key?: string | null }): void => {
    if (key === this.place) this.#onChange();
  };

  close(): void {
    runtime.removeEventListener?.('storage', this.#hear);
    this.#channel?.close();
    this.#channel = undefined;
  }
}

interface OldEntry {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly sent?: Omit<Sent, 'through'>;
}

const waitingMax = 1_000_000;

const isRange = ({ first, next }: Range): boolean =>
  Number.isSafeInteger(first) && Number.isSafeInteger(next) && next >= first && next - first <= waitingMax;

const isSent = ({ key, body, version, at, through }: Sent): boolean =>
  [key, body].every((text) => typeof text === 'string') &&
  [version ?? 0, at, through].every((number) => Number.isFinite(number));
