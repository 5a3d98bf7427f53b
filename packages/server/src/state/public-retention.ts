/**
 * Retention of public-state versions. Versions over the limit are hidden immediately and deleted later by the sweep.
 *
 * @see docs/contract.md §5.4
 */
import { environments, type HistorySetting } from '@holdfast/contract';
import type { PublicStateKey } from '../storage/contract/public-states.ts';
import type { Store } from '../storage/store.ts';
import { passMilliseconds, retentionOf } from './retention.ts';

/** Returns the oldest readable version; 0 if all versions are kept. For a limited history it reads one list entry per kept version. */
export async function oldestKept(
  store: Pick<Store, 'findProject' | 'listPublicStateHistory'>,
  key: PublicStateKey,
  now: number,
): Promise<number> {
  const project = await store.findProject(key);
  if (project === undefined || project.publicStateHistory === null) return 0;
  const { versionsMax, keptAfter } = retentionOf(project.publicStateHistory, now);
  const listed = await store.listPublicStateHistory(key, { before: null, itemsMax: versionsMax + 1 });
  if (listed.kind === 'no_project') return 0;
  let replacedAt = Number.POSITIVE_INFINITY;
  let oldest = 0;
  for (const { version, writtenAt } of listed.items) {
    if (replacedAt <= keptAfter) break;
    oldest = version;
    replacedAt = writtenAt;
  }
  return oldest;
}

/**
 * Returns a sweep that deletes expired public-state versions, one slice per call. A call returns 0 when a pass has ended, and does nothing
 * until the next pass begins.
 */
export function createPublicHistorySweep(
  store: Pick<Store, 'listBoundedHistories' | 'dropPublicStateVersions'>,
): (now: number) => Promise<number> {
  let position: string | null = null;
  let due: { readonly key: PublicStateKey; readonly retention: HistorySetting }[] = [];
  let beginsAt = 0;
  return async (now) => {
    if (now < beginsAt) return 0;
    const next = due.at(-1);
    if (next !== undefined) {
      const dropped = await store.dropPublicStateVersions(next.key, retentionOf(next.retention, now));
      if (dropped === 0) due.pop();
      return 1;
    }
    const found = await store.listBoundedHistories(position);
    position = found.next;
    if (position === null) beginsAt = now + passMilliseconds;
    due = found.projects.flatMap(({ accountId, slug, retention }) =>
      environments.map((environment) => ({ key: { accountId, slug, environment }, retention })),
    );
    return position === null ? 0 : 1;
  };
}
