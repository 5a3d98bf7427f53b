/**
 * Merges: a guest who signs in with an identity that is in use becomes part of that identity's player.
 *
 * @see docs/contract.md §7.17
 */

import { type Environment, environments, guestUpgraded } from '@holdfast/contract';
import { requireFinishedUpgrade } from '../access/finished-upgrade.ts';
import type { PlayerPrincipal } from '../access/principal.ts';
import { epochOfToken } from '../access/rules/token-age.ts';
import type { Awaitable } from '../common/async/awaitable.ts';
import { playerClientId, playerScope } from '../common/ids/client-id.ts';
import { playerSignedOut } from '../common/requests/challenge.ts';
import { noProject, Refusal } from '../common/requests/refusal.ts';
import { truncatedHash } from '../common/secrets/truncated-hash.ts';
import { quotaReached } from '../limits/quota-refusal.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import type { Repeat } from '../storage/contract/repeats.ts';
import type { UserState, UserStateKey, VersionRetention } from '../storage/contract/user-states.ts';
import type { Store } from '../storage/store.ts';
import type { Guests } from './guest-proof.ts';

export interface MergesOptions {
  readonly store: Pick<
    Store,
    | 'mergeGuest'
    | 'hasUserStates'
    | 'findRepeat'
    | 'isUpgradeFinished'
    | 'findProject'
    | 'readUserState'
    | 'findLinkedPlayer'
  >;
  readonly guests: Pick<Guests, 'prove'>;
  /** Returns the scope of a user state's idempotency keys. */
  readonly repeatScope: (key: UserStateKey, projectCreatedAt: number) => string;
  /** The earlier versions that a user state keeps. */
  readonly retentionOf: (key: ProjectKey) => Awaitable<VersionRetention>;
  /** Called for each user state that may have changed. */
  readonly onChanged: (key: UserStateKey) => void;
  readonly now: () => number;
}

/** A merge as its client sent it. */
export interface Merge {
  readonly guestAssertion: string;
  readonly ifVersion: number | null;
  readonly fromVersion: number | null;
  /** Compact JSON text. */
  readonly stateText: string;
  /** Refuses a state that does not fit the schema, or that the player's rules of change forbid as a successor of the previous state. */
  readonly validate: (beforeText: string) => Promise<void>;
}

/** The user state after a merge. */
interface MergedUserState {
  readonly version: number;
  readonly stateText: string;
  readonly stateBytes: number;
}

export interface Merges {
  /**
   * Merges a guest into a token's player, and returns the player's state. Refuses `forbidden` for a guest's token, `validation_error` for
   * an invalid assertion or if neither player has a user state there, `version_conflict`, `nothing_to_merge`, `player_blocked`,
   * `QUOTA_STORAGE`, `idempotency_key_reused`, `not_found`, `upgrade_unfinished`.
   */
  merge(player: PlayerPrincipal, merge: Merge, repeatKey: Uint8Array | undefined): Promise<MergedUserState>;
}

/** Returns the merges of guests. */
export function createMerges({ store, guests, repeatScope, retentionOf, onChanged, now }: MergesOptions): Merges {
  async function repeated(key: UserStateKey, version: number, isSame: boolean): Promise<MergedUserState> {
    if (!isSame) {
      throw new Refusal(
        'idempotency_key_reused',
        'this Idempotency-Key was sent with another body; use a new key for another merge',
      );
    }
    const current = await store.readUserState(key);
    if (current.kind === 'present' && current.record.version === version) return current.record;
    const currentVersion = current.kind === 'present' ? current.record.version : null;
    throw new Refusal('version_conflict', `this merge was carried out before, as version ${version}`, {
      details: { currentVersion, appliedVersion: version },
    });
  }

  return {
    async merge(player, merge, repeatKey) {
      if (player.isGuest) throw new Refusal('forbidden', 'a guest cannot do this: sign in as the player who should remain');
      await requireFinishedUpgrade(store, 'linkedGuests');
      const { accountId, slug, environment, userId: playerId } = player;
      const key = { accountId, slug, environment, playerId };
      const repeat = repeatKey && (await repeatOf({ store, repeatScope }, key, merge, repeatKey));
      const known = repeat && (await store.findRepeat(accountId, repeat));
      if (known !== undefined) return repeated(key, known.version, known.isSame);
      const guestId = await proveGuest(guests, player, merge.guestAssertion, async (guest) => {
        // The transaction compares both versions again, so only this text can be replaced.
        await merge.validate(await textBefore(store, key, guest, merge));
      });
      const { stateText, ifVersion, fromVersion } = merge;
      const stateBytes = Buffer.byteLength(stateText);
      const sent = { ifVersion, fromVersion, stateText, stateBytes, repeat };
      const given = {
        ...sent,
        key,
        guestId,
        epoch: epochOfToken(player),
        writtenAt: now(),
        retention: await retentionOf(key),
      };
      const outcome = await store.mergeGuest(given);
      switch (outcome.kind) {
        case 'merged':
          for (const each of outcome.slugs) tell({ accountId, slug: each }, [playerId, guestId], onChanged);
          return { version: outcome.version, stateText, stateBytes };
        case 'repeated':
          return repeated(key, outcome.version, outcome.isSame);
        case 'conflict':
          throw moved(outcome.currentVersion);
        case 'nothing':
          throw nothingToMerge();
        case 'no_user_state':
          throw noUserState(environment);
        case 'quota':
          throw quotaReached(outcome);
        case 'guest_upgraded':
          throw upgraded();
        case 'blocked':
          throw new Refusal('player_blocked', 'one of the two players is blocked: nothing is merged');
        case 'token_ended':
          throw playerSignedOut();
        case 'ended':
        case 'no_project':
          throw noProject(key);
      }
    },
  };
}

