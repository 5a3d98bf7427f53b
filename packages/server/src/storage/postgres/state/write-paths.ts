/** Decides how a write of state is carried out. */
import type { NewPublicState } from '../../contract/public-states.ts';

/** Paths on which a write is guarded by the account's limits alone. */
export type GuardedPath =
  /** One statement. */
  | 'statement'
  /** A transaction of several statements. */
  | 'steps'
  /** A transaction with the records that belong to it: its audit record, events of webhooks, the application of a proposal. */
  | 'records';

export type WritePath =
  | GuardedPath
  /** One statement with writes to other environments of the account in the same turn of the event loop. If there are none, its path is chosen again. */
  | 'joint'
  /** One statement if, for each webhook that hears of it, a waiting change takes it in; `records` if not. */
  | 'collected';

/** What can be done with a write, apart from what it contains. */
export interface PathConditions {
  /** Whether it can share a statement with other writes. */
  readonly canJoin: boolean;
  /** Whether waiting changes can take it in. */
  readonly canBeCollected: boolean;
  /** Whether it takes several statements. */
  readonly isSplit: boolean;
}

/** Those of a write that is always carried out alone. */
export interface GuardedConditions extends PathConditions {
  readonly canJoin: false;
  readonly canBeCollected: false;
}

type Conditional = Pick<NewPublicState, 'by' | 'application' | 'subscribers' | 'repeat'>;

/** Returns the path of a write. */
export function writePathOf(write: Conditional, conditions: GuardedConditions): GuardedPath;
export function writePathOf(write: Conditional, conditions: PathConditions): WritePath;
export function writePathOf(
  { by, application, subscribers, repeat }: Conditional,
  { canJoin, canBeCollected, isSplit }: PathConditions,
): WritePath {
  if (by !== undefined || application !== undefined) return 'records';
  if (canJoin && repeat === undefined) return 'joint';
  if (subscribers !== undefined) return canBeCollected ? 'collected' : 'records';
  return isSplit ? 'steps' : 'statement';
}
