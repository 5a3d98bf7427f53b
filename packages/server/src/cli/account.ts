/** `holdfast account …`: accounts in the hands of the operator. */
import type { AccountBody } from '@holdfast/contract';
import type { Config } from '../config.ts';
import { createAccount, deleteAccount, listAccounts, readAccount } from '../management/accounts.ts';
import type { Page, PageRequest, Store } from '../storage/store.ts';
import { issueDeveloperToken, withOperator } from './operator.ts';
import { printJson, printTable } from './print.ts';

interface Output {
  readonly json?: true;
}

const pageItemsMax = 500;

/** Makes an account and prints its id and a developer token. */
export async function createAccountCommand(
  config: Config,
  options: Output & { name: string; hours: number; tenant?: string },
): Promise<void> {
  const made = await withOperator(config, async (store, keyring) => {
    const { accessTokens } = keyring();
    const account = await createAccount(store, { name: options.name }, Date.now(), options.tenant);
    return { ...account, ...(await issueDeveloperToken(accessTokens, account.accountId, options.hours)) };
  });
  if (options.json) printJson(made);
  else {
    printTable([
      ['Account', made.accountId],
      ['Token', made.developerToken],
      ['Valid until', made.expiresAt],
    ]);
  }
}

/** Prints all accounts. */
export async function listAccountsCommand(config: Config, options: Output): Promise<void> {
  const accounts = await withOperator(config, (store) => everyPage((page) => listAccounts(store, page)));
  if (options.json) printJson(accounts);
  else printTable(accounts.map(({ accountId, createdAt, name }) => [accountId, createdAt, name]));
}

/** Prints an account and its projects. */
export async function showAccountCommand(config: Config, accountId: string, options: Output): Promise<void> {
  const shown = await withOperator(config, async (store) => ({
    ...(await readAccount(store, accountId)),
    projects: await projectsOf(store, accountId),
  }));
  if (options.json) printJson(shown);
  else printTable([...accountRows(shown), ['Projects', shown.projects.map(({ slug }) => slug).join(', ') || 'none']]);
}

/** Prints a new developer token of an account that exists. */
export async function accountTokenCommand(config: Config, accountId: string, options: Output & { hours: number }) {
  const issued = await withOperator(config, async (store, keyring) => {
    await readAccount(store, accountId);
    return issueDeveloperToken(keyring().accessTokens, accountId, options.hours);
  });
  if (options.json) printJson({ accountId, ...issued });
  else process.stdout.write(`${issued.developerToken}\n`);
}

/** Deletes an account with everything in it. */
export async function deleteAccountCommand(config: Config, accountId: string, options: Output): Promise<void> {
  await withOperator(config, (store) => deleteAccount(store, accountId));
  if (options.json) printJson({ accountId, deleted: true });
  else process.stdout.write(`Deleted ${accountId}\n`);
}

const accountRows = ({ accountId, name, idpTenantId, createdAt }: AccountBody): string[][] => [
  ['Account', accountId],
  ['Name', name],
  ['Tenant', idpTenantId],
  ['Created', createdAt],
];

async function projectsOf(store: Store, accountId: string) {
  const projects = await everyPage(async (page) => store.listProjects(accountId, page));
  return projects.map(({ slug, name, createdAt }) => ({ slug, name, createdAt: new Date(createdAt).toISOString() }));
}

/** Returns the items of all pages of a list. */
async function everyPage<Item>(read: (page: PageRequest) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let after: PageRequest['after'] = null;
  do {
    const page: Page<Item> = await read({ after, itemsMax: pageItemsMax });
    items.push(...page.items);
    after = page.next;
  } while (after !== null);
  return items;
}
