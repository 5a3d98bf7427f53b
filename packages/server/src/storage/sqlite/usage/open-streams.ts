/** Open streams for a single server process. There is no other process to notify. */
import type { StreamVerbs } from '../../contract/engine-verbs.ts';

/** Returns the store methods by which processes tell each other about streams. */
export const createOpenStreams = (): StreamVerbs => ({
  publishOpenStreams: async () => undefined,
  readOpenStreams: () => [],
});
