/** `holdfast keys rotate`: new keys that sign tokens. */
import type { Config } from '../config/config.ts';
import { type Keyring, withOperator } from './operator.ts';
import { printJson } from './print.ts';

/**
 * Creates a signing key for access tokens and one for ID tokens of the built-in identity provider, and prints the id of the first. A
 * running service signs with them within a second.
 */
export async function rotateKeysCommand(config: Config, options: { revoke?: true; json?: true }): Promise<void> {
  const revoke = options.revoke ?? false;
  const rotate = async (_store: unknown, keyring: () => Keyring) => {
    const { signingKeys, idTokenKeys } = keyring();
    await idTokenKeys.rotate({ revoke });
    return signingKeys.rotate({ revoke });
  };
  const keyId = await withOperator(config, rotate, { isKeyLost: revoke });
  if (options.json) printJson({ keyId, revoked: revoke });
  else process.stdout.write(`Tokens are signed with ${keyId} from now on.\n`);
}
