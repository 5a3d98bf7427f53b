/** Open streams for a single server process. There is no other process to notify. */
import type { OpenStreamStore } from '../../contract/open-stream-store.ts';

/** Returns the store methods by which processes tell each other about streams. */
export const createOpenStreams = (): OpenStreamStore => ({
  publishOpenStreams: async () => undefined,
  readOpenStreams: () => [],
});
