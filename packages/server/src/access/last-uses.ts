/** When keys were last used and people last seen. Uses are gathered in memory, so that requests need not wait for a write. */
import { LRUCache } from 'lru-cache';

/** Uses are gathered for this long before they are stored together. */
const gatherMs = 1_000;
/** Uses that the store could not take are tried again after this time. */
const retryMs = 60_000;
const namesMax = 10_000;

export interface LastUses<Key> {
  /** Records a use, and returns when the next one is worth recording. */
  note(key: Key, nowMs: number): number;
  /** Writes what was recorded, and stops. If the store is unavailable, it is lost. */
  close(): Promise<void>;
}

type LastUse<Key> = readonly [key: Key, usedAt: number];

/**
 * Returns a record of last uses, which calls `write` about a second after a use. Keys of one name count as one, recorded at most once in
 * `intervalMs`: stored times are that accurate.
 */
export function createLastUses<Key>(
  nameOf: (key: Key) => string,
  intervalMs: number,
  write: (uses: readonly LastUse<Key>[]) => Promise<void>,
): LastUses<Key> {
  const notedAt = new LRUCache<string, number>({ maxSize: namesMax, sizeCalculation: () => 1 });
  const pending = new Map<string, LastUse<Key>>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let closed = false;

  async function flush(): Promise<void> {
    const uses = [...pending];
    pending.clear();
    if (uses.length === 0) return;
    try {
      await write(uses.map(([, use]) => use));
    } catch {
      // The time of a last use is worth one more try, but no more.
      for (const [name, use] of uses) if (!pending.has(name)) pending.set(name, use);
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
    note(key, nowMs) {
      const name = nameOf(key);
      const last = notedAt.get(name);
      if (last !== undefined && nowMs < last + intervalMs) return last + intervalMs;
      notedAt.set(name, nowMs);
      pending.set(name, [key, nowMs]);
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
interface ServiceAccountUser {
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
export type ServiceAccountUses = LastUses<ServiceAccountUser>;

/** Returns a record of when service accounts were used, and with which of their secrets. It calls `write` about a second after each. */
export function createServiceAccountUses(write: (uses: readonly Use[]) => Promise<void>): ServiceAccountUses {
  const nameOf = ({ accountId, subject, secretId }: ServiceAccountUser) => `${accountId}/${subject}/${secretId}`;
  return createLastUses(nameOf, serviceAccountIntervalMs, (uses) =>
    write(
      uses.map(([{ accountId, subject, secretId }, usedAt]) => ({
        accountId,
        serviceAccountId: subject,
        secretId,
        usedAt,
      })),
    ),
  );
}
