/** `holdfast account suspend`, `resume` and `sign-out`: stop a tenant without deleting its data. */
import type { Config } from '../../config/config.ts';
import { signOutAccount, suspendAccount } from '../../management/accounts.ts';
import { byCommand, withOperator } from '../operator.ts';
import { printJson } from '../print.ts';
import { formatCount } from '../units.ts';

interface Output {
  readonly json?: true;
}

/** Suspends or resumes an account, on every node within a second. Throws a `Refusal` if there is no such account. */
export async function suspendCommand(
  config: Config,
  accountId: string,
  isSuspended: boolean,
  options: Output,
): Promise<void> {
  await withOperator(config, (store) => suspendAccount(store, byCommand(), accountId, isSuspended));
  if (options.json) printJson({ accountId, suspended: isSuspended });
  else process.stdout.write(isSuspended ? `Suspended ${accountId}. Its data stays\n` : `${accountId} is served again\n`);
}

/** Ends all sessions of an account, and prints their number. Throws a `Refusal` if there is no such account. */
export async function signOutCommand(config: Config, accountId: string, options: Output): Promise<void> {
  const signIns = await withOperator(config, (store) => signOutAccount(store, byCommand, accountId));
  if (options.json) printJson({ accountId, signIns });
  else process.stdout.write(`Ended the sessions of ${accountId}: ${formatCount(signIns)} sign-ins\n`);
}
