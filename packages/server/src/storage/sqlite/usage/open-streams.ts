/** Open streams for a single server process: there is no other one. */
import type { OpenStreamStore } from '../../open-stream-store.ts';

/** Returns the methods of the store by which processes tell each other of streams. */
export const createOpenStreams = (): OpenStreamStore => ({
  tellOpenStreams: async () => undefined,
  readOpenStreams: () => [],
});
