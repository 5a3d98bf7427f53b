/**
 * What let a request in, until its first write. A body may come slowly, and a request may wait for a thread: meanwhile its credential can
 * be revoked, or its role lowered. The first write of a request therefore asks again, at the moment when it is given to the store. Handlers
 * need not do anything for that, and cannot leave it out: the permit accompanies the request, and every write of the store looks for it.
 *
 * @see docs/contract.md §3.9
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Awaitable } from '../common/async/awaitable.ts';
import type { Store } from '../storage/store.ts';

export interface Permit {
  /** Whether nothing has happened since it was issued that may have ended it. */
  holds(): boolean;
  /** Checks the request again. Rejects with the refusal that a new request would get, and with `StoreUnavailable`. */
  renew(): Promise<void>;
}

/** A request under way. Without a permit, it has begun to write or is over. */
interface ActiveRequest {
  permit: Permit | undefined;
}

const activeRequest = new AsyncLocalStorage<ActiveRequest>();

/**
 * Runs what a request asks for, with these values. Its first write is given to the store only while `permit` holds. If the request fails
 * before that and the permit no longer holds, it is refused for that reason. Rejects with what `run` throws and with what `renew` rejects
 * with. `ended` is called when it is over.
 */
export async function permitted<Values extends unknown[], Result>(
  permit: Permit,
  ended: (() => void) | undefined,
  run: (...values: Values) => Awaitable<Result>,
  ...values: Values
): Promise<Result> {
  const request: ActiveRequest = { permit };
  try {
    return await activeRequest.run(request, run, ...values);
  } catch (error) {
    if (request.permit !== undefined) await renewed(request.permit);
    throw error;
  } finally {
    // Work begun meanwhile for others, such as a timer, is not bound by it.
    request.permit = undefined;
    ended?.();
  }
}

/** Whether this runs for a request that has not yet asked for its permit to write. */
export const awaitsPermit = (): boolean => activeRequest.getStore()?.permit !== undefined;

/** Resolves once a permit holds. The look-ups for that are not writes of the request. */
async function renewed(permit: Permit): Promise<void> {
  while (!permit.holds()) await activeRequest.exit(() => permit.renew());
}

/** Methods of the store, by their names. */
export interface Writes {
  /** The methods that write for a request. */
  readonly writes: readonly (keyof Store)[];
  /** Methods after which a request has not begun yet. */
  readonly preparations: readonly (keyof Store)[];
}

/** Returns the store with writes that ask for the permit of the calling request, until its first write. */
export function requirePermits(store: Store, { writes, preparations }: Writes): Store {
  const guarded = (name: keyof Store, isFirstWrite: boolean) => {
    const write = store[name] as (...values: unknown[]) => unknown;
    const ask = (...values: unknown[]): unknown => {
      const request = activeRequest.getStore();
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
