import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fewRounds, raceLogouts } from './rounds.ts';
import { expectTokenError, openWorld, tokensOf, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

describe('logout', () => {
  it('ends the family, without any header', async () => {
    const { refresh_token } = await world.newTokens();
    const answer = await world.logOut(refresh_token);
    expect(answer.status).toBe(204);
    expectTokenError(await world.refresh(refresh_token), 400, 'invalid_grant');
    expect((await world.logOut(refresh_token)).status).toBe(204);
  });

  it('ends the family by an earlier token too', async () => {
    const first = await world.newTokens();
    const second = tokensOf(await world.refresh(first.refresh_token));
    await world.logOut(first.refresh_token);
    expectTokenError(await world.refresh(second.refresh_token), 400, 'invalid_grant');
  });

  it('ends no other sign-in of the same person', async () => {
    const [one, other] = [await world.newTokens(), await world.newTokens()];
    await world.logOut(one.refresh_token);
    tokensOf(await world.refresh(other.refresh_token));
  });

  it.each(['x', 'svcr_', `svcr_${'a'.repeat(22)}.${'b'.repeat(43)}`, '\u0000', '../..'])(
    'of an unknown token is 204: %j',
    async (token) => expect((await world.logOut(token)).status).toBe(204),
  );

  it.each([
    {},
    { refreshToken: '' },
    { refreshToken: null },
    { refreshToken: 7 },
    { refresh_token: 'x' },
    [],
    'null',
    '"x"',
  ])('without refreshToken is 400: %j', async (body) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await world.server.call('POST', '/v1/auth/logout', { headers, body });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: 'validation_error' });
  });

  it(`racing refreshes leaves no working token, ${fewRounds} times over`, () => raceLogouts(world, fewRounds));
});
