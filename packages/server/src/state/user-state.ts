/**
 * User state: one document for each end user in each environment, written by the end user alone; and the developer's view
 * of it.
 *
 * @see interface 3.2, 4.4 and 4.5
 */
import type { Awaitable, ProjectKey } from '../storage/store.ts';
import type { UserState, UserStateKey, UserStateStore } from '../storage/user-state-store.ts';
import type { Precondition } from './precondition.ts';
import { patchState, projectGone, recordOf, type StateSlot, type WrittenState } from './state-write.ts';
import { readPatch } from './write-body.ts';

export interface UserStates {
  /** The state of an end user, or null while there is none. Refuses `not_found` when the project is gone. */
  read(key: UserStateKey): Awaitable<UserState | null>;
  /** Applies `body.ops`. Refuses `validation_error`, `version_conflict`, `not_found` and the codes of JSON Patch. */
  patch(key: UserStateKey, precondition: Precondition, body: unknown): Promise<WrittenState>;
  /** Deletes the state of an end user in every environment; one that has none is no fault. Refuses `not_found`. */
  remove(key: ProjectKey, endUserId: string): Promise<void>;
}

/** `now` gives milliseconds since the epoch. */
export function createUserStates(store: UserStateStore, now: () => number): UserStates {
  const slot = (key: UserStateKey): StateSlot => ({
    read: () => store.readUserState(key),
    write: (expected, next) => store.writeUserState(key, expected, { ...next, writtenAt: now() }),
  });

  return {
    read(key) {
      const outcome = store.readUserState(key);
      return outcome instanceof Promise ? outcome.then(recordOf) : recordOf(outcome);
    },

    async patch(key, precondition, body) {
      return patchState(slot(key), precondition, readPatch(body).operations);
    },

    async remove(key, endUserId) {
      if ((await store.deleteEndUser(key, endUserId)) === 'no_project') throw projectGone();
    },
  };
}
