/** The memory of watched documents: texts of versions, and changes that were made. It only saves work. */
import { ScopedCache } from '../../storage/scoped-cache.ts';
import type { Change, Whole } from './events.ts';

/** Bytes of all texts together, and of all changes. */
const textBytesMax = 32 * 1024 * 1024;
const changeBytesMax = 16 * 1024 * 1024;
const overheadBytes = 256;

/** The text of a version, and the events that carry it, which all readers share. */
export interface KeptText {
  readonly stateText: string;
  snapshot?: Whole;
  reset?: Whole;
}

/** The memory of all documents together. */
export interface Memory {
  readonly texts: ScopedCache<KeptText>;
  readonly changes: ScopedCache<Change>;
}

export const createMemory = (): Memory => ({
  texts: new ScopedCache(textBytesMax),
  changes: new ScopedCache(changeBytesMax),
});

let documents = 0;

/** What is kept of one document. */
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
    // Frames of an event are as long as the text again.
    const bytes = 3 * stateText.length + overheadBytes;
    this.#memory.texts.set(`${this.#id}:${version}`, { stateText }, [this.#id], bytes);
  }

  /** The change that leads on from a version. */
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
