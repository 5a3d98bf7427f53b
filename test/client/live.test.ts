/** Live changes, against a real server. */
import { createClient, memoryStorage, offlineCache } from '@holdfast/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Project } from '../support/server.ts';
import { count, counted, cutRepeatedly, type Doc, listen, type Seen, upTo, versions } from './live.fixture.ts';
import { type ClientWorld, openClientWorld } from './world.ts';

let world: ClientWorld;
beforeAll(async () => {
  world = await openClientWorld();
});
afterAll(() => world.server.stop());

async function clientOf(project: Project, more: Parameters<typeof world.clientOf<{ publicState: Doc }>>[1] = {}) {
  return world.clientOf<{ publicState: Doc }>(project, more);
}

describe('subscribe', () => {
  test('delivers the current document, then every version in order, over one stream for all listeners', async () => {
    const project = await world.newProject();
    const { counts, fetch } = counted();
    const client = await clientOf(project, { fetch });
    const writer = await clientOf(project);
    const first = listen(client);
    const second = listen(client);
    await expect.poll(() => first.length).toBe(1);
    expect(first[0]).toEqual({ state: null, version: null, stale: false });
    for (let n = 0; n < 20; n++) await writer.publicState.update(count);
    await expect.poll(() => second.at(-1)?.version).toBe(20);
    expect(versions(first)).toEqual([null, ...upTo(20)]);
    expect(second).toEqual(first);
    expect(first.at(-1)?.state).toEqual((await writer.publicState.get())?.state);
    const late = listen(client);
    await expect.poll(() => late.length).toBe(1);
    expect(late[0]).toEqual(first.at(-1));
    expect(counts).toEqual({ streams: 1, polls: 0 });
  });

  test('delivers large changes, and digits that a double cannot hold', async () => {
    const project = await world.newProject();
    const client = await clientOf(project);
    const seen = listen(client);
    const writer = await world.clientOf<{ publicState: { n: bigint | number; text?: string } }>(project);
    await writer.publicState.update(() => ({ n: 9007199254740993n }));
    await writer.publicState.update((draft) => ({ ...draft, text: 'x'.repeat(40_000) }));
    await writer.publicState.update((draft) => ({ ...draft, text: 'y' }));
    await expect.poll(() => seen.at(-1)?.version).toBe(3);
    expect(seen.at(-1)?.state).toEqual({ n: 9007199254740992, text: 'y' });
  });

  test('delivers to a player their own state, and to the next player theirs', async () => {
    const project = await world.newProject();
    let userId = 'ada';
    const { accountId } = project.developer;
    const accessToken = () =>
      world.server.running.accessTokens.signPlayerToken({
        accountId,
        slug: project.slug,
        environment: 'production',
        userId,
        seconds: 900,
      });
    const client = await world.clientOf<{ userState: Doc }>(project, { auth: { accessToken } });
    const seen: Seen = [];
    onTestFinished(client.userState.subscribe((snapshot) => seen.push(snapshot)));
    await client.userState.update(() => ({ n: 1 }));
    await expect.poll(() => seen.at(-1)).toEqual({ state: { n: 1 }, version: 1, stale: false });
    userId = 'eve';
    expect(await client.userState.get()).toBeNull();
    await expect.poll(() => seen.at(-1)).toEqual({ state: null, version: null, stale: false });
  });

  test('delivers public state to the game’s publishable key, and a player’s own state to their token', async () => {
    const project = await world.newProject();
    const { apiKey } = await world.server.newApiKey(project, { kind: 'publishable', access: 'read' });
    const writer = await clientOf(project);
    await writer.publicState.update(() => ({ n: 1 }));
    const player = await world.userClientOf<{ publicState: Doc; userState: Doc }>(project, 'ada', {
      publishableKey: apiKey,
    });
    expect((await player.publicState.get())?.state).toEqual({ n: 1 });
    const seen: Seen = [];
    onTestFinished(player.publicState.subscribe((snapshot) => seen.push(snapshot)));
    await writer.publicState.update(count);
    await expect.poll(() => seen.at(-1)?.version).toBe(2);
    expect((await player.userState.update(() => ({ n: 7 }))).state).toEqual({ n: 7 });
    await expect(player.publicState.update(count)).rejects.toMatchObject({ code: 'forbidden', status: 403 });
    const without = await world.userClientOf<{ publicState: Doc }>(project, 'ada');
    await expect(without.publicState.get()).rejects.toMatchObject({ code: 'forbidden', status: 403 });
  });

  test('starts with the cached document', async () => {
    const project = await world.newProject();
    const storage = memoryStorage();
    const online = await clientOf(project, { cache: offlineCache({ storage }) });
    const seen = listen(online);
    await online.publicState.update(count);
    await expect.poll(() => seen.at(-1)?.version).toBe(1);
    const { apiKey } = await world.server.newApiKey(project);
    const options = {
      baseUrl: world.server.baseUrl,
      accountId: project.developer.accountId,
      project: project.slug,
      environment: 'production' as const,
      auth: { apiKey },
    };
    let isDown = true;
    const reach: typeof fetch = (input, init) => (isDown ? Promise.reject(new TypeError('down')) : fetch(input, init));
    // The cache is written a moment after the last change.
    await expect.poll(async () => [...(await storedNames(storage, project))].length).toBeGreaterThan(0);
    const later = createClient<{ publicState: Doc }>({ ...options, cache: offlineCache({ storage }), fetch: reach });
    const again = listen(later);
    await expect.poll(() => again).toEqual([{ state: { n: 1, list: [1] }, version: 1, stale: true }]);
    isDown = false;
    await expect.poll(() => again.at(-1)).toMatchObject({ version: 1, stale: false });
  });

  test('reports a refusal of the service, and stops', async () => {
    const project = await world.newProject();
    const client = await clientOf(project, { auth: { apiKey: 'svck_no' } });
    const error = await new Promise((resolve) => {
      onTestFinished(client.publicState.subscribe(() => {}, { onError: resolve }));
    });
    expect(error).toMatchObject({ code: 'unauthorized', status: 401 });
  });

  test('stops when its signal aborts', async () => {
    const project = await world.newProject();
    const client = await clientOf(project);
    const controller = new AbortController();
    const seen: Seen = [];
    client.publicState.subscribe((snapshot) => seen.push(snapshot), { signal: controller.signal });
    await expect.poll(() => seen.length).toBe(1);
    controller.abort();
    await client.publicState.update(count);
    const other = listen(client);
    await expect.poll(() => other.at(-1)?.version).toBe(1);
    expect(seen.length).toBe(1);
  });
});

