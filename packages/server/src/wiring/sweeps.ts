/** Starts to delete what has expired or is no longer kept. */
import { forgetAuditRecords } from '../management/audit.ts';
import { forgetRequestFigures } from '../management/request-figures.ts';
import { startSignInSweep } from '../oauth/sweep.ts';
import type { Observation } from '../observe/observation.ts';
import { forgetRepeats } from '../state/idempotency.ts';
import { createPublicHistorySweep } from '../state/public-retention.ts';
import type { Wiring } from './wiring.ts';

/** Returns a function that ends it. `sweepSaves` drops versions of saves. */
export function startSweeps(
  { store, config, now, observation }: Wiring & { readonly observation: Observation },
  sweepSaves: (now: number) => Promise<number>,
): () => void {
  return startSignInSweep({
    sweeps: [
      (time) => store.sweepExpiredSignIns(time),
      (time) => store.sweepExpiredIdentities(time),
      (time) => store.sweepPlayers(time),
      (time) => forgetRepeats(store, time),
      sweepSaves,
      createPublicHistorySweep(store),
      (time) => forgetAuditRecords(store, time, config.auditDays),
      (time) => forgetRequestFigures(store, time),
    ],
    now,
    onFault: (error) => observation.background.onBackgroundFailure('sign_ins', error),
  });
}
