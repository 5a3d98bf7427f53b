// breaks: evaluation-knows-no-checks
import type { check } from '../validation/check.ts';

export type Check = typeof check;
