/** The key that recovery codes are hashed with. A hash cannot be made again with another key, so this key is kept when the secret key changes. */
import { hkdfSync } from 'node:crypto';

/** Returns the 32 bytes that follow from a secret key. */
export const recoveryKeyOf = (secretKey: Uint8Array): Uint8Array =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'holdfast recovery code', 32));
