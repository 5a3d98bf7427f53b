/** When keys were last used and people last seen. Uses are gathered in memory, so that requests need not wait for a write. */
import { LRUCache } from 'lru-cache';

/** Uses are gathered for this long before they are stored together. */
const gatherMs = 1_000;
/** Uses that the store could not take are tried again after this time. */
const retryMs = 60_000;
const namesMax = 10_000;

export interface LastUses {
  /** Records a use, and returns when the next one is worth recording. */
  note(name: string, nowMs: number): number;
  /** Writes what was recorded, and stops. If the store is unavailable, it is lost. */
  close(): Promise<void>;
}

/**
 * Returns a record of last uses by name, which calls `write` about a second after a use. A name is recorded at most once in `intervalMs`:
 * what is stored is accurate to that time.
 */
export function createLastUses(
  intervalMs: number,
  write: (uses: readonly (readonly [name: string, usedAt: number])[]) => Promise<void>,
): LastUses {
  const notedAt = new LRUCache<string, number>({ maxSize: namesMax, sizeCalculation: () => 1 });
  const pending = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let closed = false;

  async function flush(): Promise<void> {
    const uses = [...pending];
    pending.clear();
    if (uses.length === 0) return;
    try {
      await write(uses);
    } catch {
      // The time of a last use is worth one more try, but no more.
      for (const [name, usedAt] of uses) if (!pending.has(name)) pending.set(name, usedAt);
      schedule(retryMs);
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
    note(name, nowMs) {
      const last = notedAt.get(name);
      if (last !== undefined && nowMs < last + intervalMs) return last + intervalMs;
      notedAt.set(name, nowMs);
      pending.set(name, nowMs);
      schedule(gatherMs);
      return nowMs + intervalMs;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await flushing;
      await flush();
    },
  };
}

/** `lastUsedAt` of a service account is accurate to a minute. */
const serviceAccountIntervalMs = 60_000;

/** The user of a service account: the subject is its id. */
export interface ServiceAccountUser {
  readonly accountId: string;
  readonly subject: string;
  readonly secretId: string;
}

interface Use {
  readonly accountId: string;
  readonly serviceAccountId: string;
  readonly secretId: string;
  readonly usedAt: number;
}

/** When service accounts were last used, and with which of their secrets: for a token, or by a request with one. */
export interface ServiceAccountUses {
  /** Records a use, and returns when the next one is worth recording. */
  note(user: ServiceAccountUser, nowMs: number): number;
  /** Writes what was recorded, and stops. */
  close(): Promise<void>;
}

/** Returns a record of when service accounts were used, and with which of their secrets. It calls `write` about a second after each. */
export function createServiceAccountUses(write: (uses: readonly Use[]) => Promise<void>): ServiceAccountUses {
  const uses = createLastUses(serviceAccountIntervalMs, (noted) =>
    write(
      noted.map(([name, usedAt]) => {
        const [accountId = '', serviceAccountId = '', secretId = ''] = name.split('/');
        return { accountId, serviceAccountId, secretId, usedAt };
      }),
    ),
  );
  return {
    note: ({ accountId, subject, secretId }, nowMs) => uses.note(`${accountId}/${subject}/${secretId}`, nowMs),
    close: () => uses.close(),
  };
}
