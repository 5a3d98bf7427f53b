import type { Auth } from '../auth/auth.ts';
import { isHoldfastError, type Received } from '../errors.ts';
import { browserStorage, type TextStorage } from '../storage.ts';
import type { Send } from '../transport.ts';

/** Puts a cache between a client and the service. */
export type Cache = (send: Send, auth: Auth, baseUrl: string) => Send;

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
  return (send, auth, baseUrl) => {
    const names = new Set<string>();
    auth.onChange((user) => {
      if (user !== null) return;
      for (const name of names) if (name.includes('/user-state/')) storage.delete(name);
    });
    const nameOf = (path: string): string => {
      const name = `holdfast:cache:${baseUrl}${path}${path.includes('/user-state/') ? `:${auth.user?.id}` : ''}`;
      names.add(name);
      return name;
    };
    const keep = async (name: string, text: string): Promise<void> => {
      try {
        await storage.set(name, text);
      } catch {
        // What is full keeps nothing more, and the document was read all the same.
      }
    };
    return async (call) => {
      if (!/\/(?:public|user)-state\/\w+$/.test(call.path)) return send(call);
      await auth.ready;
      const isRead = call.method === 'GET';
      const kept = isRead ? await storage.get(nameOf(call.path)) : undefined;
      const patience = kept ? { attemptsMax: 1, timeoutMs: Math.min(patienceMs, call.timeoutMs ?? patienceMs) } : {};
      try {
        const received = await send({ ...call, ...patience });
        if (received.status === 200) await keep(nameOf(call.path), received.text);
        if (received.status === 204) await keep(nameOf(call.path), 'null');
        return received;
      } catch (failure) {
        const text = isRead && isOutOfReach(failure) ? await storage.get(nameOf(call.path)) : undefined;
        if (typeof text !== 'string') throw failure;
        return staleResponse(text);
      }
    };
  };
}

const isOutOfReach = (failure: unknown): boolean =>
  isHoldfastError(failure) && (failure.status === 0 || failure.status >= 500) && failure.code !== 'signed_out';

function staleResponse(text: string): Received {
  const headers = new Headers();
  if (text === 'null') return { status: 204, headers, text: '' };
  return { status: 200, headers, text: `${text.slice(0, -1)},"stale":true}` };
}
