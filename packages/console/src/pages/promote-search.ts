/** The address of a promotion. */
import type { Environment } from '@holdfast/contract';

/** What is promoted, and where to: what is there now, an earlier version, or what a proposal makes. */
export interface PromoteSearch {
  readonly from?: Environment;
  readonly to?: Environment;
  readonly version?: number;
  readonly proposal?: string;
}
