/** Erasing a player into whom thousands of guests were merged, with data as earlier releases stored it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';
import { bearer, guestSteps } from './guest-steps.ts';
import { openWorld, type SignInProject, type World } from './world.ts';

let place: Place;
let world: World;
let project: SignInProject;

const stored = (text: string) => `'${JSON.stringify(text)}'`;
const guestId = (n: number) => `guest_${String(n).padStart(16, '0')}000000`;

async function link(accountId: string, subject: string, playerId: string): Promise<void> {
  await place.runSql(
    `INSERT INTO player_links (account_id, subject, player_id, linked_at) VALUES ('${accountId}', ${stored(subject)}, ${stored(playerId)}, 1)`,
  );
}

/** Declares the test for a player with `merged` former guests. */
export function erasedLinksSuite(merged: number): void {
  beforeAll(async () => {
    place = await openPlace();
    // A statement for each link would take longer on PostgreSQL.
    world = await openWorld({ place, settings: { SVC_DATABASE_ANSWER_MILLISECONDS: '8000' } });
    project = await world.newSignInProject({ allowedIdps: ['password', 'anonymous'] });
  });
  afterAll(async () => {
    await world.stop();
    await place.remove();
  });

  it('all links are erased in few statements, and none names the player afterwards', async () => {
    const { accountId, bearer: developer } = project.developer;
    const steps = guestSteps(world, project);
    const player = await steps.signIn('ada');
    await steps.write(player, 1);
    await place.runSql(
      `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${merged - 1})
       INSERT INTO player_links (account_id, subject, player_id, linked_at)
       SELECT '${accountId}', '"guest_' || substr(CAST(10000000000000000 + n AS text), 2) || '000000"', ${stored('ada')}, 1 FROM numbers`,
    );
    await link(accountId, 'another identity of ada', 'ada');
    await link(accountId, guestId(merged), 'bob');
    await link(accountId, 'an identity of bob', guestId(merged + 1));

    const answer = await world.server.call('DELETE', `${project.path}/players/ada`, { headers: developer });
    expect([answer.status, answer.text]).toEqual([204, '']);

    const left = await place.runSql(
      `SELECT subject, player_id FROM player_links WHERE account_id = '${accountId}' AND player_id <> subject ORDER BY subject`,
    );
    expect(left.map((row) => [row.subject, row.player_id])).toEqual([
      [JSON.stringify('an identity of bob'), JSON.stringify(guestId(merged + 1))],
      [JSON.stringify(guestId(merged)), JSON.stringify('bob')],
    ]);
    const retired = await place.runSql(
      `SELECT count(*) AS count FROM player_links WHERE account_id = '${accountId}' AND player_id = subject`,
    );
    expect(Number(retired[0]?.count)).toBe(merged);
    expect((await world.server.call('GET', `${project.path}/me`, { headers: bearer(player) })).status).toBe(401);
  });
}
