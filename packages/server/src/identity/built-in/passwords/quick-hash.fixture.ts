/** A password hash that costs nothing, for tests of everything but argon2id, which sign in hundreds of times. */
import { hash } from 'node:crypto';
import type { Argon2id } from './password-hash.ts';

/** Returns a tag of the password and the salt. */
export const quickHash: Argon2id = async (password, salt, _cost, tagBytes) =>
  hash('sha512', `${Buffer.from(salt).toString('hex')}${password}`, 'buffer').subarray(0, tagBytes);
