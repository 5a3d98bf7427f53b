import { afterAll, beforeAll, describe, it } from 'vitest';
import { raceRefreshesInGrace, rounds, runners } from './rounds.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

describe('with the default grace of 10 s, a repeated refresh token', () => {
  it(
    `issues tokens once when used ${runners} times simultaneously, and they work, ${rounds} times over`,
    {
      timeout: 180_000 + rounds * 4_000,
    },
    () => raceRefreshesInGrace(world, rounds, runners),
  );
});
