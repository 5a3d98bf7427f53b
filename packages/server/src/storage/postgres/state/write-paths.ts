/**
 * Decides how a write of state is carried out: on one of five paths, by what it contains and by the layout of the database (`layouts.ts`).
 * `public/public-state-writes.ts` takes the path for public state, `user/user-states.ts` for user state.
 *
 * - `joint`: public state, unless the client may repeat the write. One statement writes all environments of the account that are written in
 *   the same turn of the event loop: `public/joint-public-writes.ts`. A write that is alone in its turn, or that the statement skips, takes
 *   another path.
 * - `collected`: public state with subscribed webhooks. One statement writes it if, for each webhook, a waiting change takes it in:
 *   `public/single-public-write.ts`, `public/collected-changes.ts`. Otherwise it takes the path `records`.
 * - `statement`: a write with nothing to store beside it. One statement: `public/single-public-write.ts`, `user/user-state-creation.ts`,
 *   `user/user-state-replacement.ts`.
 * - `steps`: the same if the database is distributed. A transaction of several statements: `public/distributed-writes.ts`,
 *   `user/distributed-writes.ts`. Such a database has neither `joint` nor `collected`.
 * - `records`: a write with an audit record, new events for webhooks, or the application of a proposal. A transaction locks the account,
 *   writes the state as above and stores the rest: `sql/audit/audit.ts`, `sql/webhooks/webhook-queue.ts`,
 *   `sql/proposals/proposal-applications.ts`.
 *
 * Near a limit of the account, its writes run one at a time, all in transactions that lock it: `guarded-writes.ts`.
 */
import type { NewPublicState } from '../../contract/public-states.ts';

/** Paths on which a write is guarded by the account's limits alone. */
export type GuardedPath = 'statement' | 'steps' | 'records';

export type WritePath = GuardedPath | 'joint' | 'collected';

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
