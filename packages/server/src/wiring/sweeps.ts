/** Starts the deletion of what has expired or is no longer kept. */

import { revokedSessionMilliseconds } from '../access/revoked-tokens.ts';
import { forgetAuditRecords } from '../management/audit.ts';
import type { ExpiryTask } from '../observe/background-log.ts';
import { createWordFilling } from '../players/word-filling.ts';
import { forgetProposals } from '../proposals/proposals.ts';
import { forgetRepeats } from '../state/idempotency.ts';
import { createPublicHistorySweep } from '../state/public-retention.ts';
import { createClockTrial } from '../storage/sql/upkeep/clock-trust.ts';
import { createRequestCountSweep } from '../usage/account-usage.ts';
import { forgetRequestFigures } from '../usage/read-request-figures.ts';
import { forgetDeliveries } from '../webhooks/webhooks.ts';
import type { Access } from './access.ts';
import { startExpirySweep } from './expiry-sweep.ts';
import type { Wiring } from './wiring.ts';

interface SweepWiring extends Wiring {
  readonly access: Pick<Access, 'signingKeys' | 'idTokenKeys'>;
  /** Drops versions of user states. */
  readonly sweepUserStates: (now: number) => Promise<number>;
}

/** Starts the sweeps. */
export function startSweeps(wiring: SweepWiring): void {
  const { store, config, now, observation, access, sweepUserStates, disposal } = wiring;
  const { signingKeys, idTokenKeys } = access;
  const stop = startExpirySweep<ExpiryTask>({
    jobs: [
      { name: 'sign_ins', run: (time) => store.sweepExpiredSignIns(time) },
      { name: 'identities', run: (time) => store.sweepExpiredIdentities(time) },
      { name: 'players', run: (time) => store.sweepPlayers(time) },
      {
        name: 'revoked_tokens',
        run: (time) => store.sweepRevokedTokens(time, time - revokedSessionMilliseconds(config.accessTokenSeconds)),
      },
      { name: 'idempotency_keys', run: (time) => forgetRepeats(store, time) },
      { name: 'webhook_deliveries', run: (time) => forgetDeliveries(store, time) },
      { name: 'user_state_versions', run: sweepUserStates },
      { name: 'public_state_versions', run: createPublicHistorySweep(store) },
      { name: 'closed_proposals', run: (time) => forgetProposals(store, time) },
      { name: 'audit_records', run: (time) => forgetAuditRecords(store, time, config.auditDays) },
      { name: 'request_figures', run: (time) => forgetRequestFigures(store, time) },
      { name: 'old_request_counts', run: createRequestCountSweep(store) },
      { name: 'signing_keys', run: signingKeys.deleteRetired },
      { name: 'id_token_keys', run: idTokenKeys.deleteRetired },
      { name: 'player_words', run: createWordFilling(store) },
    ],
    now,
    isTrusted: clockTrialOf(wiring),
    onFault: observation.background.onBackgroundFailure,
    onSuccess: observation.background.onBackgroundRecovery,
  });
  disposal.add('the sweeps', stop);
}

/** Returns what says whether the clock is believed, and logs each change of that. */
const clockTrialOf = ({ store, log, observation }: Wiring) =>
  createClockTrial({
    store,
    onChecked: observation.onClockChecked,
    onChanged: ({ isTrusted, servedAt, hoursLeft }) => {
      if (isTrusted) log.info('removal of expired data has resumed');
      else if (servedAt === null)
        log.info({ hoursLeft }, 'no earlier time is known to compare the clock with: nothing is removed yet');
      else log.warn({ servedAt, hoursLeft }, clockAhead);
    },
  });

const clockAhead =
  'the clock is more than a day ahead of the last time this service ran: expired data is not removed until it has run for so many hours; "holdfast doctor --accept-clock" ends that';
