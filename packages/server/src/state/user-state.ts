/**
 * User state: one document for each end user in each environment, written by the end user, and by developers and their game servers.
 *
 * @see docs/contract.md §6.2 and §6.3
 */
import { environments } from '@holdfast/contract';
import { mapAwaitable } from '../common/awaitable.ts';
import type { ChangedBy } from '../storage/audit-store.ts';
import { userScope } from '../storage/repeat-scopes.ts';
import type { Awaitable, ProjectKey, Store } from '../storage/store.ts';
import type { UserState, UserStateKey } from '../storage/user-state-store.ts';
import { type Announcements, nobodyWatches } from './changes/events.ts';
import type { Evaluator } from './evaluator.ts';
import { type HeldShapes, noShapes } from './held-shapes.ts';
import { projectGone, recordOf, type StateKind, type StateWrite, StateWriter, type WrittenState } from './state-writer.ts';

export interface UserStates {
  /** The state of an end user, or null while there is none. Refuses `not_found` when the project is gone. */
  read(key: UserStateKey): Awaitable<UserState | null>;
  /** Applies the `ops` of the body. Refuses what {@link StateWriter.patch} refuses. */
  patch(key: UserStateKey, write: StateWrite): Promise<WrittenState>;
  /** Deletes the state of an end user in every environment, if there is any. Refuses `not_found` when the project is gone. */
  remove(by: ChangedBy, key: ProjectKey, endUserId: string): Promise<void>;
}

/** `now` gives milliseconds since the epoch; `watchers` receive every write and deletion. */
export function createUserStates(
  store: Store,
  evaluator: Evaluator,
  now: () => number,
  shapes: HeldShapes<UserStateKey> = noShapes,
  watchers: Announcements<UserStateKey> = nobodyWatches,
): UserStates {
  const { readUserState: read, writeUserState: write } = store;
  const kind: StateKind<UserStateKey> = { read, write, repeatScope: userScope, watchers };
  const writer = new StateWriter({ store, kind, evaluator, shapes, now });

  return {
    patch: writer.patch.bind(writer),
    read: (key) => mapAwaitable(read(key), recordOf<UserState>),

    async remove(by, key, endUserId) {
      try {
        if ((await store.deleteEndUser(by, key, endUserId)) === 'no_project') throw projectGone();
      } finally {
        for (const environment of environments) watchers.announce({ ...key, environment, endUserId }, undefined);
      }
    },
  };
}
