/** A session that ends on one node ends on the others within a second. @see docs/contract.md §7.8 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { openWorld, type TokenSet, tokensOf, type World } from '../oauth/world.ts';
import { call } from '../support/client.ts';
import { readEvents } from '../support/events.ts';
import { openPlace, type Place } from '../support/place.ts';
import { startServer, type TestServer } from '../support/server.ts';

let place: Place;
let world: World;
let other: TestServer;
beforeAll(async () => {
  place = await openPlace();
  const port = String(await freePort());
  const settings = { SVC_PORT: port, SVC_BASE_URL: `http://127.0.0.1:${port}`, SVC_REFRESH_REPLAY_GRACE_SECONDS: '0' };
  world = await openWorld({ place, settings });
  other = await startServer({ place, settings: { ...settings, SVC_PORT: String(await freePort()) } });
});
afterAll(async () => {
  await other.stop();
  await world.stop();
  await place.remove();
});

const bearer = ({ access_token }: TokenSet) => ({ Authorization: `Bearer ${access_token}` });

test.each([
  ['logout', (tokens: TokenSet) => world.logOut(tokens.refresh_token)],
  [
    'a replay',
    async (tokens: TokenSet) => {
      tokensOf(await world.refresh(tokens.refresh_token));
      await world.refresh(tokens.refresh_token);
    },
  ],
])('%s', async (_name, end) => {
  const path = `${world.project.path}/user-state/production`;
  const read = async (tokens: TokenSet) => (await call(other.baseUrl, 'GET', path, { headers: bearer(tokens) })).status;
  const [tokens, others] = [await world.newTokens(), await world.newTokens()];
  const stream = await readEvents(other.baseUrl, `${path}/changes`, bearer(tokens));
  expect((await stream.next()).type).toBe('snapshot');
  expect([await read(tokens), await read(others)]).toEqual([204, 204]);
  await end(tokens);
  await expect.poll(() => read(tokens)).toBe(401);
  expect(await stream.next()).toMatchObject({ type: 'goodbye', data: { reason: 'revoked' } });
  stream.close();
  expect(await read(others)).toBe(204);
});
