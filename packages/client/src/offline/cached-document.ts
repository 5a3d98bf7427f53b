/** The cached document: from listeners or from `get`, whichever is newer. */
import { type Auth, identify } from '../auth/auth.ts';
import type { Owner } from '../auth/owner.ts';
import { plainShared } from '../exact.ts';
import { snapshotOf } from '../live/defaults.ts';
import { type EventData, eventIn } from '../live/event.ts';
import type { Snapshot } from '../live/snapshot.ts';
import { type StandardSchema, showNow } from '../schema.ts';

/** A document as cached, and as shown. */
interface Found<State> {
  readonly data: EventData;
  readonly snapshot: Snapshot<State>;
}

export interface CachedDocumentOptions<State> {
  readonly auth: Auth;
  /** The address of the document's changes. */
  readonly url: string;
  readonly schema: StandardSchema<State> | undefined;
  readonly defaults: State | undefined;
}

/** Texts of a cache, by location and user. */
export interface CachedTexts {
  /** Returns the cached text of a user, while that user is signed in. */
  recall(place: string, auth: Auth, owner: Owner): Promise<string | undefined>;
  /** Like `recall`, without waiting: undefined if the storage needs time. */
  peek(place: string, owner: Owner): string | undefined;
  /** Keeps a text for a user until that user signs out. */
  keep(place: string, auth: Auth, owner: Owner, text: string): Promise<void>;
}

/** The cached versions of one document. */
export class CachedDocument<State> {
  readonly #texts: CachedTexts;
  readonly #options: CachedDocumentOptions<State>;
  readonly #places: readonly string[];
  #peeked: { readonly key: string; readonly found: Found<State> | undefined } | undefined;
  #keeping: ReturnType<typeof setTimeout> | undefined;

  constructor(texts: CachedTexts, options: CachedDocumentOptions<State>) {
    this.#texts = texts;
    this.#options = options;
    this.#places = [options.url, options.url.replace(/\/changes$/, '')];
  }

  /** The current user's document, without waiting: undefined if there is none, or if storage, schema or `auth` need time. */
  peek(): Found<State> | undefined {
    const { auth, schema, defaults } = this.#options;
    if (auth[identify] !== undefined) return undefined;
    const owner = auth.user?.id ?? null;
    const texts = this.#places.map((place) => this.#texts.peek(place, owner));
    const key = texts.join('\n');
    if (this.#peeked?.key === key) return this.#peeked.found;
    const data = newest(texts);
    let found: Found<State> | undefined;
    try {
      const { version = null, state = null } = data ?? {};
      const shown = state && showNow(schema, state, plainShared(state));
      if (data !== undefined && shown !== undefined) {
        found = { data, snapshot: snapshotOf(shown, { version, stale: true }, defaults) };
      }
    } catch {} // a failing schema reports that the next time
    this.#peeked = { key, found };
    return found;
  }

  /** The document of a user; undefined if there is none. */
  async recall(owner: Owner): Promise<EventData | undefined> {
    const { auth } = this.#options;
    return newest(await Promise.all(this.#places.map((place) => this.#texts.recall(place, auth, owner))));
  }

  /** Stores the result of `print` for the next start, once for many changes. */
  keepSoon(owner: Owner, print: () => string): void {
    const { auth, url } = this.#options;
    this.#keeping ??= setTimeout(() => {
      this.#keeping = undefined;
      void this.#texts.keep(url, auth, owner, print());
    }, 500);
  }

  /** Cancels pending writes. */
  stop(): void {
    clearTimeout(this.#keeping);
    this.#keeping = undefined;
  }
}

/** The newest document in texts. Damaged ones are ignored. */
function newest(texts: readonly (string | undefined)[]): EventData | undefined {
  let best: EventData | undefined;
  for (const text of texts) {
    try {
      const data = text === undefined ? undefined : eventIn(text);
      if (data !== undefined && (best === undefined || (data.version ?? 0) > (best.version ?? 0))) best = data;
    } catch {} // the cached text is damaged
  }
  return best;
}
