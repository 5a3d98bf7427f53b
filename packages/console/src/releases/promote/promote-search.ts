/** The address of a promotion. */
import type { Environment } from '@holdfast/contract';

/** The source and the target of a promotion: the source is the current version, an earlier one, or the result of a proposal. */
export interface PromoteSearch {
  readonly from?: Environment;
  readonly to?: Environment;
  readonly version?: number;
  readonly proposal?: string;
}
