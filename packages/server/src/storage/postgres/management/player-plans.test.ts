/** How PostgreSQL finds players and the versions of their user states among many. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type KeyPosition, playerKeyKinds } from '../../contract/players.ts';
import { account, ensureProject, stateKey } from '../../store-suite/harness.ts';
import { createDatabase } from '../fixtures/databases.fixture.ts';
import { openPlans, type Plans } from '../fixtures/plans.fixture.ts';
import { openPostgresStore } from '../store.ts';

/** A twentieth of them has each of 20 first letters. */
const players = 40_000;
const versionsOfOne = 1_000;
const tables = [
  'identities',
  'player_words',
  'project_players',
  'end_users',
  'user_states',
  'user_state_versions',
  'users',
  'player_blocks',
];

let plans: Plans;
beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'));
  const whole = await openPostgresStore({ url });
  await ensureProject(whole, stateKey());
  await whole.createAccount(account('acc_2'));
  await whole.close();
  plans = await openPlans(url);
  const id = `'"' || chr(97 + n % 20) || md5(n::text) || '"'`;
  const key = (letter: string) => `convert_to('"' || chr(97 + ${letter} % 20) || md5(n::text) || '"', 'UTF8')`;
  const series = `generate_series(1, ${players}) AS n`;
  await plans.sql.unsafe(`
    INSERT INTO identities (account_id, subject, provider, end_user_id, email, name, id_key, email_key, name_key, created_at, last_signed_in_at)
    SELECT 'acc_1', ${id}, '"password"', ${id}, '"x"', '"x"', ${key('n')}, ${key('(n / 20)')}, ${key('(n / 400)')}, n, n FROM ${series}`);
  await plans.sql.unsafe(`
    INSERT INTO player_words (account_id, subject, provider, word)
    SELECT 'acc_1', ${id}, '"password"', ${key('(n + word)')} FROM ${series}, generate_series(1, 3) AS word`);
  await plans.sql.unsafe(`
    INSERT INTO project_players (account_id, slug, end_user_id, id_key) SELECT 'acc_1', 'p', ${id}, ${key('n')} FROM ${series}`);
  const project = `(SELECT project_id FROM projects WHERE account_id = 'acc_1')`;
  await plans.sql.unsafe(`
    INSERT INTO end_users (account_id, project_id, end_user_id, environments)
    SELECT 'acc_1', ${project}, ${id}, 4 FROM ${series}`);
  await plans.sql.unsafe(`
    INSERT INTO user_states (account_id, project_id, environment, end_user_id, record_id, created_micros, created_at, updated_at, version,
      state_bytes, grown_bytes, state, history_version)
    SELECT 'acc_1', ${project}, 2, ${id}, md5(n::text)::uuid, n, n, n, ${versionsOfOne + 1}, 2, 2, '{}', ${versionsOfOne + 1} FROM ${series}`);
  await plans.sql.unsafe(`
    INSERT INTO user_state_versions (account_id, project_id, record_id, version, created_micros, environment, form, checksum, written_at,
      replaced_at, state_bytes, state)
    SELECT 'acc_1', ${project}, md5(n::text)::uuid, version, n, 2, CASE WHEN version % 32 = 0 THEN 0 ELSE 1 END, -1549353149, version,
      9000000000000, 2, CASE WHEN version % 32 = 0 THEN '{}' ELSE '' END
    FROM generate_series(1, 20) AS n, generate_series(1, ${versionsOfOne}) AS version`);
  await plans.sql`ANALYZE`;
});
afterAll(() => plans.close());

const place = { accountId: 'acc_1', slug: 'p' };
const itemsMax = 50;
const search = (prefix: string, after: KeyPosition | null = null, isInProject = false) =>
  plans.store.listPlayers(place, { prefix, kinds: playerKeyKinds, isInProject, after, itemsMax }, 1);

test.each(['', 'c', 'c9', 'c9f'].flatMap((prefix) => [[prefix, false] as const, [prefix, true] as const]))(
  'a page of players that start with "%s" is read along the indexes, in the project: %s',
  async (prefix, isInProject) => {
    const looked = await plans.lookedAt(await plans.sentBy(() => search(prefix, null, isInProject)), tables);
    expect(looked.length).toBeGreaterThanOrEqual(playerKeyKinds.length);
    // A page of each kind of key and one more row, and the records of those on the page.
    for (const rows of looked) expect(rows).toBeLessThan(4 * itemsMax);
  },
);

test('a page deep in the list costs the same', async () => {
  const key = Buffer.from('"cf');
  const position = { key, kind: 'id', tie: ['"cf"', '"password"'] } as const;
  const looked = await plans.lookedAt(await plans.sentBy(() => search('c', position)), tables);
  for (const rows of looked) expect(rows).toBeLessThan(4 * itemsMax);
});

const userState = async () => {
  const [{ id = '' } = {}] = await plans.sql`SELECT end_user_id AS id FROM user_states WHERE created_micros = 7`;
  return { ...place, environment: 'production', playerId: String(JSON.parse(id)) } as const;
};
const retention = { versionsMax: 1_000, keptAfter: 0 };

test.each([null, 500])(
  'a history page of a user state before %s reads no versions of other user states',
  async (before) => {
    const key = await userState();
    const sent = await plans.sentBy(async () => {
      const outcome = await plans.store.listUserStateHistory(key, { before, itemsMax, retention });
      expect(outcome).toMatchObject({ kind: 'history', hasMore: true });
    });
    const looked = await plans.lookedAt(sent, tables);
    expect(looked.length).toBeGreaterThan(0);
    for (const rows of looked) expect(rows).toBeLessThan(versionsOfOne + itemsMax);
  },
);

test('a version of a user state is read with only the rows that lead to it', async () => {
  const key = await userState();
  const sent = await plans.sentBy(async () => {
    expect(await plans.store.readUserStateVersion(key, 480, retention)).toMatchObject({ kind: 'present' });
  });
  const looked = await plans.lookedAt(sent, tables);
  expect(looked.length).toBeGreaterThan(0);
  for (const rows of looked) expect(rows).toBeLessThan(100);
});
