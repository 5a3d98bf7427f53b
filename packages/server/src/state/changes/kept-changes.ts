/** Makes each change of one document once, from texts in memory or stored versions, and caches it. */
import { ScopedCache } from '../../storage/caches/scoped-cache.ts';
import { behindMax, type Change, changeOf, type Whole } from './events.ts';
import type { KeptVersions, Source } from './source.ts';

/** The document before its first version, for the operations of the first change. */
const emptyText = '{}';

export interface ChangeMakerParts<Key> {
  readonly key: Key;
  readonly source: Source<Key>;
  readonly memory: DocumentMemory;
  /** Resolves with the operations between two texts, or undefined if they are omitted. */
  readonly compare: (key: Key, fromText: string, toText: string) => Promise<string | undefined>;
  /** Called if a comparison failed; the change is sent without operations. */
  readonly onFault: (error: unknown) => void;
  /** Called after a change is made. */
  readonly onMade: (change: Change) => void;
  /** Called if a store failure prevents a change for now. */
  readonly onFailed: (error: unknown) => void;
  /** Called if the document with this version is no longer the stored one. */
  readonly onOtherRecord: (version: number) => Promise<void>;
}

export class ChangeMaker<Key> {
  readonly #parts: ChangeMakerParts<Key>;
  /** Versions whose next change is being made. */
  readonly #making = new Set<number>();

  constructor(parts: ChangeMakerParts<Key>) {
    this.#parts = parts;
  }

  /** Whether the change after a version is being made. */
  isMaking(from: number): boolean {
    return this.#making.has(from);
  }

  /** Makes the change between two versions whose history is not kept. Unless both texts are known, it is sent without operations. */
  make(from: number, version: number, toText: string | undefined): void {
    const fromText = from === 0 ? emptyText : this.#parts.memory.textOf(from)?.stateText;
    this.#once(from, async () =>
      fromText === undefined || toText === undefined
        ? changeOf(from, version, undefined)
        : this.#compare(from, version, fromText, toText),
    );
  }

  /** Makes the change from a version to the next, both of which are stored; `newest` is the current version. */
  makeFromKept(kept: KeptVersions<Key>, from: number, newest: number): void {
    this.#once(from, async () => {
      const toText = await this.#textAt(kept, from + 1, newest);
      const fromText = from === 0 ? emptyText : await this.#textAt(kept, from, newest);
      if (fromText !== undefined && toText !== undefined) return this.#compare(from, from + 1, fromText, toText);
      await this.#parts.onOtherRecord(from);
      return undefined;
    });
  }

  #once(from: number, work: () => Promise<Change | undefined>): void {
    if (this.#making.has(from)) return;
    this.#making.add(from);
    work().then(
      (change) => {
        this.#making.delete(from);
        if (change === undefined) return;
        this.#parts.memory.keepChange(from, change);
        this.#parts.onMade(change);
      },
      (error: unknown) => {
        this.#making.delete(from);
        this.#parts.onFailed(error);
      },
    );
  }

  async #compare(from: number, version: number, fromText: string, toText: string): Promise<Change> {
    try {
      return changeOf(from, version, await this.#parts.compare(this.#parts.key, fromText, toText));
    } catch (error) {
      this.#parts.onFault(error);
      return changeOf(from, version, undefined);
    }
  }

  async #textAt(kept: KeptVersions<Key>, version: number, newest: number): Promise<string | undefined> {
    const { key, memory } = this.#parts;
    const known = memory.textOf(version);
    if (known !== undefined) return known.stateText;
    const last = Math.min(newest, version + behindMax);
    const found = last > version ? await kept.listBelow(key, last + 1) : [];
    for (const { version: each, stateText } of found) if (each >= version) memory.keepText(each, stateText);
    const listed = found.find((each) => each.version === version);
    if (listed !== undefined) return listed.stateText;
    const read = await kept.readVersion(key, version);
    if (read.kind !== 'present') return undefined;
    memory.keepText(version, read.record.stateText);
    return read.record.stateText;
  }
}

/** Bytes of all cached texts in total, and of all cached changes. */
const textBytesMax = 32 * 1024 * 1024;
const changeBytesMax = 16 * 1024 * 1024;
const overheadBytes = 256;

/** A version's text, and the events that contain it, shared by all readers. */
export interface KeptText {
  readonly stateText: string;
  snapshot?: Whole;
  reset?: Whole;
}

/** Memory shared by all documents. */
export interface Memory {
  readonly texts: ScopedCache<KeptText>;
  readonly changes: ScopedCache<Change>;
}

export const createMemory = (): Memory => ({
  texts: new ScopedCache(textBytesMax),
  changes: new ScopedCache(changeBytesMax),
});

let documents = 0;

/** One document's cached versions and changes. */
export class DocumentMemory {
  readonly #id = String(++documents);
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  textOf(version: number): KeptText | undefined {
    return this.#memory.texts.get(`${this.#id}:${version}`);
  }

  keepText(version: number, stateText: string): void {
    if (this.textOf(version) !== undefined) return;
    // An event's frames are as long as its text.
    const bytes = 3 * stateText.length + overheadBytes;
    this.#memory.texts.set(`${this.#id}:${version}`, { stateText }, [this.#id], bytes);
  }

  /** The change from a version to the next. */
  changeFrom(from: number): Change | undefined {
    return this.#memory.changes.get(`${this.#id}:${from}`);
  }

  keepChange(from: number, change: Change): void {
    this.#memory.changes.set(`${this.#id}:${from}`, change, [this.#id], 2 * change.data.length + overheadBytes);
  }

  forget(): void {
    this.#memory.texts.forget([this.#id]);
    this.#memory.changes.forget([this.#id]);
  }
}
