/** A player's sign-in methods, as the player sees them. */
import type { PlayerExportBody } from '@holdfast/contract';
import { hashedIdentifier } from '../common/ids/base62.ts';
import type { Identity, SignedIn } from '../storage/contract/players.ts';

/** Returns a method's id: always the same, and revealing nothing about the identity. */
function methodId(accountId: string, { subject, provider }: Pick<SignedIn, 'subject' | 'provider'>): string {
  return `mth_${hashedIdentifier(JSON.stringify(['method', accountId, subject, provider]))}`;
}

/** Returns the sign-in methods of identities, ordered by id. */
export function methodBodies(accountId: string, identities: readonly Identity[]): PlayerExportBody['methods'] {
  return identities
    .map((identity) => ({ id: methodId(accountId, identity), provider: identity.provider, email: identity.email }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
