import { runLater, type Steps } from '../sql/steps.ts';
import type { Query } from './connection/query.ts';

/** Runs steps in order, in the caller's transaction if it has one. */
export const takeSteps = <Result>(query: Query, steps: Steps<Result>): Promise<Result> =>
  runLater(steps, ({ sql, values }) => query(sql, values));
