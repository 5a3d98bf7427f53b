/** An account's storage and its limit, inside a verb that locks the account. */

import type { QuotaReached } from '../../contract/usage.ts';
import { integerAt, optionalIntegerAt } from '../../rows/columns.ts';
import { countedBesideStates } from '../../rows/usage-rows.ts';
import { all, first, type Steps } from '../steps.ts';
import type { Setting } from '../verb.ts';

interface Storage {
  readonly used: number;
  /** 0 is unlimited. */
  readonly limit: number;
}

function* storageOf({ quotas, engine }: Setting, accountId: string): Steps<Storage | undefined> {
  // One row, unless the account was deleted.
  const row = yield* first(
    `SELECT ${engine.storageBytes} + ${countedBesideStates} AS used, storage_bytes_max FROM accounts WHERE account_id = $1`,
    [accountId],
  );
  if (row === undefined) return undefined;
  return { used: integerAt(row, 'used'), limit: optionalIntegerAt(row, 'storage_bytes_max') ?? quotas.storageBytes };
}

const reached = ({ limit, used }: Storage): QuotaReached => ({ kind: 'quota', quota: 'storageBytes', limit, used });

/** Returns the quota that prevents storing this many more bytes; undefined if they fit. */
export function* storageQuota(setting: Setting, accountId: string, bytes: number): Steps<QuotaReached | undefined> {
  const storage = yield* storageOf(setting, accountId);
  return storage !== undefined && storage.limit > 0 && storage.used + bytes > storage.limit ? reached(storage) : undefined;
}

/** Runs steps that count what they store. If they exceed the account's storage, undoes them and returns the quota. */
export function* withinQuota<Result>(
  setting: Setting,
  accountId: string,
  steps: Steps<Result>,
): Steps<Result | QuotaReached> {
  const before = yield* storageOf(setting, accountId);
  if (before === undefined || before.limit === 0) return yield* steps;
  yield* all('SAVEPOINT within_quota');
  const result = yield* steps;
  const after = yield* storageOf(setting, accountId);
  const isOver = after !== undefined && after.used > after.limit && after.used > before.used;
  yield* all(isOver ? 'ROLLBACK TO SAVEPOINT within_quota' : 'RELEASE SAVEPOINT within_quota');
  return isOver ? reached(before) : result;
}
