/**
 * Reads and changes players for developers.
 *
 * @see docs/contract.md §8.12
 */

import type { BlockPlayerBody, PlayerBlockBody, PlayerBody } from '@holdfast/contract';
import { requireFinishedUpgrade } from '../access/finished-upgrade.ts';
import { noProject, Refusal } from '../common/requests/refusal.ts';
import { formatTime, formatTimeOrNull, parseTime } from '../common/requests/time.ts';
import { quoted } from '../common/text/quoted.ts';
import { shortenHistories } from '../state/shorten-histories.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import { isGuestId } from '../storage/contract/guests.ts';
import type { DeletionScope, PlayerBlock, PlayerRecord } from '../storage/contract/players.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { Store } from '../storage/store.ts';

const nobody = (playerId: string): Refusal =>
  new Refusal('not_found', `there is no player with the id ${quoted(playerId)} here`);

/** Returns a player, or throws `not_found`. */
export async function readPlayer(
  store: Pick<Store, 'findPlayer'>,
  key: ProjectKey,
  playerId: string,
  now: number,
): Promise<PlayerRecord> {
  const found = await store.findPlayer(key, playerId, now);
  if (found === undefined) throw nobody(playerId);
  return found;
}

/**
 * Blocks a player. Throws `validation_error` for an end that is not a time or is in the past, `not_found` if no player has the id, and
 * `upgrade_unfinished`.
 */
export async function blockPlayer(
  store: Pick<Store, 'blockPlayer' | 'isUpgradeFinished'>,
  by: ChangedBy,
  key: ProjectKey,
  playerId: string,
  { reason = null, until = null }: BlockPlayerBody,
): Promise<PlayerBlockBody> {
  const endsAt = until === null ? null : parseTime('until', until);
  if (endsAt !== null && endsAt <= by.at) {
    throw new Refusal(
      'validation_error',
      `"/until" ${quoted(until ?? '')} has passed: name a time in the future, or leave it out`,
    );
  }
  await requireFinishedUpgrade(store, 'playerBlocks');
  const outcome = await store.blockPlayer(by, key, playerId, { reason, until: endsAt });
  if (outcome === 'no_project') throw noProject(key);
  if (outcome === 'unknown') throw nobody(playerId);
  return blockBody(outcome);
}

/** Lifts a player's block, if any. Throws `not_found` if the project no longer exists. */
export async function unblockPlayer(
  store: Pick<Store, 'unblockPlayer'>,
  by: ChangedBy,
  key: ProjectKey,
  playerId: string,
): Promise<void> {
  if ((await store.unblockPlayer(by, key, playerId)) === 'no_project') throw noProject(key);
}

/** Ends all of a player's sessions, if any. Throws `not_found` if the project no longer exists. */
export async function endPlayerSessions(
  store: Pick<Store, 'endPlayerSessions'>,
  by: ChangedBy,
  key: ProjectKey,
  playerId: string,
): Promise<void> {
  if ((await store.endPlayerSessions(by, key, playerId)) === 'no_project') throw noProject(key);
}

export type ErasureStore = Pick<Store, 'deletePlayer' | 'unlinkErased' | 'shortenHistories'>;

/** Deletes a player as far as the scope reaches. Can be repeated if interrupted. Throws `StoreUnavailable`. */
export async function eraseFrom(
  store: ErasureStore,
  by: ChangedBy,
  scope: DeletionScope,
  playerId: string,
): Promise<'deleted' | 'no_project' | 'token_ended'> {
  await shortenHistories(store, scope, playerId);
  const outcome = await store.deletePlayer(by, scope, playerId);
  if (outcome !== 'links_left') return outcome;
  while (await store.unlinkErased(scope.accountId, playerId));
  return 'deleted';
}

/** Erases a player, if it exists. Throws `not_found` if the project no longer exists. */
export async function erasePlayer(store: ErasureStore, by: ChangedBy, key: ProjectKey, playerId: string): Promise<void> {
  if ((await eraseFrom(store, by, { ...key, environment: null }, playerId)) === 'no_project') throw noProject(key);
}

/** The record on the wire, with address and name if `seesPersonalData`. */
export function playerBody(record: PlayerRecord, seesPersonalData: boolean): PlayerBody {
  const { playerId, identities, states, block } = record;
  const latest = identities.toSorted((a, b) => (b.lastSignedInAt ?? 0) - (a.lastSignedInAt ?? 0));
  const person = {
    email: latest.find(({ email }) => email !== null)?.email ?? null,
    name: latest.find(({ name }) => name !== null)?.name ?? null,
  };
  return {
    userId: playerId,
    guest: isGuest(record),
    ...(seesPersonalData && person),
    providers: [...new Set(identities.map(({ provider }) => provider))].sort(),
    createdAt: formatTimeOrNull(createdAtOf(record)),
    lastSignInAt: formatTimeOrNull(latest[0]?.lastSignedInAt ?? null),
    blocked: block && blockBody(block),
    states: states.map(({ environment, version, updatedAt, stateBytes }) => ({
      environment,
      version,
      updatedAt: formatTime(updatedAt),
      stateSizeBytes: stateBytes,
    })),
  };
}

/** Whether a player has never signed in. */
export const isGuest = ({ playerId, identities }: PlayerRecord): boolean => isGuestId(playerId) && identities.length === 0;

/** When a player first signed in or saved; for a user state from an earlier release, the time of its last version. Null if neither. */
export function createdAtOf({ identities, states }: PlayerRecord): number | null {
  const times = [
    ...identities.map(({ createdAt }) => createdAt),
    ...states.map(({ createdAt, updatedAt }) => createdAt ?? updatedAt),
  ];
  return times.length === 0 ? null : Math.min(...times);
}

const blockBody = ({ reason, until, blockedAt }: PlayerBlock): PlayerBlockBody => ({
  reason,
  until: formatTimeOrNull(until),
  blockedAt: formatTime(blockedAt),
});
