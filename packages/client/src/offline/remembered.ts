/** What the cache has of a document: what listeners got last, or what `get` has read, whichever is newer. */
import { type Auth, identify } from '../auth/auth.ts';
import type { Owner } from '../auth/owner.ts';
import { plainShared } from '../exact.ts';
import { snapshotOf } from '../live/defaults.ts';
import { type EventData, eventIn } from '../live/event.ts';
import type { Snapshot } from '../live/snapshot.ts';
import { type StandardSchema, showNow } from '../schema.ts';

/** A document as the cache has it, and as people see it. */
interface Found<State> {
  readonly data: EventData;
  readonly snapshot: Snapshot<State>;
}

export interface RememberedOptions<State> {
  readonly auth: Auth;
  /** The address of the changes of the document. */
  readonly url: string;
  readonly schema: StandardSchema<State> | undefined;
  readonly defaults: State | undefined;
}

/** Texts of a cache, by place and user. */
export interface CachedTexts {
  /** What is cached for a user, while that user is signed in. */
  recall(place: string, auth: Auth, owner: Owner): Promise<string | undefined>;
  /** As `recall`, without waiting: undefined when the storage needs time. */
  peek(place: string, owner: Owner): string | undefined;
  /** Keeps a text for a user until that user signs out. */
  keep(place: string, auth: Auth, owner: Owner, text: string): Promise<void>;
}

/** What a cache has of one document. */
export class Remembered<State> {
  readonly #texts: CachedTexts;
  readonly #options: RememberedOptions<State>;
  readonly #places: readonly string[];
  #peeked: { readonly key: string; readonly found: Found<State> | undefined } | undefined;
  #keeping: ReturnType<typeof setTimeout> | undefined;

  constructor(texts: CachedTexts, options: RememberedOptions<State>) {
    this.#texts = texts;
    this.#options = options;
    this.#places = [options.url, options.url.replace(/\/changes$/, '')];
  }

  /** The document of whoever is signed in, at once: undefined when there is none, or storage, schema or `auth` need time. */
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
    } catch {} // a schema that fails says so when it is asked again
    this.#peeked = { key, found };
    return found;
  }

  /** The document of a user; undefined when there is none. */
  async recall(owner: Owner): Promise<EventData | undefined> {
    const { auth } = this.#options;
    return newest(await Promise.all(this.#places.map((place) => this.#texts.recall(place, auth, owner))));
  }

  /** Keeps what `print` returns for the next start, once for many changes. */
  keepSoon(owner: Owner, print: () => string): void {
    const { auth, url } = this.#options;
    this.#keeping ??= setTimeout(() => {
      this.#keeping = undefined;
      void this.#texts.keep(url, auth, owner, print());
    }, 500);
  }

  /** Keeps nothing that has not been kept yet. */
  stop(): void {
    clearTimeout(this.#keeping);
    this.#keeping = undefined;
  }
}

/** The newest document in texts; what is damaged counts as nothing. */
function newest(texts: readonly (string | undefined)[]): EventData | undefined {
  let best: EventData | undefined;
  for (const text of texts) {
    try {
      const data = text === undefined ? undefined : eventIn(text);
      if (data !== undefined && (best === undefined || (data.version ?? 0) > (best.version ?? 0))) best = data;
    } catch {} // what was kept is damaged
  }
  return best;
}
