/** Writes that others overtake repeatedly: each gives up after a bounded number of looks. */

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { unmarked } from '../../contract/installation.ts';
import { unobserved } from '../../contract/store-observer.ts';
import { unlimited } from '../../contract/usage.ts';
import { StoreUnavailable } from '../../store.ts';
import { absent, account, newState, stateKey, version } from '../../store-suite/harness.ts';
import { newUserState, userKey } from '../../store-suite/sign-in/sign-in-records.ts';
import type { Dependencies } from '../dependencies.ts';
import { createSharedVerbs } from '../shared-verbs.ts';
import { RevokedTokenFeed } from '../sign-in/revoked-tokens.ts';
import { createGuardedWrites } from '../state/guarded-writes.ts';
import { wholeLayout } from '../state/layouts.ts';
import { createPublicStateWrites } from '../state/public/public-state-writes.ts';
import { createRecordQueues } from '../state/record-queues.ts';
import { createUserStates } from '../state/user/user-states.ts';
import type { Database } from './database.ts';
import type { Query, Row } from './query.ts';

/** Far above the bound, so that an unbounded write fails instead of hanging. */
const looksMax = 5_000;

/** An engine on a database that answers every statement with `rows`, as if another write had just come first. */
function overtaken(rowsOf: (statement: string) => readonly Row[]): Dependencies {
  let looks = 0;
  const query: Query = async (statement) => {
    looks += 1;
    if (looks > looksMax) throw new Error(`there is no bound: ${looks} statements`);
    return rowsOf(statement);
  };
  const database: Database = {
    query,
    transaction: (_isolation, work) => work(query),
    waiting: () => 0,
    requireSupported: () => undefined,
    close: async () => undefined,
  };
  return {
    database,
    ended: new RevokedTokenFeed(query),
    quotas: unlimited,
    queues: createRecordQueues(),
    background: unobserved,
    bucketSecret: randomBytes(32),
    marks: () => unmarked,
    layout: wholeLayout,
    writes: createGuardedWrites(database, unlimited),
    access: {
      onChange: () => undefined,
      change: () => Promise.reject(new Error('unexpected')),
      close: async () => undefined,
    },
  };
}

/** A row that says: the expectation holds, but nothing was written. `limit` is the account's, 0 for none. */
const undecided = (limit: number, of: Row = {}): Row => ({
  project_id: 'p',
  version: 1,
  is_present: true,
  written: null,
  is_written: false,
  is_new: true,
  bytes_max: limit,
  end_users_max: 0,
  storage_bytes_max: limit,
  end_users: 0,
  storage_bytes: 0,
  state_bytes: null,
  ...of,
});

test.each([0, 1_000_000])('an undecided public state write with a limit of %d bytes is unavailable', async (limit) => {
  const parts = overtaken(() => [undecided(limit)]);
  const write = createPublicStateWrites(parts);
  await expect(write(stateKey(), version(1), newState())).rejects.toBeInstanceOf(StoreUnavailable);
});

test.each([0, 1_000_000])('an undecided user state replacement with a limit of %d bytes is unavailable', async (limit) => {
  const { writeUserState } = createUserStates(overtaken(() => [undecided(limit, { state_bytes: 2 })]));
  await expect(writeUserState(userKey(), version(1), newUserState())).rejects.toBeInstanceOf(StoreUnavailable);
});

test.each([0, 1_000_000])('an undecided user state creation with a limit of %d bytes is unavailable', async (limit) => {
  const { writeUserState } = createUserStates(overtaken(() => [undecided(limit, { version: null })]));
  await expect(writeUserState(userKey(), absent, newUserState())).rejects.toBeInstanceOf(StoreUnavailable);
});

/** The remains of a deleted account. */
const orphan: Row = { account_id: 'acc_1', project_id: null, orphan_id: 'o' };

test('an undecided account creation is unavailable', async () => {
  const { createAccount } = createSharedVerbs(overtaken(() => [orphan]));
  await expect(createAccount(account())).rejects.toBeInstanceOf(StoreUnavailable);
});
