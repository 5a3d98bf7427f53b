/** Which earlier versions a setting keeps, for both kinds of state. */
import type { HistorySetting } from '@holdfast/contract';
import { dayMilliseconds } from '../common/time/durations.ts';
import type { VersionRetention } from '../storage/contract/public-states.ts';

/** The interval between two passes of a sweep over all projects. */
export const passMilliseconds = dayMilliseconds / 4;

/** Returns the versions that a setting keeps at time `now`. */
export function retentionOf({ versions, days }: HistorySetting, now: number): VersionRetention {
  return { versionsMax: days === 0 ? 0 : versions, keptAfter: now - days * dayMilliseconds };
}
