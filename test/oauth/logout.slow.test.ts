import { afterAll, beforeAll, describe, it } from 'vitest';
import { raceLogouts, rounds } from './rounds.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

describe('logout', () => {
  it(
    `racing refreshes leaves no working token, ${rounds} times over`,
    {
      timeout: 180_000 + rounds * 2_000,
    },
    () => raceLogouts(world, rounds),
  );
});
