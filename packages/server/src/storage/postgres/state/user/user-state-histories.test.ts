import { expect, test } from 'vitest';
import { lockUserState, replaceUserState } from '../../../sql/states/user-state-rows.ts';
import {
  damaged,
  everything,
  key,
  nthState,
  textsOf,
  writeUpTo,
} from '../../../store-suite/state/user-state-histories.fixture.ts';
import { databaseAddress } from '../../connection/address.ts';
import { withDatabase } from '../../connection/database.ts';
import { engineSql } from '../../engine-sql.ts';
import { takeSteps } from '../../steps.ts';
import { withHistories } from './user-state-histories.fixture.ts';

const at = withHistories();

test('damage is an error that names the version, and doctor finds it', async () => {
  await writeUpTo(at.store, 40);
  expect(await at.faults()).toEqual([]);
  await at.sql`UPDATE user_state_versions SET checksum = checksum + 1 WHERE version = 35`;
  await at.sql`DELETE FROM user_state_versions WHERE version = 20`;
  const texts = await textsOf(at.store, 40);
  expect([texts[33], texts[34], texts[35], texts[18]]).toEqual([nthState(34), damaged(35), nthState(36), damaged(19)]);
  expect(await at.faults()).toEqual([
    'history: versions 1 to 19, version 35 of the save of "ada" in acc_1/p/production cannot be read: what is stored is not what was written',
    'usage: acc_1/p counts the versions of 1 saves wrongly',
  ]);
});

test('a verb of several statements writes versions too', async () => {
  await writeUpTo(at.store, 3);
  const [{ project_id: projectId, bucket_secret: secret } = {}] =
    await at.sql`SELECT project_id, bucket_secret FROM projects, installation`;
  const setting = { engine: engineSql(secret) };
  const row = { ...key, projectId };
  function* twice() {
    const held = yield* lockUserState(setting, row);
    if (held === undefined) throw new Error('there is no user state');
    const next = { stateText: nthState(4), stateBytes: nthState(4).length, writtenAt: 4_000, retention: everything };
    const fourth = yield* replaceUserState(setting, row, held, next);
    return yield* replaceUserState(setting, row, fourth, { ...next, stateText: '{"a":1}', stateBytes: 7 });
  }
  await withDatabase(databaseAddress(at.url, 1), (database) =>
    database.transaction('read committed', (query) => takeSteps(query, twice())),
  );
  expect(await textsOf(at.store, 5)).toEqual([nthState(1), nthState(2), nthState(3), nthState(4), '{"a":1}']);
  expect(await at.faults()).toEqual([]);
});
