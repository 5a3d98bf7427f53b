/**
 * How many connections the tabs of an origin keep open to a service. A browser opens six per address over HTTP/1.1, and requests need one
 * of them, so four may be kept open; other tabs poll now and then.
 */
import { runtime } from '../runtime.ts';

const slotsMax = 4;

/**
 * Runs work with a slot of the address, or with `hasSlot` false if all are taken. No slot is needed if the browser shares one connection
 * (HTTP/2 and later), or without locks.
 */
export async function withSlot<Result>(url: string, work: (hasSlot: boolean) => Promise<Result>): Promise<Result> {
  const { locks } = runtime.navigator ?? {};
  const { origin } = new URL(url, runtime.location?.href);
  if (locks === undefined || runtime.document === undefined || isShared(origin)) return work(true);
  for (let slot = 0; slot < slotsMax; slot++) {
    let done: Promise<Result> | undefined;
    await locks.request(`holdfast slot ${slot} ${origin}`, { ifAvailable: true }, async (lock) => {
      if (lock === null) return;
      done = work(true);
      await done.catch(() => {});
    });
    if (done !== undefined) return done;
  }
  return work(false);
}

/** Whether requests to an address share one connection, as far as the browser says. */
function isShared(origin: string): boolean {
  const entries = runtime.performance?.getEntriesByType?.('resource') ?? [];
  return entries.some(({ name, nextHopProtocol = '' }) => name.startsWith(`${origin}/`) && /^h[23]/.test(nextHopProtocol));
}
