/** What `holdfast doctor` finds. */

export interface Finding {
  /** An error keeps the service from doing its work or will; a warning may harm; a note only wants to be known. */
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
