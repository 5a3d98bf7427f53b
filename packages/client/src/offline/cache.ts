import type { Auth } from '../auth/auth.ts';
import { isHoldfastError, type Received } from '../errors.ts';
import { browserStorage, type TextStorage } from '../storage.ts';
import type { Send } from '../transport.ts';

/** A cache between a client and the service. */
export interface Cache {
  /** Answers reads that the service cannot answer. */
  wrap(send: Send, auth: Auth, baseUrl: string): Send;
  /** What was kept of a document, and of whose. */
  recall(place: string, auth: Auth): Promise<string | null | undefined>;
  /** Keeps a document, for whoever is signed in. */
  keep(place: string, auth: Auth, text: string): Promise<void>;
}

/** Where {@link offlineCache} keeps documents, and how patient it is. */
export interface CacheOptions {
  /** Where documents are kept: `localStorage` unless given. */
  readonly storage?: TextStorage;
  /** How long `get` waits for the service when it has a cached document; 4 seconds unless given. */
  readonly patienceMs?: number;
}

/**
 * Keeps the newest document that was seen, so that `get` has an answer without a connection. The record is marked `stale` then. The
 * state of a player is kept under the player's id, and removed when the player signs out.
 */
export function offlineCache({ storage = browserStorage(), patienceMs = 4_000 }: CacheOptions = {}): Cache {
  const names = new Set<string>();
  const watched = new Set<Auth>();
  const nameOf = (place: string, auth: Auth): string => {
    const isPrivate = place.includes('/user-state/');
    const name = `holdfast:cache:${place}${isPrivate ? `:${auth.user?.id}` : ''}`;
    if (isPrivate) names.add(name);
    if (watched.has(auth)) return name;
    watched.add(auth);
    auth.onChange((user) => {
      if (user === null) for (const each of names) storage.delete(each);
    });
    return name;
  };
  const recall: Cache['recall'] = async (place, auth) => {
    await auth.ready;
    return storage.get(nameOf(place, auth));
  };
  const keep: Cache['keep'] = async (place, auth, text) => {
    try {
      await storage.set(nameOf(place, auth), text);
    } catch {
      // A full storage keeps nothing more. The document was read anyway.
    }
  };
  const wrap: Cache['wrap'] = (send, auth, baseUrl) => async (call) => {
    if (!/\/(?:public|user)-state\/\w+$/.test(call.path)) return send(call);
    const place = baseUrl + call.path;
    const isRead = call.method === 'GET';
    const kept = isRead ? await recall(place, auth) : undefined;
    const patience = kept ? { attemptsMax: 1, timeoutMs: Math.min(patienceMs, call.timeoutMs ?? patienceMs) } : {};
    try {
      const received = await send({ ...call, ...patience });
      if (received.status === 200) await keep(place, auth, received.text);
      if (received.status === 204) await keep(place, auth, 'null');
      return received;
    } catch (failure) {
      const text = isRead && isOutOfReach(failure) ? await recall(place, auth) : undefined;
      if (typeof text !== 'string') throw failure;
      return staleResponse(text);
    }
  };
  return { wrap, recall, keep };
}

const isOutOfReach = (failure: unknown): boolean =>
  isHoldfastError(failure) && (failure.status === 0 || failure.status >= 500) && failure.code !== 'signed_out';

function staleResponse(text: string): Received {
  const headers = new Headers();
  if (text === 'null') return { status: 204, headers, text: '' };
  return { status: 200, headers, text: `${text.slice(0, -1)},"stale":true}` };
}
