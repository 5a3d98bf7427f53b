/** State through the client, against a real server. */
import { createStateClient } from '@holdfast/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCuttingProxy } from '../../tooling/proxies/cutting-proxy.ts';
import { type ClientWorld, openClientWorld } from './world.ts';

let world: ClientWorld;
beforeAll(async () => {
  world = await openClientWorld();
});
afterAll(() => world.server.stop());

describe('update', () => {
  test('50 clients with lost responses reach the exact sum', async () => {
    const [clients, updates] = process.env.HOLDFAST_CLIENT_FULL ? [50, 200] : [12, 15];
    const project = await world.newProject();
    let random = 1;
    const proxy = await startCuttingProxy(world.server.baseUrl, (method) => {
      random = (random * 48_271) % 0x7fffffff;
      return method === 'PATCH' && random % 20 === 0;
    });
    const { apiKey } = await world.server.newApiKey(project);
    const all = Array.from({ length: clients }, () =>
      createStateClient<{ publicState: { count: number } }>({
        baseUrl: proxy.baseUrl,
        accountId: project.developer.accountId,
        project: project.slug,
        environment: 'production',
        auth: { apiKey },
        timeoutMs: 120_000,
      }),
    );
    const count = async ({ publicState }: (typeof all)[number]) => {
      for (let n = 0; n < updates; n++) {
        await publicState.update((draft) => ({ count: (draft.count ?? 0) + 1 }), { conflictsMax: 10_000 });
      }
    };
    await Promise.all(all.map(count));
    const { publicState } = await world.clientOf<{ publicState: { count: number } }>(project);
    expect(await publicState.get()).toMatchObject({ version: clients * updates, state: { count: clients * updates } });
    expect(proxy.cuts).toBeGreaterThan(0);
    if (process.env.HOLDFAST_CLIENT_FULL) console.log(`${clients * updates} updates, ${proxy.cuts} lost`, proxy.seen);
    proxy.stop();
  }, 600_000);
});
