/**
 * Which versions of saves a project keeps: a setting of its end-user config, remembered until that may have changed.
 *
 * @see docs/contract.md §6.4
 */
import { type HistorySetting, saveHistoryDefault } from '@holdfast/contract';
import { mapAwaitable } from '../common/awaitable.ts';
import { AccessCache } from '../storage/scoped-cache.ts';
import type { Awaitable, ProjectKey, Store } from '../storage/store.ts';
import type { SaveRetention } from '../storage/user-state-store.ts';

/** Room for 20,000 projects, at about 600 bytes each. */
const bytesMax = 20_000 * 600;
const dayMilliseconds = 24 * 60 * 60 * 1000;

export interface SaveRetentions {
  /** Which versions of the saves of a project are kept now. At once when its setting is remembered. */
  of(key: ProjectKey): Awaitable<SaveRetention>;
}

/** `now` gives milliseconds since the epoch. */
export function createSaveRetentions(
  store: Pick<Store, 'onAccessChange' | 'readEndUserAuth'>,
  now: () => number,
): SaveRetentions {
  const known = new AccessCache<HistorySetting>(store, { bytesMax, scopeOf: (name) => name.split('/') });
  const find = async (key: ProjectKey) => {
    const text = await store.readEndUserAuth(key);
    return text === undefined ? undefined : saveHistoryOf(text);
  };
  return {
    of(key) {
      const name = `${key.accountId}/${key.slug}`;
      const setting = known.get(name) ?? known.fill(name, () => find(key));
      return mapAwaitable(setting, (found = saveHistoryDefault) => retentionOf(found, now()));
    },
  };
}

/** The setting in stored settings; what was stored before there was one has the default. */
export function saveHistoryOf(settingsText: string | null): HistorySetting {
  const settings: { readonly userStateHistory?: HistorySetting } = JSON.parse(settingsText ?? '{}');
  return settings.userStateHistory ?? saveHistoryDefault;
}

/** Returns which versions a setting keeps at a time. */
export function retentionOf({ versions, days }: HistorySetting, now: number): SaveRetention {
  return { versionsMax: days === 0 ? 0 : versions, keptAfter: now - days * dayMilliseconds };
}

/** Saves whose versions are dropped in one transaction. */
const savesAtOnce = 10;
/** Between two passes of the sweep over all saves of which versions are kept. */
const passMilliseconds = 6 * 60 * 60 * 1000;

/**
 * Returns a sweep that drops the versions of saves that are not kept any more, a slice with each call. A call returns 0 when a pass has
 * ended, and does nothing until the next one begins.
 */
export function createSaveSweep(
  store: Pick<Store, 'listKeptSaves' | 'dropUserStateVersions'>,
  retentions: SaveRetentions,
): (now: number) => Promise<number> {
  let position: string | null = null;
  let beginsAt = 0;
  return async (now) => {
    if (now < beginsAt) return 0;
    const { saves, next } = await store.listKeptSaves(position);
    position = next;
    if (next === null) beginsAt = now + passMilliseconds;
    const due = [];
    for (const save of saves) {
      const keeps = save.key === undefined ? null : await retentions.of(save.key);
      const isDue =
        keeps === null ||
        save.oldestVersion < save.currentVersion - keeps.versionsMax ||
        save.oldestReplacedAt <= keeps.keptAfter;
      if (isDue) due.push({ save, keeps });
    }
    for (let from = 0; from < due.length; from += savesAtOnce) {
      await store.dropUserStateVersions(due.slice(from, from + savesAtOnce));
    }
    return saves.length;
  };
}
