/** Starts the deletion of what has expired or is no longer kept. */

import { revokedSessionMilliseconds } from '../access/revoked-tokens.ts';
import { dayMilliseconds } from '../common/durations.ts';
import { forgetAuditRecords } from '../management/audit.ts';
import { forgetRequestFigures } from '../management/request-figures.ts';
import { createRequestCountSweep } from '../management/usage.ts';
import { startSignInSweep } from '../oauth/sweep.ts';
import { createWordFilling } from '../players/word-filling.ts';
import { forgetRepeats } from '../state/idempotency.ts';
import { createPublicHistorySweep } from '../state/public-retention.ts';
import { clockTrialMilliseconds } from '../storage/contract/installation.ts';
import type { Access } from './access.ts';
import { forgetProposals } from './proposals.ts';
import type { Wiring } from './wiring.ts';

/** Days for which deliveries of webhooks are kept. */
const webhookDaysKept = 7;

interface SweepWiring extends Wiring {
  readonly access: Pick<Access, 'signingKeys' | 'idTokenKeys'>;
  /** Drops versions of user states. */
  readonly sweepUserStates: (now: number) => Promise<number>;
}

/** Starts the sweeps. */
export function startSweeps(wiring: SweepWiring): void {
  const { store, config, now, observation, access, sweepUserStates, disposal } = wiring;
  const { signingKeys, idTokenKeys } = access;
  const stop = startSignInSweep({
    sweeps: [
      (time) => store.sweepExpiredSignIns(time),
      (time) => store.sweepExpiredIdentities(time),
      (time) => store.sweepPlayers(time),
      (time) => store.sweepRevokedTokens(time, time - revokedSessionMilliseconds(config.accessTokenSeconds)),
      (time) => forgetRepeats(store, time),
      (time) => store.sweepWebhookDeliveries(time - webhookDaysKept * dayMilliseconds),
      sweepUserStates,
      createPublicHistorySweep(store),
      (time) => forgetProposals(wiring, time),
      (time) => forgetAuditRecords(store, time, config.auditDays),
      (time) => forgetRequestFigures(store, time),
      createRequestCountSweep(store),
      signingKeys.deleteRetired,
      idTokenKeys.deleteRetired,
      createWordFilling(store),
    ],
    now,
    isTrusted: createClockTrial(wiring),
    onFault: (error) => observation.background.onBackgroundFailure('sign_ins', error),
  });
  disposal.add('the sweeps', stop);
}

/**
 * Returns a function that says whether the clock is believed. It is not if it is more than a day ahead of the newest time at which the
 * service has served, until the service has run for a day like that: a wrong clock would delete what nobody can restore.
 */
function createClockTrial({ store, log, observation }: Wiring): (now: number) => Promise<boolean> {
  let notedAt = performance.now();
  let wasTrusted = true;
  return async (now) => {
    const ran = performance.now() - notedAt;
    const { isTrusted, mark } = await store.noteTime(now, Math.round(ran));
    notedAt += ran;
    observation.onClockChecked(isTrusted);
    if (isTrusted !== wasTrusted) {
      const hoursLeft = Math.ceil((clockTrialMilliseconds - mark.waitedMilliseconds) / 3_600_000);
      const servedAt = mark.servedAt === 0 ? null : new Date(mark.servedAt);
      if (isTrusted) log.info('removal of expired data has resumed');
      else if (servedAt === null)
        log.info({ hoursLeft }, 'no earlier time is known to compare the clock with: nothing is removed yet');
      else log.warn({ servedAt, hoursLeft }, clockAhead);
    }
    wasTrusted = isTrusted;
    return isTrusted;
  };
}

const clockAhead =
  'the clock is more than a day ahead of the last time this service ran: expired data is not removed until it has run for so many hours; "holdfast doctor --accept-clock" ends that';
