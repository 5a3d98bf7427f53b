/** `holdfast account list`: all accounts and their use. */
import { now } from '../../common/time/clock.ts';
import type { Config } from '../../config/config.ts';
import { monthOf } from '../../limits/month-count.ts';
import { listAccounts } from '../../management/accounts.ts';
import type { QuotaName } from '../../storage/contract/usage.ts';
import type { Store } from '../../storage/store.ts';
import { CommandFault } from '../fault.ts';
import { withOperator } from '../operator.ts';
import { printJson, printTable } from '../print.ts';
import { formatCount } from '../units.ts';
import { everyPage } from './every-page.ts';
import type { UsageSort } from './usage-sorts.ts';

export interface ListOptions {
  readonly usage?: true;
  readonly sort?: UsageSort;
  readonly json?: true;
}

const everyAccount = (store: Store) => everyPage((page) => listAccounts(store, page));

/** Prints all accounts, and when a developer of each was last seen. Throws `CommandFault` for `--sort` without `--usage`. */
export async function listAccountsCommand(config: Config, options: ListOptions): Promise<void> {
  if (options.sort !== undefined) throw new CommandFault('--sort needs --usage: it sorts accounts by usage');
  const accounts = await withOperator(config, everyAccount);
  if (options.json) printJson(accounts);
  else
    printTable(
      accounts.map(({ accountId, createdAt, lastSeenAt, suspendedAt, name }) => [
        accountId,
        createdAt,
        lastSeenAt === null ? 'never seen' : `seen ${lastSeenAt}`,
        suspendedAt === null ? name : `${name} (suspended)`,
      ]),
    );
}

const sortedBy: Readonly<Record<UsageSort, QuotaName>> = {
  requests: 'apiRequests',
  projects: 'projects',
  'end-users': 'endUsers',
  storage: 'storageBytes',
};

/** Prints the use of each account, sorted by creation, newest first, or by use, highest first. */
export async function listUsageCommand(config: Config, { sort, json }: ListOptions): Promise<void> {
  const { startsAt } = monthOf(now());
  const rows = await withOperator(config, async (store) => {
    const used = [];
    for (const { accountId, name, suspendedAt } of await everyAccount(store)) {
      const usage = await store.readUsage(accountId, startsAt);
      if (usage !== undefined) used.push({ accountId, name, suspendedAt, ...usage.used });
    }
    return used;
  });
  if (sort !== undefined) rows.sort((one, other) => other[sortedBy[sort]] - one[sortedBy[sort]]);
  if (json) printJson({ monthStartsAt: new Date(startsAt).toISOString(), accounts: rows });
  else
    printTable([
      ['Account', 'Requests', 'Projects', 'End users', 'Bytes', 'Name'],
      ...rows.map(({ accountId, apiRequests, projects, endUsers, storageBytes, name, suspendedAt }) => [
        accountId,
        ...[apiRequests, projects, endUsers, storageBytes].map(formatCount),
        suspendedAt === null ? name : `${name} (suspended)`,
      ]),
    ]);
}
