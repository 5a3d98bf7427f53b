/**
 * User state: one document for each end user in each environment, written by the end user alone; and the developer's view
 * of it.
 *
 * @see docs/contract.md §6.2 and §6.3
 */
import { environments } from '@holdfast/contract';
import { whenHere } from '../storage/awaitable.ts';
import { userScope } from '../storage/repeat-scopes.ts';
import type { Repeat } from '../storage/repeat-store.ts';
import type { Awaitable, ProjectKey, Store } from '../storage/store.ts';
import type { UserState, UserStateKey } from '../storage/user-state-store.ts';
import { type Announcements, nobodyWatches } from './changes/announcements.ts';
import type { SentRepeat } from './idempotency.ts';
import type { Precondition } from './precondition.ts';
import type { Evaluator } from './state-write.ts';
import { inScope, patchState, projectGone, recordOf, type StateSlot, type WrittenState } from './state-write.ts';

export interface UserStates {
  /** The state of an end user, or null while there is none. Refuses `not_found` when the project is gone. */
  read(key: UserStateKey): Awaitable<UserState | null>;
  /** Applies the `ops` of the body. Refuses what `patchState` refuses. `repeat` is given when the write may be sent again. */
  patch(
    key: UserStateKey,
    precondition: Precondition,
    body: Uint8Array,
    repeat?: SentRepeat | undefined,
  ): Promise<WrittenState>;
  /** Deletes the state of an end user in every environment, if there is any. Refuses `not_found` when the project is gone. */
  remove(key: ProjectKey, endUserId: string): Promise<void>;
}

/** `now` gives milliseconds since the epoch; `changes` receives every write and deletion. */
export function createUserStates(
  store: Store,
  evaluator: Evaluator,
  now: () => number,
  changes: Announcements<UserStateKey> = nobodyWatches,
): UserStates {
  const slot = (key: UserStateKey, repeat?: Repeat): StateSlot => ({
    owner: { account: key.accountId, subject: `${key.slug}/${key.environment}/${key.endUserId}` },
    read: () => store.readUserState(key),
    write: (expected, { stateText, stateBytes, stateUtf8 }) =>
      store.writeUserState(key, expected, { stateText, stateBytes, stateUtf8, writtenAt: now(), repeat }),
    findRepeat: repeat && (() => store.findRepeat(key.accountId, repeat)),
    announce: (written) => {
      if (changes.watched.size > 0) changes.announce(key, written);
    },
  });

  return {
    read: (key) => whenHere(store.readUserState(key), recordOf<UserState>),

    patch(key, precondition, body, sent) {
      if (sent === undefined) return patchState(evaluator, slot(key), precondition, body);
      return inScope(store, key, sent, userScope).then((repeat) =>
        patchState(evaluator, slot(key, repeat), precondition, body),
      );
    },

    async remove(key, endUserId) {
      try {
        if ((await store.deleteEndUser(key, endUserId)) === 'no_project') throw projectGone();
      } finally {
        for (const environment of environments) changes.announce({ ...key, environment, endUserId }, undefined);
      }
    },
  };
}
