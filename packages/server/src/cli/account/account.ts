/** `holdfast account …`: the operator's commands for accounts. */

import type { AccountBody, MemberRole } from '@holdfast/contract';
import { invitationLink } from '../../common/net/console-addresses.ts';
import { Refusal } from '../../common/requests/refusal.ts';
import { formatTime } from '../../common/requests/time.ts';
import { now } from '../../common/time/clock.ts';
import type { Config } from '../../config/config.ts';
import { bodyReader } from '../../http/wire/record-body.ts';
import { createAccount, deleteAccount, readAccount } from '../../management/accounts.ts';
import { invite, ofOperator } from '../../management/invitations.ts';
import type { Store } from '../../storage/store.ts';
import { CommandFault } from '../fault.ts';
import { byCommand, type IssuedToken, issueDeveloperToken, type Keyring, withOperator } from '../operator.ts';
import { printJson, printTable } from '../print.ts';
import { everyPage } from './every-page.ts';

interface Output {
  readonly json?: true;
}

/**
 * Creates an account and prints its id, a developer token and, if there is a console, an invitation link for its owner. Throws
 * `CommandFault` if the name is invalid.
 */
export async function createAccountCommand(
  config: Config,
  options: Output & { name: string; hours: number; tenant?: string },
): Promise<void> {
  const make = async (store: Store, keyring: () => Keyring) => {
    const ring = keyring();
    ring.issuer(); // no account is created if its token could not be
    const account = await create(store, options).catch(inTermsOfFlags);
    const { accountId } = account;
    const token = await issueDeveloperToken(ring, accountId, options.hours);
    return {
      ...account,
      ...token,
      ...(config.console === 'on' && { invitation: await inviteTo(store, ring, accountId, 'owner') }),
    };
  };
  const created = await withOperator(config, make, { mayCreate: true });
  if (options.json) printJson(created);
  else {
    printTable([['Account', created.accountId], ['Token', created.developerToken], ...validityRows(created)]);
    if (created.invitation !== undefined) printInvitation(created.invitation);
  }
}

/** Prints an invitation link to the account. Throws `CommandFault` if there is no console to open it. */
export async function inviteCommand(
  config: Config,
  accountId: string,
  options: Output & { role: MemberRole },
): Promise<void> {
  if (config.console === 'off') {
    throw new CommandFault('the link of an invitation opens in the console, and SVC_CONSOLE is off');
  }
  const invitation = await withOperator(config, (store, keyring) => inviteTo(store, keyring(), accountId, options.role));
  if (options.json) printJson({ accountId, invitation });
  else printInvitation(invitation);
}

interface PrintedInvitation {
  readonly url: string;
  readonly role: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

async function inviteTo(
  store: Store,
  { issuer }: Keyring,
  accountId: string,
  asked: MemberRole,
): Promise<PrintedInvitation> {
  const baseUrl = issuer();
  const { token, invitation } = await invite(store, byCommand(), { ...ofOperator, accountId, role: asked });
  const { role, expiresAt } = invitation;
  return { url: invitationLink(baseUrl, token), role, expiresAt: formatTime(expiresAt) };
}

/** The link is on a separate line, so that it is easy to copy. */
function printInvitation({ url, role, expiresAt }: PrintedInvitation): void {
  process.stdout.write(
    `\nOpen this link in a browser to sign in to the console as ${withArticle(role)} of the account. It works once, until\n${expiresAt}, and is not shown again:\n\n  ${url}\n\n`,
  );
}

const readChanges = bodyReader('UpdateAccountBody');

const withArticle = (role: string): string => `${/^[aeo]/.test(role) ? 'an' : 'a'} ${role}`;

async function create(store: Store, { name, tenant }: { name: string; tenant?: string }): Promise<AccountBody> {
  const { name: checked = name } = await readChanges({ name });
  return createAccount(store, { name: checked }, now(), tenant);
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

/** Prints a new developer token of an account, and nothing else on standard output, for use in scripts. */
export async function accountTokenCommand(config: Config, accountId: string, options: Output & { hours: number }) {
  const issued = await withOperator(config, async (store, keyring) => {
    await readAccount(store, accountId);
    return issueDeveloperToken(keyring(), accountId, options.hours);
  });
  if (options.json) printJson({ accountId, ...issued });
  else {
    process.stdout.write(`${issued.developerToken}\n`);
    printTable(validityRows(issued), process.stderr);
  }
}

/** Deletes an account with all its contents. */
export async function deleteAccountCommand(config: Config, accountId: string, options: Output): Promise<void> {
  await withOperator(config, (store) => deleteAccount(store, accountId));
  if (options.json) printJson({ accountId, deleted: true });
  else process.stdout.write(`Deleted ${accountId}\n`);
}

const validityRows = ({ baseUrl, expiresAt }: IssuedToken): string[][] => [
  ['Valid at', baseUrl],
  ['Valid until', expiresAt],
];

/** The message of a refusal refers to a request body, whose only member is the name. */
function inTermsOfFlags(error: unknown): never {
  if (!(error instanceof Refusal && error.code === 'validation_error')) throw error;
  throw new CommandFault(`cannot create the account: ${error.message.replace('"/name"', '--name')}`);
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
