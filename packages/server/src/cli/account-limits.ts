/** `holdfast account limits`: the limits of one account, which override the settings. */

import { quoted } from '../common/refusal.ts';
import type { Config } from '../config/config.ts';
import { monthOf } from '../limits/request-quota.ts';
import type { OwnLimits, QuotaName, Quotas } from '../storage/usage-store.ts';
import { CommandFault } from './fault.ts';
import { byCommand, withOperator } from './operator.ts';
import { printJson, printTable } from './print.ts';

const titles: Readonly<Record<QuotaName, string>> = {
  apiRequests: 'API requests',
  projects: 'Projects',
  endUsers: 'End users',
  storageBytes: 'Storage bytes',
};
const names = Object.keys(titles) as QuotaName[];

/** The new value of each limit: 0 is unlimited, `default` is the setting of the service. */
export type LimitOptions = Partial<Quotas<number | 'default'>> & { readonly json?: true };

/**
 * Replaces the limits that `options` name, then prints the use of the account and its own limits. Throws `CommandFault` when
 * the account does not exist. A running service applies the limits within a second.
 */
export async function accountLimitsCommand(config: Config, accountId: string, options: LimitOptions): Promise<void> {
  const { startsAt } = monthOf(Date.now());
  const { json, ...given } = options;
  const changes: Partial<OwnLimits> = Object.fromEntries(
    Object.entries(given).map(([name, limit]) => [name, limit === 'default' ? null : limit]),
  );
  const usage = await withOperator(config, async (store) => {
    if (Object.keys(changes).length > 0) await store.writeOwnLimits(byCommand(), accountId, changes);
    return store.readUsage(accountId, startsAt);
  });
  if (usage === undefined) throw new CommandFault(`there is no account ${quoted(accountId)}`);
  const { used, ownLimits } = usage;
  if (json) {
    const members = names.map((name) => [name, { used: used[name], limit: shown(ownLimits[name]) }]);
    printJson({ accountId, monthStartsAt: new Date(startsAt).toISOString(), ...Object.fromEntries(members) });
  } else {
    const rows = names.map((name) => [titles[name], String(used[name]), String(shown(ownLimits[name]))]);
    printTable([['', 'Used', 'Limit'], ...rows]);
  }
}

/** A limit as the value of an option. */
function shown(limit: number | null): number | 'default' | 'unlimited' {
  return limit === null ? 'default' : limit === 0 ? 'unlimited' : limit;
}
