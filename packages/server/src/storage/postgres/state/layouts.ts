/**
 * The two layouts of a database, by which states are written. On one machine, one statement does all of a write. On several, a hot statement
 * must be a single task of one of them, which it would not be if it added rows beside other changes: more statements of the same
 * transaction do that.
 */
import type { Expectation } from '../../contract/public-states.ts';
import type { NewUserState, UserStateKey } from '../../contract/user-states.ts';
import { valuesOf } from '../connection/parameters.ts';
import type { Query, Row } from '../connection/query.ts';
import { addWritten } from './public/distributed-writes.ts';
import type { PublicStateWrite, PublicStateWritten } from './public/public-state-outcomes.ts';
import { headWrites, type PublicStateStatements, wholeWrites } from './public/public-state-statements.ts';
import { addReplaced, type Creation, createInSteps, hasSeveralSteps, type Replaced } from './user/distributed-writes.ts';
import { creations } from './user/user-state-creation.ts';
import { type ReplacementStatements, replacements } from './user/user-state-replacement.ts';
import type { GuardedConditions, PathConditions } from './write-paths.ts';

export interface Layout {
  readonly publicConditions: PathConditions;
  readonly publicStatements: PublicStateStatements;
  /** Adds the rows of a write of public state that its statement has not added. Undefined if it adds all. */
  addWritten(
    query: Query,
    write: PublicStateWrite,
    written: Extract<PublicStateWritten, { kind: 'written' }>,
  ): Promise<void> | undefined;
  userConditions(expected: Expectation, next: NewUserState): GuardedConditions;
  readonly replacements: ReplacementStatements;
  /** Adds the rows of a replacement that its statement has not added. Undefined if it adds all. */
  addReplaced(query: Query, key: UserStateKey, next: NewUserState, write: Replaced): Promise<void> | undefined;
  /** Tries to create a record. The row says whether it was, and if not, why. */
  create(query: Query, key: UserStateKey, next: NewUserState, creation: Creation): Promise<Row | undefined>;
}

const userConditions: GuardedConditions = { canJoin: false, canBeCollected: false, isSplit: false };

/** One machine, or copies of it. */
export const wholeLayout: Layout = {
  publicConditions: { canJoin: true, canBeCollected: true, isSplit: false },
  publicStatements: wholeWrites,
  addWritten: () => undefined,
  userConditions: () => userConditions,
  replacements: replacements.whole,
  addReplaced: () => undefined,
  async create(query, _key, { repeat }, { named }) {
    const statement = creations[repeat === undefined ? 'plain' : 'once'];
    const [row] = await query(statement.text, valuesOf(statement, named));
    return row;
  },
};

const splitConditions: GuardedConditions = { ...userConditions, isSplit: true };

/** The rows of accounts are on several machines. */
export const distributedLayout: Layout = {
  publicConditions: splitConditions,
  publicStatements: headWrites,
  addWritten,
  userConditions: (expected, next) => (hasSeveralSteps(expected, next) ? splitConditions : userConditions),
  replacements: replacements.head,
  addReplaced,
  create: createInSteps,
};
