/** The check before anything that restricts what somebody may do. */
import { type Narrowing, narrowings, type UpgradeStore } from '../storage/contract/upgrade-store.ts';
import { Refusal } from './refusal.ts';

/**
 * Throws the refusal `upgrade_unfinished` while nodes of an older version, which would not enforce a restriction, may still use the store.
 * Once the upgrade is finished, it lets everything pass, immediately on every node. A feature that restricts access adds itself to
 * `narrowings`.
 *
 * @see docs/upgrade.md "Finish an upgrade over PostgreSQL"
 */
export async function demandFinishedUpgrade(store: UpgradeStore, narrowing: Narrowing): Promise<void> {
  if (await store.isUpgradeFinished(narrowings[narrowing])) return;
  throw new Refusal(
    'upgrade_unfinished',
    'nodes of an older version may still run, which would not hold this: the operator has to run "holdfast upgrade --finish" once the last one is replaced',
  );
}
