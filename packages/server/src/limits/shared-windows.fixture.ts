/** Allotments as from a store shared by several processes: asynchronous, and never more than available. */
import { setImmediate as turn } from 'node:timers/promises';
import type { WindowVerbs } from '../storage/contract/engine-verbs.ts';
import { StoreUnavailable } from '../storage/store.ts';

export interface SharedWindows extends WindowVerbs {
  /** The number of requests for allotments. */
  demands: number;
  isDown: boolean;
}

/** Returns a store that has granted nothing yet. */
export function createSharedWindows(): SharedWindows {
  const windows = new Map<string, { endsAt: number; granted: number }>();
  const nameOf = (hash: Uint8Array) => Buffer.from(hash).toString('hex');
  async function answer(): Promise<void> {
    await turn();
    if (shared.isDown) throw new StoreUnavailable('a test');
  }
  const shared: SharedWindows = {
    demands: 0,
    isDown: false,
    async takeFromWindow({ windowHash, limit, endsAt }, { wanted, used, now }) {
      shared.demands += 1;
      await answer();
      const known = windows.get(nameOf(windowHash));
      const window = known !== undefined && known.endsAt > now ? known : { endsAt, granted: 0 };
      windows.set(nameOf(windowHash), window);
      window.granted = Math.max(window.granted, used);
      const granted = Math.max(0, Math.min(wanted, limit - window.granted));
      window.granted += granted;
      return { granted, left: Math.max(0, limit - window.granted), endsAt: window.endsAt };
    },
    async returnToWindow(windowHash, endsAt, count) {
      await answer();
      const window = windows.get(nameOf(windowHash));
      if (window?.endsAt !== endsAt) return 'forgotten';
      window.granted -= count;
      return 'returned';
    },
  };
  return shared;
}
