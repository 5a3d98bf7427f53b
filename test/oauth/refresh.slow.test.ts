import { afterAll, beforeAll, describe, it } from 'vitest';
import { raceRefreshes, rounds, runners } from './rounds.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({ settings: { SVC_REFRESH_REPLAY_GRACE_SECONDS: '0' } });
});
afterAll(() => world.stop());

describe(`${runners} simultaneous uses of one refresh token`, () => {
  it(
    `issue tokens once, and the others end the family, ${rounds} times over`,
    {
      timeout: 180_000 + rounds * 4_000,
    },
    () => raceRefreshes(world, rounds, runners),
  );
});
