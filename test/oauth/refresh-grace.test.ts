import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { race, rounds, runners } from './rounds.ts';
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

  it(`issues tokens once when used ${runners} times simultaneously, and they work, ${rounds} times over`, {
    timeout: 20_000 + rounds * 4_000,
  }, async () => {
    let { refresh_token } = await world.newTokens();
    for (let round = 0; round < rounds; round++) {
      const answers = await race(runners, () => world.refresh(refresh_token));
      const winners = answers.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      for (const other of answers) if (other.status !== 200) expectTokenError(other, 400, 'invalid_grant');
      ({ refresh_token } = tokensOf(winners[0] as (typeof answers)[0]));
    }
  });
});
