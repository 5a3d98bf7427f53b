/** A player's sign-in methods, as the player sees them. */
import { hash } from 'node:crypto';
import type { PlayerExportBody } from '@holdfast/contract';
import { base62 } from '../common/ids/base62.ts';
import type { Identity, SignedIn } from '../storage/contract/players.ts';

/** Returns a method's id: always the same, and revealing nothing about the identity. */
export function methodId(accountId: string, { subject, provider }: Pick<SignedIn, 'subject' | 'provider'>): string {
  const digest = hash('sha256', JSON.stringify(['method', accountId, subject, provider]));
  return `mth_${base62(BigInt(`0x${digest.slice(0, 32)}`), 22)}`;
}

/** Returns the sign-in methods of identities, ordered by id. */
export function methodBodies(accountId: string, identities: readonly Identity[]): PlayerExportBody['methods'] {
  return identities
    .map((identity) => ({ id: methodId(accountId, identity), provider: identity.provider, email: identity.email }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
