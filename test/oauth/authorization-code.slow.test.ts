import { afterAll, beforeAll, describe, it } from 'vitest';
import { race, rounds, runners } from './rounds.ts';
import { expectTokenError, openWorld, tokensOf, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

describe(`${runners} simultaneous uses of one code`, () => {
  it(`issue tokens once, and the others revoke them, ${rounds} times over`, {
    timeout: 900_000 + rounds * 4_000,
  }, async () => {
    for (let round = 0; round < rounds; round++) {
      const code = await world.newCode();
      const answers = await race(runners, () => world.redeem(code));
      const [winner, ...others] = answers.toSorted((one, two) => one.status - two.status);
      for (const other of others) expectTokenError(other, 400, 'invalid_grant');
      const { refresh_token } = tokensOf(winner as (typeof answers)[0]);
      expectTokenError(await world.refresh(refresh_token), 400, 'invalid_grant');
    }
  });
});
