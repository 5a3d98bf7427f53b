/** `holdfast keys …`: the keys that sign access tokens. */
import type { Config } from '../config.ts';
import { withOperator } from './operator.ts';
import { printJson } from './print.ts';

/** Makes a new signing key and prints its id; a running service signs with it within a second. */
export async function rotateKeysCommand(config: Config, options: { revoke?: true; json?: true }): Promise<void> {
  const revoke = options.revoke ?? false;
  const keyId = await withOperator(config, (_store, keyring) => keyring().signingKeys.rotate({ revoke }));
  if (options.json) printJson({ keyId, revoked: revoke });
  else process.stdout.write(`Tokens are signed with ${keyId} from now on.\n`);
}
