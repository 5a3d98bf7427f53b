/** `holdfast account link`: another link to the console, if that of the start is lost. */

import { isLoopback } from '../../common/net/loopback.ts';
import { formatTime } from '../../common/requests/time.ts';
import type { Config } from '../../config/config.ts';
import { readAccount } from '../../management/accounts.ts';
import { makeConsoleLink } from '../console-link.ts';
import { CommandFault } from '../fault.ts';
import { withOperator } from '../operator.ts';
import { printJson } from '../print.ts';
import { demoAccount } from '../serve/demo.ts';

/**
 * Prints a new link to the console, for an account or by default for the demo. Throws `CommandFault` if the link would not work: without
 * the console, or if others can reach the service.
 */
export async function consoleLinkCommand(
  config: Config,
  named: string | undefined,
  options: { json?: true },
): Promise<void> {
  if (config.console === 'off') throw new CommandFault('the link opens in the console, and SVC_CONSOLE is off');
  const { accountId, url, expiresAt } = await withOperator(config, async (store, keyring) => {
    const baseUrl = keyring().issuer();
    if (!isLoopback(new URL(baseUrl).hostname)) {
      throw new CommandFault(`such links work on loopback only, not at ${baseUrl}: use "holdfast account invite"`);
    }
    const account = named ?? (await demoAccount(store, config));
    if (account === undefined) {
      throw new CommandFault('there is no demo here: name an account. "holdfast account list" shows them');
    }
    await readAccount(store, account);
    return { accountId: account, ...(await makeConsoleLink(store, account, baseUrl)) };
  });
  if (options.json) printJson({ accountId, url, expiresAt: formatTime(expiresAt) });
  else process.stdout.write(`${url}\n`);
}
