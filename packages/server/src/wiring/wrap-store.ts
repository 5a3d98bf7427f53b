/** Wraps the store of the engine with what the service adds to its methods. */

import { requirePermits } from '../access/permit.ts';
import { overloaded } from '../http/admission.ts';
import type { ParseScheduler } from '../http/turns/parse-scheduler.ts';
import type { Observation } from '../observe/observation.ts';
import { withErasureHashes } from '../secrets/erasure-hash.ts';
import type { SecretKeys } from '../secrets/secret-key.ts';
import { createReadDoor, throughReadDoor } from '../storage/read-door/read-door.ts';
import { requestWrites } from '../storage/sql/verbs.ts';
import type { Store } from '../storage/store.ts';

interface Wrappers {
  readonly observation: Pick<Observation, 'watch'>;
  /** Whether it is a database that other nodes may use. */
  readonly isShared: boolean;
  readonly secretKeys: SecretKeys;
  /** Shares the event loop between reading and parsing. */
  readonly inTurn: ParseScheduler['run'];
}

/**
 * Returns the store as all rooms use it. From the engine outwards:
 *
 * 1. Traces, next to the engine: they measure its work alone, not the time that a call waits for its permit or its turn.
 * 2. Permits: a write asks when it is given to the engine, so nothing delays the write after the check.
 * 3. The hashes of erasures, outside of permits, since they only add an argument to a write.
 * 4. The read door, outside of all: a read that waits for its turn has not begun.
 */
export function wrapStore(engine: Store, { observation, isShared, secretKeys, inTurn }: Wrappers): Store {
  const traced = observation.watch(engine, isShared ? 'postgresql' : 'sqlite');
  const permitted = requirePermits(traced, requestWrites);
  const door = createReadDoor({ inTurn, refusal: overloaded });
  return {
    ...permitted,
    ...withErasureHashes(permitted, secretKeys),
    ...throughReadDoor(permitted, door),
  };
}
