/** Open streams for a single server process, which has nobody to tell. */
import type { OpenStreamStore } from '../../contract/open-stream-store.ts';

/** Returns the store methods by which processes tell each other about streams. */
export const createOpenStreams = (): OpenStreamStore => ({
  publishOpenStreams: async () => undefined,
  readOpenStreams: () => [],
});
