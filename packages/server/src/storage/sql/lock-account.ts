import type { Row } from '../rows/rows.ts';
import { first, type Steps } from './steps.ts';

/** Locks an account until the end of the transaction. Returns its row; undefined if there is no such account. */
export function* lockAccount(accountId: string): Steps<Row | undefined> {
  return yield* first('SELECT projects, projects_max FROM accounts WHERE account_id = $1 FOR UPDATE', [accountId]);
}
