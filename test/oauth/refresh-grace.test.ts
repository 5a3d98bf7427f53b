import { afterAll, beforeAll, describe, it } from 'vitest';
import { fewRounds, fewRunners, raceRefreshesInGrace } from './rounds.ts';
import { expectTokenError, openWorld, tokensOf, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

describe('with the default grace of 10 s, a repeated refresh token', () => {
  it('is refused within the grace, and its family stays', async () => {
    const first = await world.newTokens();
    const second = tokensOf(await world.refresh(first.refresh_token));
    world.pass(9_000);
    expectTokenError(await world.refresh(first.refresh_token), 400, 'invalid_grant');
    tokensOf(await world.refresh(second.refresh_token));
  });

  it('ends its family after the grace', async () => {
    const first = await world.newTokens();
    const second = tokensOf(await world.refresh(first.refresh_token));
    world.pass(11_000);
    expectTokenError(await world.refresh(first.refresh_token), 400, 'invalid_grant');
    expectTokenError(await world.refresh(second.refresh_token), 400, 'invalid_grant');
  });

  it('ends its family if it is older than the previous token', async () => {
    const first = await world.newTokens();
    const second = tokensOf(await world.refresh(first.refresh_token));
    const third = tokensOf(await world.refresh(second.refresh_token));
    expectTokenError(await world.refresh(first.refresh_token), 400, 'invalid_grant');
    expectTokenError(await world.refresh(third.refresh_token), 400, 'invalid_grant');
  });

  it(`issues tokens once when used ${fewRunners} times simultaneously, and they work, ${fewRounds} times over`, () =>
    raceRefreshesInGrace(world, fewRounds, fewRunners));
});
