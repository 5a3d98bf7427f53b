/** The documents watched on this node, and the polls that find their changes. */
import { noProject } from '../../common/requests/refusal.ts';
import type { ProjectKey } from '../../storage/contract/projects.ts';
import type { Announcement, Announcements } from './announcements.ts';
import { FanOut } from './fan-out.ts';
import { createMemory } from './kept-changes.ts';
import type { Source } from './source.ts';
import { type DocumentParts, WatchedDocument } from './watched-document.ts';

/** Accounts that are polled at the same time after a failure. */
const pollAccountsMax = 8;

/** How long a document is kept after its last reader has left: most disconnected readers return. */
const lingerMilliseconds = 15_000;

export interface DocumentsOptions<Key> extends Pick<DocumentParts<Key>, 'source' | 'compare' | 'onFault'> {
  /** Called when queries succeed again after a failure. */
  readonly onRecovery: () => void;
}

export class WatchedDocuments<Key extends ProjectKey> implements Announcements<Key> {
  readonly #options: DocumentsOptions<Key>;
  readonly #parts: DocumentParts<Key>;
  readonly #source: Source<Key>;
  readonly #documents = new Map<string, WatchedDocument<Key>>();
  readonly watched: ReadonlyMap<string, unknown> = this.#documents;
  /** Documents without readers, and when the last reader left. */
  readonly #left = new Map<WatchedDocument<Key>, number>();
  /** Which accounts are polled first after a failure. */
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: DocumentsOptions<Key>, shared: Pick<DocumentParts<Key>, 'memory' | 'fanOut'>) {
    this.#options = options;
    this.#source = options.source;
    this.#parts = { ...options, ...shared };
  }

  announce(key: Key, written: Announcement | undefined): void {
    const document = this.#documents.get(this.#source.nameOf(key));
    if (written === undefined) document?.pollLater();
    else document?.announce(written);
  }

  /**
   * Returns the document as stored at some time after the call. Refuses `not_found` if the project does not exist; rejects with the store's
   * error. Call `release` when a reader has left.
   */
  async document(key: Key): Promise<WatchedDocument<Key>> {
    const name = this.#source.nameOf(key);
    let document = this.#documents.get(name);
    if (document === undefined) {
      document = new WatchedDocument(key, this.#parts);
      this.#documents.set(name, document);
      this.#schedule();
    }
    this.#left.set(document, performance.now());
    await document.poll();
    if (document.isGone) throw noProject(key);
    await document.remember();
    return document;
  }

  /** Call this when a reader has left. */
  release(document: WatchedDocument<Key>): void {
    if (!document.isWatched) this.#left.set(document, performance.now());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#polling;
  }

  #schedule(): void {
    if (this.#isClosed || this.#timer !== undefined || this.#documents.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#polling = this.#poll().finally(() => {
        this.#timer = undefined;
        this.#schedule();
      });
    }, this.#source.pollMilliseconds).unref();
  }

  async #poll(): Promise<void> {
    this.#forgetLeft();
    const all = [...this.#documents.values()];
    const { onFault, onRecovery } = this.#options;
    const { keysMax } = this.#source;
    try {
      for (let begin = 0; begin < all.length; begin += keysMax) {
        await this.#pollVersions(all.slice(begin, begin + keysMax));
        if (begin + keysMax < all.length) await new Promise(setImmediate);
      }
      onRecovery();
    } catch (error) {
      if (!this.#isClosed) onFault(error);
    }
  }

  /**
   * Polls the versions of many documents in one statement. If it fails, a machine of the database may be away: the documents of other
   * accounts are polled nevertheless, unless several in a row fail too.
   */
  async #pollVersions(documents: readonly WatchedDocument<Key>[]): Promise<void> {
    try {
      return await this.#pollTogether(documents);
    } catch (error) {
      const accounts = [...Map.groupBy(documents, ({ key }) => this.#source.ownerOf(key).account).values()];
      this.#turn += 1;
      const first = (this.#turn * pollAccountsMax) % accounts.length;
      for (let begin = 0; accounts.length > 1 && begin < accounts.length; begin += pollAccountsMax) {
        const some = [...accounts.slice(first), ...accounts.slice(0, first)].slice(begin, begin + pollAccountsMax);
        const polls = await Promise.allSettled(some.map((ofOne) => this.#pollTogether(ofOne)));
        if (polls.every(({ status }) => status === 'rejected')) break;
      }
      throw error;
    }
  }

  async #pollTogether(documents: readonly WatchedDocument<Key>[]): Promise<void> {
    const applied = documents.map((document) => document.applied);
    const outcomes = await this.#source.currentVersions(documents.map(({ key }) => key));
    await Promise.all(outcomes.map((outcome, index) => documents[index]?.observe(outcome, applied[index] ?? 0)));
    for (const document of documents) document.retry();
  }

  #forgetLeft(): void {
    const before = performance.now() - lingerMilliseconds;
    for (const [document, leftAt] of this.#left) {
      if (document.isWatched) this.#left.delete(document);
      else if (leftAt < before) {
        this.#left.delete(document);
        this.#documents.delete(this.#source.nameOf(document.key));
        document.forget();
      }
    }
  }
}

/** Creates the parts that all documents share. */
export const createShared = (nextTurn: (work: () => void) => void): Pick<DocumentParts<never>, 'memory' | 'fanOut'> => ({
  memory: createMemory(),
  fanOut: new FanOut(nextTurn),
});
