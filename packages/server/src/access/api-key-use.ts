/** When API keys were last used. Uses are gathered in memory, so that a request does not wait for a write. */
import { LRUCache } from 'lru-cache';
import type { Store } from '../storage/store.ts';

/** A key is noted at most once in this time, so `lastUsedAt` is right to a minute. */
const noteIntervalMs = 60_000;
/** Uses are gathered for this long before they are stored together. */
const gatherMs = 1_000;
const keysMax = 10_000;

export interface ApiKeyUse {
  /** Notes a use, and returns from when on the next one is worth noting. */
  note(keyId: string, nowMs: number): number;
  /** Writes what was noted, and stops. If the store is unavailable, it is lost. */
  close(): Promise<void>;
}

/** Returns a record of uses that writes itself to `store` about a second after a use is noted. */
export function createApiKeyUse(store: Pick<Store, 'recordApiKeyUse'>): ApiKeyUse {
  const notedAt = new LRUCache<string, number>({ maxSize: keysMax, sizeCalculation: () => 1 });
  const pending = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let closed = false;

  async function flush(): Promise<void> {
    const uses = [...pending].map(([keyId, usedAt]) => ({ keyId, usedAt }));
    pending.clear();
    if (uses.length === 0) return;
    try {
      await store.recordApiKeyUse(uses);
    } catch {
      // The time of a last use is worth one more try, and no more.
      for (const { keyId, usedAt } of uses) if (!pending.has(keyId)) pending.set(keyId, usedAt);
      schedule(noteIntervalMs);
    }
  }

  function schedule(delayMs: number): void {
    if (timer !== undefined || closed) return;
    timer = setTimeout(() => {
      timer = undefined;
      flushing = flush();
    }, delayMs).unref();
  }

  return {
    note(keyId, nowMs) {
      const last = notedAt.get(keyId);
      if (last !== undefined && nowMs < last + noteIntervalMs) return last + noteIntervalMs;
      notedAt.set(keyId, nowMs);
      pending.set(keyId, nowMs);
      schedule(gatherMs);
      return nowMs + noteIntervalMs;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await flushing;
      await flush();
    },
  };
}
