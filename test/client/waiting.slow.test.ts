/** How long a queue keeps working without the service. */
import { memoryStorage, openQueue } from '@holdfast/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { mutators, type Save } from './waiting.fixture.ts';
import { type ClientWorld, openClientWorld } from './world.ts';

let world: ClientWorld;
beforeAll(async () => {
  world = await openClientWorld();
});
afterAll(() => world.server.stop());

describe('the view of a queue listener', () => {
  test('continues while a response is lost and the service out of reach, however many changes are added', async () => {
    const network = { streams: 0, losesResponses: false, isDown: false };
    const reach: typeof fetch = async (input, init) => {
      if (network.isDown) throw new TypeError('no network');
      const response = await fetch(input, init);
      if (`${input}`.includes('/changes')) network.streams++;
      if (network.losesResponses && init?.method === 'PATCH') throw new TypeError('the connection was reset');
      return response;
    };
    const { userState } = await world.userClientOf<{ userState: Save }>(await world.newProject(), 'ada', { fetch: reach });
    await userState.update(() => ({ gold: 11 }));
    const queue = openQueue(userState, mutators, { name: 'lost', storage: memoryStorage() });
    const seen: number[] = [];
    const plain: number[] = [];
    const end = [
      queue.subscribe(({ state }) => seen.push(state?.gold ?? 0)),
      userState.subscribe(({ state }) => plain.push(state?.gold ?? 0)),
    ];
    onTestFinished(() => {
      for (const each of end) each();
      queue.close();
    });
    await expect.poll(() => network.streams).toBeGreaterThan(0);
    await expect.poll(() => seen.at(-1)).toBe(11);
    network.losesResponses = true;
    await queue.run.addGold(1);
    await expect.poll(() => plain.at(-1)).toBe(12);
    network.isDown = true;
    for (let n = 0; n < 50; n++) {
      await queue.run.addGold(1);
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    expect(seen.at(-1)).toBeGreaterThan(50);
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  });
});
