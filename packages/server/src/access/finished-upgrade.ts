/** Features that restrict what somebody may do, and the check before any of them is used. */

import { Refusal } from '../common/requests/refusal.ts';
import type { Store } from '../storage/store.ts';

/**
 * Features that restrict access, each with its migration. A program that does not know the migration would not enforce them: it accepts a
 * credential for everything it allowed before.
 */
export const restrictions = {
  protectedEnvironments: 2,
  roles: 5,
  serviceAccounts: 6,
  requireSecondFactor: 8,
  guests: 9,
  enforcedSchemas: 10,
  playerBlocks: 11,
  linkedGuests: 13,
  flagsCheck: 14,
  suspendedAccounts: 15,
  narrowedAdmins: 18,
  webhooks: 23,
  proposals: 24,
  proposalTimes: 26,
} as const satisfies Readonly<Record<string, number>>;
type Restriction = keyof typeof restrictions;

/**
 * Throws the refusal `upgrade_unfinished` while nodes of an older version, which would not enforce a restriction, may still use the store.
 * Once the upgrade is finished, it lets everything pass, immediately on every node. A feature that restricts access adds itself to
 * `restrictions`.
 *
 * @see docs/upgrade.md "Finish an upgrade over PostgreSQL"
 */
export async function requireFinishedUpgrade(
  store: Pick<Store, 'isUpgradeFinished'>,
  restriction: Restriction,
): Promise<void> {
  if (await store.isUpgradeFinished(restrictions[restriction])) return;
  throw new Refusal(
    'upgrade_unfinished',
    'nodes of an older version may still run, which would not hold this: the operator has to run "holdfast upgrade --finish" once the last one is replaced',
  );
}
