/** The key that hashes recovery codes. Codes cannot be hashed again with another key, so this key is kept when the secret key changes. */
import { hkdfSync } from 'node:crypto';

/** Returns the 32 bytes derived from a secret key. */
export const recoveryKeyOf = (secretKey: Uint8Array): Uint8Array =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'holdfast recovery code', 32));
