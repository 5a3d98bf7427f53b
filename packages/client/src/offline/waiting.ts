/**
 * Waiting changes in the storage, shared by all tabs of an origin and separate for each user. Each change is a separate text, so that
 * adding one costs the same however many there are.
 */

import { runtime } from '../runtime.ts';
import { settle } from '../settle.ts';
import { damaged, type GuardedStorage } from '../storage.ts';
import { exclusive } from './exclusive.ts';
import type { StoredOutcome } from './settled.ts';
import { type Entry, isRange, isSent, type OldEntry, type Range, type Sent } from './stored.ts';

/** The waiting changes of one user under a name, and the version as which a change was last applied. */
export class Waiting {
  readonly place: string;
  readonly #storage: GuardedStorage;
  readonly #onChange: () => void;
  #channel: BroadcastChannel | undefined;
  /** Changes read before. A change never changes. */
  readonly #known = new Map<number, Entry>();

  constructor(storage: GuardedStorage, place: string, onChange: () => void) {
    this.#storage = storage;
    this.place = place;
    this.#onChange = onChange;
    // localStorage may reach another tab after the message about it.
    runtime.addEventListener?.('storage', this.#hear);
    // As for tokens: elsewhere a channel would keep the process alive.
    if (runtime.addEventListener === undefined || typeof BroadcastChannel === 'undefined') return;
    this.#channel = new BroadcastChannel(place);
    this.#channel.onmessage = onChange;
  }

  async #range(): Promise<Range> {
    const range = await this.#parse<Range>(this.place, isRange);
    return range ?? { first: 0, next: 0 };
  }

  /** Returns the waiting changes, in order. */
  async read(): Promise<readonly Entry[]> {
    const { first, next, gone = [], aside = [] } = await this.#range();
    const missing = new Set([...gone, ...aside]);
    const places = Array.from({ length: next - first }, (_, index) => first + index).filter((at) => !missing.has(at));
    for (const at of this.#known.keys()) if (at < first && !missing.has(at)) this.#known.delete(at);
    return this.#readEntries(places);
  }

  /** Returns the changes set aside, in order. */
  async readAside(): Promise<readonly Entry[]> {
    const { aside = [] } = await this.#range();
    return this.#readEntries(aside);
  }

  async #readEntries(places: readonly number[]): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
    for (const at of places) {
      const entry = this.#known.get(at) ?? (await this.#readEntry(at));
      if (entry !== undefined) entries.push(entry);
    }
    return entries;
  }

