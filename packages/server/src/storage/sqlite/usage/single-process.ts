/** What processes tell each other, for an engine that has one: it gets all allotments of limits, and keeps count itself. */
import type { StreamVerbs, WindowVerbs } from '../../contract/engine-verbs.ts';
import { StoreUnavailable } from '../../store.ts';
import type { Dependencies } from '../dependencies.ts';

/** Returns the store methods by which processes tell each other about streams. */
export const createOpenStreams = (): StreamVerbs => ({
  publishOpenStreams: async () => undefined,
  readOpenStreams: () => [],
});

/** Returns the store methods that grant allotments of limits. */
export function createRateWindows({ reader, lock }: Pick<Dependencies, 'reader' | 'lock'>): WindowVerbs {
  function checkOpen(): void {
    if (reader.isClosed) throw new StoreUnavailable('cannot give an allotment of a limit: the store is closed');
  }
  return {
    takeFromWindow({ limit, endsAt }, { used }) {
      checkOpen();
      return { granted: lock === undefined ? 0 : Math.max(0, limit - used), left: 0, endsAt };
    },
    async returnToWindow() {
      checkOpen();
      return 'forgotten';
    },
  };
}
