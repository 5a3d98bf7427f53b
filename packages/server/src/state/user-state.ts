/**
 * User state: one document per player and environment, written by the player, and by developers and their game servers.
 *
 * @see docs/contract.md §6.2 and §6.3
 */
import { environments } from '@holdfast/contract';
import { type Awaitable, mapAwaitable } from '../common/async/awaitable.ts';
import { portionsBy } from '../common/async/portions.ts';
import { noProject, Refusal } from '../common/requests/refusal.ts';
import type { ChangedBy } from '../storage/contract/audit.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import { userScope } from '../storage/contract/repeats.ts';
import type {
  UserState,
  UserStateAuthor,
  UserStateHistoryItem,
  UserStateKey,
  VersionRetention,
} from '../storage/contract/user-states.ts';
import type { Store } from '../storage/store.ts';
import { type Announcements, noAnnouncements } from './changes/announcements.ts';
import { listingCharactersMax, recordOf } from './documents/reads.ts';
import type { Evaluator } from './evaluation/evaluator.ts';
import { shortenHistories } from './shorten-histories.ts';
import type { StateWrite } from './state-write.ts';
import { type StateKind, StateWriter, type WrittenState } from './state-writer.ts';
import type { Subscribers } from './subscribers.ts';
import type { UserStateRetentions } from './user-state-retention.ts';
import { noWriteChecks, type WriteChecks } from './validation/write-checks.ts';

export interface UserStates {
  /** A player's state, or null if there is none. Refuses `not_found` if the project does not exist. */
  read(key: UserStateKey): Awaitable<UserState | null>;
  /** Applies the body's `ops`. Refuses like {@link StateWriter.patch}. */
  patch(key: UserStateKey, write: StateWrite<UserStateAuthor>): Promise<WrittenState>;
  /** One kept version. Refuses `not_found` if it does not exist. */
  readVersion(key: UserStateKey, version: number): Promise<UserState>;
  /** The kept versions, including the current one, newest first, a few at a time. Refuses `not_found` if the project does not exist. */
  listVersions(key: UserStateKey): AsyncIterableIterator<readonly UserState[], undefined>;
  /** A page of the kept versions below `before`, newest first. Refuses `not_found` if the project does not exist. */
  history(
    key: UserStateKey,
    page: { readonly before: number | null; readonly itemsMax: number },
  ): Promise<{ readonly items: readonly UserStateHistoryItem[]; readonly hasMore: boolean }>;
  /** Deletes a player's state in every environment, if any. Refuses `not_found` if the project does not exist. */
  remove(by: ChangedBy, key: ProjectKey, playerId: string): Promise<void>;
}

export interface UserStateParts {
  readonly store: Store;
  readonly evaluator: Evaluator;
  /** Which versions are kept. */
  readonly retentions: UserStateRetentions;
  readonly checks?: WriteChecks<UserStateKey>;
  /** Notified of every write and deletion. */
  readonly watchers?: Announcements<UserStateKey>;
  /** The webhooks that may subscribe to writes. */
  readonly subscribers?: Subscribers<UserStateKey>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Returns user state. */
export function createUserStates({
  store,
  evaluator,
  retentions,
  checks = noWriteChecks,
  watchers = noAnnouncements,
  subscribers,
  now,
}: UserStateParts): UserStates {
  const { readUserState: read } = store;
  const write: StateKind<UserStateKey, UserState, UserStateAuthor>['write'] = (key, expected, next) => {
    // Players cannot comment on their writes.
    const comment = next.author === null ? null : next.comment;
    if (expected.kind === 'absent') return store.writeUserState(key, expected, { ...next, comment });
    const retention = retentions.of(key);
    return retention instanceof Promise
      ? retention.then((found) => store.writeUserState(key, expected, { ...next, comment, retention: found }))
      : store.writeUserState(key, expected, { ...next, comment, retention });
  };
  const kind: StateKind<UserStateKey, UserState, UserStateAuthor> = {
    read,
    write,
    repeatScope: userScope,
    watchers,
    subscribers,
  };
  const writer = new StateWriter({ store, kind, evaluator, checks, now });

  return {
    patch: writer.patch.bind(writer),
    read: (key) => mapAwaitable(read(key), (outcome) => recordOf(outcome, key)),

    async readVersion(key, version) {
      const record = recordOf(await store.readUserStateVersion(key, version, await retentions.of(key)), key);
      if (record !== null) return record;
      throw new Refusal('not_found', 'this save has no version with this number, or no longer keeps it');
    },

    listVersions(key) {
      let retention: VersionRetention | undefined;
      let before: number | null = null;
      return portionsBy(async () => {
        retention ??= await retentions.of(key);
        const portion = await store.listUserStateVersions(key, { before, charactersMax: listingCharactersMax, retention });
        if (portion.kind === 'no_project') throw noProject(key);
        const oldest = portion.versions.at(-1);
        if (oldest === undefined) return undefined;
        before = oldest.version;
        return portion.versions;
      });
    },

    async history(key, page) {
      const outcome = await store.listUserStateHistory(key, { ...page, retention: await retentions.of(key) });
      if (outcome.kind === 'no_project') throw noProject(key);
      return outcome;
    },

    async remove(by, key, playerId) {
      try {
        await shortenHistories(store, { accountId: key.accountId, slug: key.slug, environment: null }, playerId);
        if ((await store.deleteUserStates(by, key, playerId)) === 'no_project') throw noProject(key);
      } finally {
        for (const environment of environments) watchers.announce({ ...key, environment, playerId }, undefined);
      }
    },
  };
}