const storedNames = async (storage: ReturnType<typeof memoryStorage>, project: Project) => {
  const url = `${world.server.baseUrl}${project.path}/public-state/production/changes`;
  return (await storage.get(`holdfast:cache:${url}`)) ?? '';
};

describe('a connection', () => {
  test('unable to stream becomes a long poll, and leaves nothing out', async () => {
    const project = await world.newProject();
    const { counts, fetch } = counted();
    const whole: typeof globalThis.fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (response.headers.get('Content-Type') !== 'text/event-stream') return response;
      // As in runtimes without streams.
      return Object.defineProperty(response, 'body', { value: null });
    };
    const client = await clientOf(project, { fetch: whole });
    const seen = listen(client);
    const writer = await clientOf(project);
    for (let n = 0; n < 30; n++) await writer.publicState.update(count);
    await expect.poll(() => seen.at(-1)?.version).toBe(30);
    const begun = seen.findIndex(({ version }) => version !== null);
    expect(versions(seen.slice(begun))).toEqual(upTo(30).slice(-(seen.length - begun)));
    expect(counts.streams).toBe(1);
    expect(counts.polls).toBeGreaterThan(0);
  });

  test('cut repeatedly loses no version and repeats none', () => cutRepeatedly(world, 50, 3), 120_000);
});