async function repeatOf(
  { store, repeatScope }: Pick<MergesOptions, 'store' | 'repeatScope'>,
  key: UserStateKey,
  merge: Merge,
  repeatKey: Uint8Array,
): Promise<Repeat> {
  const project = await store.findProject(key);
  if (project === undefined) throw noProject(key);
  const { ifVersion, fromVersion, stateText } = merge;
  // The assertion is left out: a repeated merge may need a new one.
  const request = truncatedHash(JSON.stringify(['merge', ifVersion, fromVersion, stateText]));
  return { scope: repeatScope(key, project.createdAt), key: repeatKey, request };
}

/**
 * The state before the merge: the player's, or the guest's if the player has none. Refuses `version_conflict` if either is not at the
 * version that the merge names, `nothing_to_merge`, and `validation_error`. Whether the player is still a guest is read after the
 * saves: if another merge took them, that merge is reported, not a missing save.
 */
async function textBefore(
  store: Pick<MergesOptions['store'], 'readUserState' | 'findLinkedPlayer' | 'hasUserStates'>,
  key: UserStateKey,
  guestId: string,
  { ifVersion, fromVersion }: Merge,
): Promise<string> {
  const { accountId, environment } = key;
  const into = await userStateOf(store, key);
  const from = await userStateOf(store, { ...key, playerId: guestId });
  const hasAny = from !== undefined || (await store.hasUserStates(accountId, guestId));
  if ((await store.findLinkedPlayer(accountId, guestId)) !== undefined) throw upgraded();
  if ((into?.version ?? null) !== ifVersion || (from?.version ?? null) !== fromVersion) throw moved(into?.version ?? null);
  if (!hasAny) throw nothingToMerge();
  const userState = into ?? from;
  if (userState === undefined) throw noUserState(environment);
  return userState.stateText;
}

async function userStateOf(store: Pick<Store, 'readUserState'>, key: UserStateKey): Promise<UserState | undefined> {
  const found = await store.readUserState(key);
  if (found.kind === 'no_project') throw noProject(key);
  return found.kind === 'present' ? found.record : undefined;
}

async function proveGuest(
  guests: Pick<Guests, 'prove'>,
  player: PlayerPrincipal,
  assertion: string,
  check: (guestId: string) => Promise<void>,
): Promise<string> {
  const { accountId, slug, environment, userId } = player;
  const project = { accountId, slug };
  const outcome = await guests.prove({
    project,
    clientId: playerClientId(project),
    scope: playerScope(environment),
    assertion,
    purpose: { claim: 'merge_into', value: userId },
    check,
  });
  if (outcome.kind === 'guest') return outcome.userId;
  throw invalid(
    outcome.kind === 'bad_assertion'
      ? `guestAssertion: ${outcome.description}`
      : 'guestAssertion: its nonce is missing, too old or not of this service: sign another one, with the Auth-Nonce of a response of the token endpoint',
  );
}

function tell(project: ProjectKey, playerIds: readonly string[], onChanged: MergesOptions['onChanged']): void {
  for (const playerId of playerIds) {
    for (const environment of environments) onChanged({ ...project, environment, playerId });
  }
}

const invalid = (message: string): Refusal => new Refusal('validation_error', message);
const upgraded = (): Refusal => invalid(`${guestUpgraded}: the guest has signed up or was merged before`);
const noUserState = (environment: Environment): Refusal =>
  invalid(`neither the guest nor the player has a save in ${environment}: name an environment where one of them has one`);
const nothingToMerge = (): Refusal =>
  new Refusal('nothing_to_merge', 'the guest has no save in any project of the account: there is nothing to merge');
const moved = (currentVersion: number | null): Refusal =>
  new Refusal('version_conflict', 'one of the two saves is not at the given version: read both again', {
    details: { currentVersion },
  });
