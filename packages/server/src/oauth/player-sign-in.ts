/** How a player signs in, and as which player. @see docs/contract.md §7.4 and §7.9 */

import { guestIdPrefix, guestMethod, playerBlocked } from '@holdfast/contract';
import type { SignedIn } from '../storage/contract/players.ts';
import type { Store } from '../storage/store.ts';
import type { PlayerClient } from './clients.ts';
import { type Denial, denied, type SignedInAs } from './redirect.ts';

/** A player's data in an ID token. */
interface Person extends Omit<SignedIn, 'provider'> {
  readonly tenant: string | null;
  readonly provider: string | null;
}

export type PlayerSignInStore = Pick<Store, 'admitPlayer' | 'findLinkedPlayer'>;

/**
 * Stores a person as an identity of the account, and returns whom the code is for. It denies an ID token of another tenant or of a provider
 * that the project does not allow, and a blocked player.
 */
export async function signInPlayer(
  store: PlayerSignInStore,
  client: PlayerClient,
  { subject, tenant, provider, email, name }: Person,
  now: number,
): Promise<SignedInAs | Denial> {
  const { accountId, slug } = client;
  if (tenant !== client.tenantId) return denied('the ID token is of another tenant');
  if (provider === null || provider === guestMethod || !client.settings.allowedIdps.includes(provider)) {
    return denied('the project does not allow this way to sign in');
  }
  if (subject.startsWith(guestIdPrefix)) {
    return denied(`the subject of the ID token begins with ${guestIdPrefix}, as the ids of guests do`);
  }
  const outcome = await store.admitPlayer(client, { subject, provider, email, name }, now);
  if (outcome.kind === 'blocked') return denied(playerBlocked);
  if (outcome.kind !== 'admitted') return projectGone;
  // A linked identity signs in as its former guest; any other, as the player of the same id.
  const linked = await store.findLinkedPlayer(accountId, subject);
  return { accountId, slug, subject: linked ?? outcome.playerId };
}

export const projectGone = denied('the project or account is gone');
