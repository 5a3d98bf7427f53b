/** `holdfast account limits`: the limits of one account and of its API keys, which override the settings. */

import { quoted } from '../../common/text/quoted.ts';
import { now } from '../../common/time/clock.ts';
import type { Config } from '../../config/config.ts';
import { monthOf } from '../../limits/month-count.ts';
import type { ApiKey } from '../../storage/contract/api-keys.ts';
import type { AccountUsage, OwnLimits, QuotaName, Quotas } from '../../storage/contract/usage.ts';
import type { Store } from '../../storage/store.ts';
import { CommandFault } from '../fault.ts';
import { byCommand, withOperator } from '../operator.ts';
import { printJson, printTable } from '../print.ts';

const titles: Readonly<Record<QuotaName, string>> = {
  apiRequests: 'API requests',
  projects: 'Projects',
  endUsers: 'End users',
  storageBytes: 'Storage bytes',
};
const names = Object.keys(titles) as QuotaName[];

/** The new value of each limit: 0 means unlimited, `default` the setting of the service. */
type NewLimits = Partial<Quotas<number | 'default'> & { readonly requestsPerMinute: number | 'default' }>;

export type LimitOptions = NewLimits & {
  /** The API key whose requests per minute are limited, instead of those of the account. */
  readonly key?: string;
  readonly json?: true;
  /** Private networks that the account's webhooks may reach. */
  readonly webhookNetworks?: readonly string[];
};

/**
 * Replaces the limits in `options`, then prints the use of the account, its own limits and those of its keys. Throws `CommandFault` if the
 * account or key does not exist. A running service applies the limits within a second.
 */
export async function accountLimitsCommand(config: Config, accountId: string, options: LimitOptions): Promise<void> {
  const { startsAt } = monthOf(now());
  const { json, key, webhookNetworks, ...given } = options;
  if (key !== undefined) requireOnlyPerMinute({ ...given, ...(webhookNetworks && { webhookNetworks }) });
  const changes: Partial<OwnLimits> = Object.fromEntries(
    Object.entries(given).map(([name, limit]) => [name, limit === 'default' ? null : limit]),
  );
  const { usage, keys, networks } = await withOperator(config, async (store) => {
    if (key !== undefined) await limitKey(store, accountId, key, changes.requestsPerMinute ?? null);
    else if (Object.keys(changes).length > 0) await store.writeOwnLimits(byCommand(), accountId, changes);
    if (webhookNetworks !== undefined) await store.writeWebhookNetworks(byCommand(), accountId, webhookNetworks);
    return {
      usage: await store.readUsage(accountId, startsAt),
      keys: await store.listLimitedApiKeys(accountId),
      networks: (await store.readWebhookNetworks(accountId)) ?? [],
    };
  });
  if (usage === undefined) throw new CommandFault(`there is no account ${quoted(accountId)}`);
  if (json)
    printJson({
      accountId,
      monthStartsAt: new Date(startsAt).toISOString(),
      ...inJson(usage, keys),
      webhookNetworks: networks,
    });
  else
    printTable([...rowsOf(usage, keys), ...(networks.length > 0 ? [['Webhook networks', '', networks.join(', ')]] : [])]);
}

function requireOnlyPerMinute({ requestsPerMinute, ...others }: Omit<LimitOptions, 'key' | 'json'>): void {
  if (requestsPerMinute !== undefined && Object.keys(others).length === 0) return;
  throw new CommandFault('--key works only with --requests-per-minute, the only limit of an API key');
}

async function limitKey(store: Store, accountId: string, keyId: string, requestsPerMinute: number | null): Promise<void> {
  if ((await store.limitApiKey(byCommand(), accountId, keyId, requestsPerMinute)) === 'written') return;
  throw new CommandFault(`the account ${quoted(accountId)} has no API key ${quoted(keyId)}`);
}

function inJson({ used, ownLimits }: AccountUsage, keys: readonly ApiKey[]): object {
  return {
    ...Object.fromEntries(names.map((name) => [name, { used: used[name], limit: shown(ownLimits[name]) }])),
    requestsPerMinute: { limit: perMinute(ownLimits) },
    keys: keys.map(({ slug, keyId, name, requestsPerMinute }) => {
      return { projectSlug: slug, id: keyId, name, requestsPerMinute: shown(requestsPerMinute) };
    }),
  };
}

function rowsOf({ used, ownLimits }: AccountUsage, keys: readonly ApiKey[]): string[][] {
  return [
    ['', 'Used', 'Limit'],
    ...names.map((name) => [titles[name], String(used[name]), String(shown(ownLimits[name]))]),
    ['Requests per minute', '', String(perMinute(ownLimits))],
    ...keys.map(({ keyId, requestsPerMinute }) => [`  of ${keyId}`, '', String(shown(requestsPerMinute))]),
  ];
}

/** For all credentials together; no setting limits these. */
const perMinute = ({ requestsPerMinute }: OwnLimits): number | 'unlimited' => requestsPerMinute || 'unlimited';

/** A limit in the format of the option. */
function shown(limit: number | null): number | 'default' | 'unlimited' {
  return limit === null ? 'default' : limit === 0 ? 'unlimited' : limit;
}
