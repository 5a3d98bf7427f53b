/**
 * What let a request in, until its first write. A body may come slowly, and a request may wait for a thread: meanwhile its credential can be
 * revoked, or its role lowered. So the first write of a request asks again, at the moment at which it is given to the store. No handler has
 * to do anything for that, and none can leave it out: the permit goes with the request, and every write of the store looks for it.
 *
 * @see docs/contract.md §3.9
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Store } from '../storage/store.ts';
import type { Awaitable } from './awaitable.ts';

export interface Permit {
  /** Whether nothing has happened since it was given that may have ended it. */
  holds(): boolean;
  /** Checks the request again. Rejects with the refusal that a new request would get, and with `StoreUnavailable`. */
  renew(): Promise<void>;
}

/** A request that is carried out. Without a permit: it has begun to write, or it is over. */
interface UnderWay {
  permit: Permit | undefined;
}

const underWay = new AsyncLocalStorage<UnderWay>();

/**
 * Runs what a request asks for. Its first write is given to the store only while `permit` holds. If the request fails before that, and the
 * permit holds no longer, that is why it is refused. Rejects with what `run` throws and with what `renew` rejects with.
 */
export async function permitted<Result>(permit: Permit, run: () => Awaitable<Result>): Promise<Result> {
  const request: UnderWay = { permit };
  try {
    return await underWay.run(request, run);
  } catch (error) {
    if (request.permit !== undefined) await renewed(request.permit);
    throw error;
  } finally {
    // What was begun meanwhile for others, such as a timer, is not held to it.
    request.permit = undefined;
  }
}

/** Whether this runs for a request that has not asked for its permit to write yet. */
export const isUnasked = (): boolean => underWay.getStore()?.permit !== undefined;

/** Returns once a permit holds. The look-ups for that are no writes of the request. */
async function renewed(permit: Permit): Promise<void> {
  while (!permit.holds()) await underWay.exit(() => permit.renew());
}

/** Methods of the store, by their names. */
export interface Writes {
  /** Those that write what a request asks for. */
  readonly writes: readonly (keyof Store)[];
  /** Those after which a request has not begun yet. */
  readonly preparations: readonly (keyof Store)[];
}

/** Returns the store whose methods that write ask for the permit of the request that calls them, up to its first write. */
export function demandPermits(store: Store, { writes, preparations }: Writes): Store {
  const guarded = (name: keyof Store, isFirstWrite: boolean) => {
    const write = store[name] as (...values: unknown[]) => unknown;
    const ask = (...values: unknown[]): unknown => {
      const request = underWay.getStore();
      const permit = request?.permit;
      if (request === undefined || permit === undefined) return write(...values);
      if (!permit.holds()) return renewed(permit).then(() => ask(...values));
      if (isFirstWrite) request.permit = undefined;
      return write(...values);
    };
    return [name, ask] as const;
  };
  const methods = [...writes.map((name) => guarded(name, true)), ...preparations.map((name) => guarded(name, false))];
  return { ...store, ...(Object.fromEntries(methods) as Partial<Store>) };
}
