/**
 * A player's own account: record, data and deletion.
 *
 * @see docs/contract.md §6.5
 */
import { type Environment, environments, type MeBody } from '@holdfast/contract';
import type { PlayerPrincipal } from '../access/principal.ts';
import { requireRecentSignIn } from '../access/recent-sign-in.ts';
import { epochOfToken } from '../access/rules/token-age.ts';
import { playerSignedOut } from '../common/requests/challenge.ts';
import { noProject } from '../common/requests/refusal.ts';
import { formatTimeOrNull } from '../common/requests/time.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { PlayerRecord } from '../storage/contract/players.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { Store } from '../storage/store.ts';
import { type ExportOptions, exportPieces } from './export.ts';
import { createdAtOf, type ErasureStore, eraseFrom, isGuest } from './player.ts';
import { methodBodies } from './sign-in-methods.ts';

/** Returns a token's player. A guest without a user state is known only from the token. */
export async function findMe(
  store: Pick<Store, 'findPlayer'>,
  { accountId, slug, userId }: PlayerPrincipal,
  now: number,
): Promise<PlayerRecord> {
  const found = await store.findPlayer({ accountId, slug }, userId, now);
  return found ?? { playerId: userId, identities: [], states: [], block: null };
}

/** The record on the wire. */
export function meBody({ accountId }: PlayerPrincipal, record: PlayerRecord): MeBody {
  return {
    userId: record.playerId,
    guest: isGuest(record),
    createdAt: formatTimeOrNull(createdAtOf(record)),
    methods: methodBodies(accountId, record.identities),
  };
}

/** The environments of the player's account that a token reaches: all for a production token, otherwise only the token's. */
export const extentOf = ({ environment }: PlayerPrincipal): readonly Environment[] =>
  environment === 'production' ? environments : [environment];

/** Throws `sign_in_again` unless the player has signed in recently; a guest, who never signs in, must have a recent token. */
const requireRecentPlayer = ({ isGuest, issuedAtMs, signedInAtMs }: PlayerPrincipal, now: number): void =>
  requireRecentSignIn(isGuest ? issuedAtMs : (signedInAtMs ?? 0), now);

/** Deletes a token's player as far as the token reaches. Throws `sign_in_again`. */
export async function deleteMe(store: ErasureStore, by: ChangedBy, principal: PlayerPrincipal): Promise<void> {
  requireRecentPlayer(principal, by.at);
  const { accountId, slug, environment, userId } = principal;
  const token = { environment, epoch: epochOfToken(principal) };
  const scope = { accountId, slug, environment: environment === 'production' ? null : environment, token };
  const outcome = await eraseFrom(store, by, scope, userId);
  if (outcome === 'no_project') throw noProject(principal);
  if (outcome === 'token_ended') throw playerSignedOut();
}

export interface OwnDataOptions extends ExportOptions {
  readonly store: Pick<Store, 'findPlayer' | 'findLinkedPlayer'> & ExportOptions['store'] & ErasureStore;
  readonly now: () => number;
}

/** A subject's player data, for the page *Your sign-in*: everything that a production token reaches. */
export interface OwnData {
  /** Returns the pieces of a project's export, as JSON text. Throws `StoreUnavailable`. */
  export(project: ProjectKey, subject: string): Promise<AsyncIterable<string>>;
  /** Deletes the player's data in a project, and ends the player's tokens there. Throws `StoreUnavailable`. */
  erase(by: ChangedBy, project: ProjectKey, subject: string): Promise<void>;
}

/** Returns the functions that read and delete player data. */
export function createOwnData(options: OwnDataOptions): OwnData {
  const { store, now } = options;
  const playerOf = async ({ accountId }: ProjectKey, subject: string) =>
    (await store.findLinkedPlayer(accountId, subject)) ?? subject;
  return {
    async export(project, subject) {
      const playerId = await playerOf(project, subject);
      const found = await store.findPlayer(project, playerId, now());
      return exportPieces(options, project, found ?? { playerId, identities: [], states: [], block: null });
    },
    async erase(by, project, subject) {
      const playerId = await playerOf(project, subject);
      const actor = { kind: 'end_user', id: playerId, name: null } as const;
      await eraseFrom(store, { ...by, actor }, { ...project, environment: null }, playerId);
    },
  };
}
