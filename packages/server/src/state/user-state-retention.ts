/**
 * A project's retention of user-state versions: a sign-in setting, cached until it may have changed.
 *
 * @see docs/contract.md §6.4
 */

import { type HistorySetting, userStateHistoryDefault } from '@holdfast/contract';
import { type Awaitable, mapAwaitable } from '../common/async/awaitable.ts';
import { projectName } from '../storage/caches/record-names.ts';
import { AccessCache } from '../storage/caches/scoped-cache.ts';
import type { ProjectKey } from '../storage/contract/projects.ts';
import { parseSettings } from '../storage/contract/sign-in-settings.ts';
import type { VersionRetention } from '../storage/contract/user-states.ts';
import type { Store } from '../storage/store.ts';
import { passMilliseconds, retentionOf } from './retention.ts';

/** Room for 20,000 projects, at about 600 bytes each. */
const bytesMax = 20_000 * 600;

export interface UserStateRetentions {
  /** The user-state versions that a project currently keeps. Synchronous if its setting is cached. */
  of(key: ProjectKey): Awaitable<VersionRetention>;
}

/** `now` returns milliseconds since the epoch. */
export function createUserStateRetentions(
  store: Pick<Store, 'onAccessChange' | 'readPlayerAuth'>,
  now: () => number,
): UserStateRetentions {
  const known = new AccessCache<HistorySetting>(store, { bytesMax, scopeOf: (name) => name.split('/') });
  const find = async (key: ProjectKey) => {
    const text = await store.readPlayerAuth(key);
    return text === undefined ? undefined : parseSettings(text).userStateHistory;
  };
  return {
    of(key) {
      const name = projectName(key);
      const setting = known.get(name) ?? known.fill(name, () => find(key));
      return mapAwaitable(setting, (found = userStateHistoryDefault) => retentionOf(found, now()));
    },
  };
}

/** User states whose versions are deleted in one transaction. */
const userStatesAtOnce = 10;

/**
 * Returns a sweep that deletes expired user-state versions, one slice per call. A call returns 0 when a pass has ended, and does nothing
 * until the next pass begins.
 */
export function createUserStateSweep(
  store: Pick<Store, 'listKeptUserStates' | 'dropUserStateVersions'>,
  retentions: UserStateRetentions,
): (now: number) => Promise<number> {
  let position: string | null = null;
  let beginsAt = 0;
  return async (now) => {
    if (now < beginsAt) return 0;
    const { userStates, next } = await store.listKeptUserStates(position);
    position = next;
    if (next === null) beginsAt = now + passMilliseconds;
    const due = [];
    for (const userState of userStates) {
      const retention = userState.key === undefined ? null : await retentions.of(userState.key);
      const isDue =
        retention === null ||
        userState.oldestVersion < userState.currentVersion - retention.versionsMax ||
        userState.oldestReplacedAt <= retention.keptAfter;
      if (isDue) due.push({ userState, retention });
    }
    for (let from = 0; from < due.length; from += userStatesAtOnce) {
      await store.dropUserStateVersions(due.slice(from, from + userStatesAtOnce));
    }
    return userStates.length;
  };
}
