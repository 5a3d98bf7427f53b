import type { Auth } from '../auth/auth.ts';
import { isSignedIn, type Owner } from '../auth/owner.ts';
import { isHoldfastError, objectIn, type Received } from '../errors.ts';
import { withinLimits } from '../limits.ts';
import { browserStorage, type TextStorage } from '../storage.ts';
import type { Send } from '../transport.ts';
import { CachedDocument, type CachedDocumentOptions, type CachedTexts } from './cached-document.ts';

/** A cache between a client and the service, made by {@link offlineCache}. */
export interface Cache {
  /** Answers reads of these documents from the cache when the service cannot be reached. */
  wrap(send: Send, auth: Auth, baseUrl: string, paths: readonly string[]): Send;
  /** Returns the cached text of a user. */
  recall(place: string, auth: Auth, owner: string | null): Promise<string | undefined>;
  /** Keeps a text for a user until that user signs out. */
  keep(place: string, auth: Auth, owner: string | null, text: string): Promise<void>;
  /** @internal What it has of a document, for its listeners. */
  documentOf<State>(options: CachedDocumentOptions<State>): CachedDocument<State>;
}

/** Options of {@link offlineCache}. */
export interface CacheOptions {
  /** Keeps documents; `localStorage` unless given. */
  readonly storage?: TextStorage;
  /** How long `get` waits for the service if a document is cached; 4 seconds unless given, and at most half of the call's timeout. */
  readonly patienceMs?: number;
}

const prefix = 'holdfast:cache:';

/**
 * Keeps the newest known document, which `get` returns offline, marked `stale`. Only the user who read a document sees it. It is removed
 * when that user signs out, even if an earlier page cached it.
 */
export function offlineCache({ storage = browserStorage(), patienceMs = 4_000 }: CacheOptions = {}): Cache {
  /** The storage may be slow, so removals must follow earlier writes. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    const mine = last.then(work).catch(() => undefined); // a full or denied storage keeps nothing
    last = mine;
    return mine;
  };
  const textOf = async (place: string, owner: Owner): Promise<string | undefined> =>
    ownText(await storage.get(prefix + place), owner);
  const recall: CachedTexts['recall'] = (place, auth, owner) =>
    inTurn(async () => (isSignedIn(auth, owner) ? textOf(place, owner) : undefined));
  const keep: CachedTexts['keep'] = async (place, auth, owner, text) =>
    inTurn(async () => {
      if (isSignedIn(auth, owner)) await storage.set(prefix + place, headOf(owner) + text);
    });

  /** Removes a user's data when somebody else or nobody is signed in. */
  const clearAfter = (auth: Auth, places: readonly string[]): void => {
    let owner: Owner = auth.user?.id ?? null;
    auth.onChange((user) => {
      const left = owner;
      owner = user?.id ?? null;
      if (left === null || left === owner) return;
      for (const place of places) {
        void inTurn(async () => {
          if ((await textOf(place, left)) !== undefined) await storage.delete(prefix + place);
          // Where version 0.1.0 stored it.
          await storage.delete(`${prefix}${place}:${left}`);
        });
      }
    });
  };

  const wrap: Cache['wrap'] = (send, auth, baseUrl, paths) => {
    clearAfter(
      auth,
      paths.flatMap((path) => ['', '/changes', '/ofrep/v1/evaluate/flags'].map((rest) => baseUrl + path + rest)),
    );
    return async (call) => {
      const { owner, method, path, signal, deadline } = call;
      if (!paths.includes(path)) return send(call);
      const place = baseUrl + path;
      const isRead = method === 'GET';
      const kept = isRead ? await recall(place, auth, owner) : undefined;
      const patience = { signal, timeoutMs: Math.min(patienceMs, (deadline - Date.now()) / 2) };
      try {
        const received = await (kept
          ? withinLimits(patience, (limits) => send({ ...call, ...limits, attemptsMax: 1 }))
          : send(call));
        if (received.status === 200) await keep(place, auth, owner, received.text);
        if (received.status === 204) await keep(place, auth, owner, 'null');
        return received;
      } catch (failure) {
        const text = isRead && isOutOfReach(failure) ? await recall(place, auth, owner) : undefined;
        const stale = text === undefined ? undefined : staleResponse(text);
        if (stale === undefined) throw failure;
        return stale;
      }
    };
  };
  const texts: CachedTexts = { recall, peek: peekIn(storage), keep };
  return { wrap, recall, keep, documentOf: (options) => new CachedDocument(texts, options) };
}

/** Returns a synchronous reader of a storage. A storage that was asynchronous once is not asked again. */
function peekIn(storage: TextStorage): CachedTexts['peek'] {
  let isSlow = false;
  return (place, owner) => {
    if (isSlow) return undefined;
    try {
      const text = storage.get(prefix + place);
      if (typeof text !== 'object' || text === null) return ownText(text, owner);
      isSlow = true;
      text.catch(() => {});
    } catch {} // a denied storage has nothing
    return undefined;
  };
}

/** The text cached for a user; undefined if cached for somebody else. */
function ownText(text: string | null | undefined, owner: Owner): string | undefined {
  const head = headOf(owner);
  return text?.startsWith(head) ? text.slice(head.length) : undefined;
}

const headOf = (owner: Owner): string => `${JSON.stringify(owner)}\n`;

const isOutOfReach = (failure: unknown): boolean =>
  isHoldfastError(failure) && (failure.status === 0 || failure.status >= 500) && failure.code !== 'signed_out';

/** The cached response; undefined if damaged. */
function staleResponse(text: string): Received | undefined {
  const common = { headers: new Headers(), isStale: true };
  if (text === 'null') return { ...common, status: 204, text: '' };
  if (objectIn(text) === undefined) return undefined;
  return { ...common, status: 200, text: `${text.slice(0, -1)},"stale":true}` };
}
