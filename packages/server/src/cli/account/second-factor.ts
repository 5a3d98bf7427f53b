/** `holdfast account remove-second-factor`: recovery for a developer who has lost the second factor. */

import { parseEmail } from '../../common/text/email-address.ts';
import { now } from '../../common/time/clock.ts';
import type { Config } from '../../config/config.ts';
import { CommandFault } from '../fault.ts';
import { withOperator } from '../operator.ts';
import { printJson } from '../print.ts';

/**
 * Removes the second factor and the passkeys of a developer, and ends all sessions. Throws `CommandFault` if nobody has that address, or if
 * an outside issuer signs developers in.
 */
export async function removeSecondFactorCommand(
  config: Config,
  email: string,
  { json }: { readonly json?: true },
): Promise<void> {
  if (config.idpIssuer !== undefined) {
    throw new CommandFault('SVC_IDP_ISSUER is set: second factors are set up at that identity provider');
  }
  const address = parseEmail(email);
  if (address === undefined) throw new CommandFault(`${JSON.stringify(email)} is not an email address`);
  const userId = await withOperator(config, async (store) => {
    const user = await store.findUserByEmail(null, address.emailKey);
    const outcome = user && (await store.forgetFactors(null, user.userId, now()));
    if (user === undefined || outcome !== 'forgotten') {
      throw new CommandFault(`no developer signs in with the address ${address.email}`);
    }
    return user.userId;
  });
  if (json) printJson({ userId, email: address.email });
  else {
    process.stdout.write(
      `${address.email} is signed out everywhere, and then signs in with only the password. An account that requires a\nsecond factor asks for a new one then.\n`,
    );
  }
}