  async #readEntry(at: number): Promise<Entry | undefined> {
    const text = await this.#storage.get(this.#nameOf(at));
    if (text === undefined) return undefined; // just settled
    let entry: Entry;
    try {
      const { name, args, version = 1, storedAt, id = at } = JSON.parse(text);
      entry = { at, id, name, args, version, storedAt };
    } catch {
      entry = { at, id: at, name: '', args: [], version: 0, storedAt: undefined }; // it has no mutator and is set aside in its turn
    }
    this.#known.set(at, entry);
    return entry;
  }

  /** Returns the pending request. Read it before the waiting changes, since it is removed last. */
  async sent(): Promise<Sent | undefined> {
    return this.#parse<Sent>(this.#nameOf('sent'), isSent);
  }

  /** Returns the version as which a change was last applied, or 0. Read it after the waiting changes: it is written before a removal. */
  async appliedVersion(): Promise<number> {
    return Number((await this.#storage.get(this.#nameOf('applied'))) ?? 0);
  }

  /** Adds a change, and returns its number. Rejects with `invalid_state` or `inexact_number` if its arguments are not JSON. */
  async add(name: string, given: readonly unknown[], version: number): Promise<number> {
    const some = [...given];
    while (some.length > 0 && some.at(-1) === undefined) some.pop(); // left out, so they may have defaults
    const args = settle(some, { hasBigints: false });
    const storedAt = Date.now();
    let id = 0;
    await this.#edit(async (range) => {
      id = range.next;
      await this.#storage.set(this.#nameOf(id), JSON.stringify({ name, args, version, storedAt }));
      return { ...range, next: id + 1 };
    });
    return id;
  }

  /**
   * Stores the request that is about to be sent for `count` changes. Returns false, and stores nothing, if one of them was discarded
   * meanwhile.
   */
  send(sent: Sent, count: number): Promise<boolean> {
    return this.#alone(async () => {
      const entries = await this.read();
      if (entries.filter(({ at }) => at <= sent.through).length !== count) return false;
      await this.#storage.set(this.#nameOf('sent'), JSON.stringify(sent));
      return true;
    });
  }

  /** Drops the request. */
  async giveUp(): Promise<void> {
    await this.#storage.delete(this.#nameOf('sent'));
    this.#tell();
  }

  /** Removes settled changes up to one, and stores the version as which they were applied and their outcomes. */
  async settle(through: number, version: number | undefined, outcome: StoredOutcome | undefined): Promise<void> {
    await this.#edit(async (range) => {
      const { gone = [], aside = [] } = range;
      if (version !== undefined) await this.#storage.set(this.#nameOf('applied'), String(version));
      await this.#note(outcome);
      for (let at = range.first; at <= through; at++) {
        if (!aside.includes(at)) await this.#storage.delete(this.#nameOf(at));
      }
      await this.#storage.delete(this.#nameOf('sent'));
      const first = Math.max(range.first, through + 1);
      return { ...range, first, ...(gone.length > 0 && { gone: gone.filter((at) => at >= first) }) };
    });
  }

  /** Moves a change out of the line, and keeps it. */
  async setAside(at: number): Promise<void> {
    await this.#edit(async (range) => ({ ...range, aside: [...(range.aside ?? []), at] }));
  }

  /** Appends changes that were set aside and can now be made to the line. */
  async takeBack(isKnown: (entry: Entry) => boolean): Promise<void> {
    const known = (await this.readAside()).filter(isKnown);
    if (known.length === 0) return;
    await this.#edit(async (range) => {
      let { next } = range;
      for (const { at, ...change } of known) {
        if (range.aside?.includes(at)) await this.#storage.set(this.#nameOf(next++), JSON.stringify(change));
      }
      return { ...range, next, aside: range.aside?.filter((at) => known.every((each) => each.at !== at)) };
    });
    for (const { at } of known) await this.#storage.delete(this.#nameOf(at));
  }

  /** Discards a change. Returns false if it does not exist or is in the pending request. */
  async discard(id: number, outcome: StoredOutcome | undefined): Promise<boolean> {
    const isThere = await this.#alone(async () => {
      const { through = -1 } = (await this.sent()) ?? {};
      const inLine = (await this.read()).find((entry) => entry.id === id && entry.at > through);
      const entry = inLine ?? (await this.readAside()).find((each) => each.id === id);
      if (entry === undefined) return false;
      const { at } = entry;
      const range = await this.#range();
      const left = range.aside?.filter((each) => each !== at);
      await this.#note(outcome);
      await this.#keep({ ...range, ...(inLine ? { gone: [...(range.gone ?? []), at] } : { aside: left }) });
      await this.#storage.delete(this.#nameOf(at));
      this.#known.delete(at);
      return true;
    });
    return isThere;
  }

  /** Recent outcomes, newest last. */
  async outcomes(): Promise<readonly StoredOutcome[]> {
    return (await this.#parse<readonly StoredOutcome[]>(this.#nameOf('settled'), Array.isArray)) ?? [];
  }

  async #note(outcome: StoredOutcome | undefined): Promise<void> {
    if (outcome === undefined) return;
    // Only other tabs read them, so damaged ones are dropped.
    const before = await this.outcomes().catch(() => []);
    await this.#storage.set(this.#nameOf('settled'), JSON.stringify([...before, outcome].slice(-outcomesMax)));
  }

  /** Takes over changes stored by version 0.1.0, which have no owner; once, and only if nothing waits. */
  async adopt(place: string): Promise<void> {
    await exclusive(`${place}:edit`, () =>
      this.#edit(async (range) => {
        if (range.hasAdopted || range.first < range.next) return range;
        const old = (await this.#parse<readonly OldEntry[]>(place, Array.isArray)) ?? [];
        let { next } = range;
        for (const { name, args, sent } of old) {
          if (sent !== undefined) {
            await this.#storage.set(this.#nameOf('sent'), JSON.stringify({ ...sent, through: next }));
          }
          await this.#storage.set(this.#nameOf(next++), JSON.stringify({ name, args }));
        }
        return { ...range, next, hasAdopted: true };
      }),
    );
    if ((await this.#range()).hasAdopted) await this.#storage.delete(place);
  }

  async #edit(change: (range: Range) => Promise<Range>): Promise<void> {
    await this.#alone(async () => this.#keep(await change(await this.#range())));
  }

  async #keep(range: Range): Promise<void> {
    await this.#storage.set(this.place, JSON.stringify(range));
  }

  /** Changes the stored data, exclusively among all tabs. */
  async #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = await exclusive(`${this.place}:edit`, work);
    this.#tell();
    return result;
  }

  #tell(): void {
    this.#channel?.postMessage(null);
    this.#onChange();
  }

  #nameOf(part: string | number): string {
    return `${this.place}:${part}`;
  }

  /** Reads the stored data under a name. Rejects if it is something else, since waiting changes would be lost. */
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

/** How many outcomes are kept for other tabs, which read them immediately. */
const outcomesMax = 32;
