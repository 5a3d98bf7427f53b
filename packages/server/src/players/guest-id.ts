/** The id of a guest. */
import { hash } from 'node:crypto';
import { guestIdPrefix } from '@holdfast/contract';
import { base62 } from '../common/base62.ts';

/**
 * Returns the user id of the guest with a key in an account: always the same, and indistinguishable from a random one, so that two accounts
 * cannot find out that a guest plays with both. Nothing is stored for it.
 *
 * @see docs/contract.md §7.14
 */
export function guestIdOf(accountId: string, thumbprint: string): string {
  const digest = hash('sha256', `${accountId}\n${thumbprint}`);
  return `${guestIdPrefix}${base62(BigInt(`0x${digest.slice(0, 32)}`), 22)}`;
}
