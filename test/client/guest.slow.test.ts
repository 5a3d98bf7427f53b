/** Number of a guest's token requests. */
import { memoryStorage } from '@holdfast/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counting, earn, type GuestWorld, openGuestWorld, play } from './guest.fixture.ts';

let world: GuestWorld;
beforeAll(async () => {
  world = await openGuestWorld();
});
afterAll(() => world.server.stop());

describe('a guest', () => {
  test('needs one request for the first nonce, and none to renew its token soon after', async () => {
    const { counted, fetch } = counting();
    const client = play(world, memoryStorage(), { fetch });
    await Promise.all([client.userState.get(), client.userState.get(), earn(client)]);
    expect(counted.requests).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 5_200));
    await client.userState.get();
    expect(counted.requests).toBe(3);
  });
});
