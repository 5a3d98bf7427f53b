/** The programs in docs/feature-flags.md for browsers and the TypeScript client run unchanged. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FlagsWorld, openFlagsWorld } from './programs.fixture.ts';

let world: FlagsWorld;
beforeAll(async () => {
  world = await openFlagsWorld();
});
afterAll(() => world.stop());

test.each(['With the TypeScript client', 'In a browser or a game'])(
  '%s: the program prints the values of the flags',
  async (heading) => {
    expect(await world.run(heading)).toBe('new shop: true\ngold: 10\n');
  },
);
