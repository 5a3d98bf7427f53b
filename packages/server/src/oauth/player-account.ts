/** The player that a person signs in as. @see docs/contract.md §7.4 and §7.9 */
import { guestIdPrefix, playerBlocked } from '@holdfast/contract';
import type { PlayerStore, SignedIn } from '../storage/contract/player-store.ts';
import type { Account } from '../storage/store.ts';
import { guestMethod, type PlayerClient } from './clients.ts';
import { Denial } from './developer-account.ts';

/** A player's data in an ID token. */
type Person = Omit<SignedIn, 'provider'> & { readonly provider: string | null };

/** A player signs in by a provider that the project allows. */
export function playerAccount(client: PlayerClient, { provider, subject }: Person): Pick<Account, 'accountId'> | Denial {
  if (provider === null || provider === guestMethod || !client.settings.allowedIdps.includes(provider)) {
    return new Denial('access_denied', 'the project does not allow this way to sign in');
  }
  if (subject.startsWith(guestIdPrefix)) {
    return new Denial('access_denied', `the subject of the ID token begins with ${guestIdPrefix}, as the ids of guests do`);
  }
  return client;
}

/**
 * Stores the person as an identity of the account, and returns the id of its player. A blocked player stays out. `playerAccount` has
 * already let the player in.
 */
export async function admitPlayer(
  store: Pick<PlayerStore, 'admitPlayer'>,
  client: PlayerClient,
  { subject, provider, email, name }: Person,
  now: number,
): Promise<string | Denial> {
  const outcome = await store.admitPlayer(client, { subject, provider: provider ?? '', email, name }, now);
  if (outcome.kind === 'admitted') return outcome.playerId;
  return outcome.kind === 'blocked' ? isBlocked : projectGone;
}

const isBlocked = new Denial('access_denied', playerBlocked);
export const projectGone = new Denial('access_denied', 'the project or account is gone');
