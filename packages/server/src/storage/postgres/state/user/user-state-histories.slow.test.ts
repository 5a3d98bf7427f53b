/** What nodes of a previous release leave behind in user state histories. */
import { expect, test } from 'vitest';
import {
  deleteUserState,
  listedOf,
  nthState,
  textsOf,
  writeUpTo,
} from '../../../store-suite/state/user-state-histories.fixture.ts';
import { withHistories } from './user-state-histories.fixture.ts';

const at = withHistories();

test('versions missing after writes of a previous release are no fault', async () => {
  await writeUpTo(at.store, 35);
  await at.sql`UPDATE user_states SET version = 38, updated_at = 9, state = ${nthState(77)}`;
  await at.sql`UPDATE environments SET user_version_ceiling = 100`;
  await writeUpTo(at.store, 40);
  const left = Array.from({ length: 32 }, (_, n) => nthState(n + 1));
  expect(await textsOf(at.store, 40)).toEqual([...left, ...Array(5).fill(null), nthState(77), nthState(39), nthState(40)]);
  expect(await listedOf(at.store)).toEqual([40, 39, 38, ...Array.from({ length: 32 }, (_, n) => 32 - n)]);
  expect(await at.faults()).toEqual([]);
});

test('deletions of a previous release leave their versions to the sweep, and nobody finds them', async () => {
  await writeUpTo(at.store, 5);
  const [{ state_bytes: bytes } = {}] = await at.sql`DELETE FROM user_states RETURNING state_bytes`;
  await at.sql`DELETE FROM end_users`;
  await at.sql`UPDATE user_usage SET end_users = end_users - 1, bytes = bytes - ${bytes}`;
  await writeUpTo(at.store, 7);
  expect(await listedOf(at.store)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  expect((await at.sql`SELECT 1 FROM user_state_versions`).length).toBe(4 + 6);
  const { userStates } = await at.store.listKeptUserStates(null);
  const gone = userStates.filter((each) => each.key === undefined);
  expect(gone).toHaveLength(1);
  expect(await at.store.dropUserStateVersions(gone.map((each) => ({ userState: each, retention: null })))).toBe(4);
  expect(await at.faults()).toEqual([]);
  await deleteUserState(at.store);
  expect((await at.sql`SELECT 1 FROM user_state_versions`).length).toBe(0);
  expect(await at.faults()).toEqual([]);
});
