/** What `holdfast doctor` finds. */

export interface Finding {
  /** An error stops the service from working, now or later. A warning may do harm. A note is for information. */
  readonly level: 'error' | 'warning' | 'note';
  readonly area: 'configuration' | 'machine' | 'data_folder' | 'service' | 'database';
  readonly finding: string;
  /** What to do about it. */
  readonly advice: string;
}

/** Returns a function that makes findings of one area. */
export const findingOf =
  (area: Finding['area']) =>
  (level: Finding['level'], finding: string, advice: string): Finding => ({ level, area, finding, advice });
