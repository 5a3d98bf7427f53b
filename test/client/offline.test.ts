/** Reading and changing state while the service is unreachable. */
import {
  createClient,
  createStateClient,
  defineMutators,
  memoryStorage,
  offlineCache,
  openQueue,
  type QueueView,
  type Settled,
} from '@holdfast/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCuttingProxy } from '../../tooling/proxies/cutting-proxy.ts';
import type { Project } from '../support/server.ts';
import { type ClientWorld, openClientWorld, outOfReach } from './world.ts';

let world: ClientWorld;
beforeAll(async () => {
  world = await openClientWorld();
});
afterAll(() => world.server.stop());

interface Save {
  gold: number;
  log?: string[];
}

/** A network that can be switched off. */
function network() {
  const state = { isDown: false };
  const reach: typeof fetch = (input, init) =>
    state.isDown ? Promise.reject(new TypeError('no network')) : fetch(input, init);
  return { state, fetch: reach };
}

describe('the cache', () => {
  test('answers while offline, and says that it is stale', async () => {
    const project = await world.newProject();
    const storage = memoryStorage();
    const online = await world.userClientOf<{ userState: Save }>(project, 'ada', { cache: offlineCache({ storage }) });
    expect(await online.userState.get()).toBeNull();
    await online.userState.update(() => ({ gold: 3 }));
    const { state, fetch } = network();
    const later = await world.userClientOf<{ userState: Save }>(project, 'ada', {
      cache: offlineCache({ storage }),
      fetch,
    });
    state.isDown = true;
    expect(await later.userState.get()).toEqual({ version: 1, state: { gold: 3 }, stale: true });
    const failing = later.userState.update(() => ({ gold: 4 }), { timeoutMs: 300 });
    await expect(failing).rejects.toMatchObject(outOfReach);
    const other = await world.userClientOf<{ userState: Save }>(project, 'eve', {
      cache: offlineCache({ storage }),
      fetch,
    });
    await expect(other.userState.get({ timeoutMs: 300 })).rejects.toMatchObject(outOfReach);
    state.isDown = false;
    expect(await later.userState.get()).toEqual({ version: 1, state: { gold: 3 }, stale: false });
    expect((await later.userState.update((draft) => ({ gold: draft.gold + 1 }))).state).toEqual({ gold: 4 });
  });

  test('does not keep a player’s documents after they sign out', async () => {
    const project = await world.newProject();
    const storage = memoryStorage();
    let isSignedIn = true;
    const token = await world.server.running.accessTokens.signPlayerToken({
      accountId: project.developer.accountId,
      slug: project.slug,
      environment: 'production' as const,
      userId: 'ada',
      seconds: 900,
    });
    const { state, fetch } = network();
    const client = createClient<{ userState: Save }>({
      baseUrl: world.server.baseUrl,
      accountId: project.developer.accountId,
      project: project.slug,
      environment: 'production',
      fetch,
      cache: offlineCache({ storage }),
      auth: { accessToken: () => (isSignedIn ? token : 'none') },
    });
    await client.userState.update(() => ({ gold: 1 }));
    isSignedIn = false;
    await expect(client.userState.get()).rejects.toMatchObject({ status: 401 });
    isSignedIn = true;
    state.isDown = true;
    await expect(client.userState.get({ timeoutMs: 300 })).rejects.toMatchObject(outOfReach);
  });
});

const mutators = defineMutators({
  addGold: (draft: Save, n: number) => {
    if (n < 0) throw new Error('that is theft');
    draft.gold += n;
  },
  note: (draft: Save, text: string) => {
    draft.log = [...(draft.log ?? []), text];
  },
});

async function queueOf(project: Project, baseUrl: string, storage = memoryStorage()) {
  const client = await world.userClientOf<{ userState: Save }>(project, 'ada', { baseUrl, timeoutMs: 500 });
  const settled: Settled[] = [];
  const open = () =>
    openQueue(client.userState, mutators, {
      name: 'save',
      storage,
      initial: { gold: 0 },
      onSettled: (each) => settled.push(each),
    });
  return { client, settled, storage, open };
}

describe('the queue', () => {
  test('keeps changes while offline, and applies them in order after a restart', async () => {
    const project = await world.newProject();
    const away = await queueOf(project, 'http://127.0.0.1:1');
    const before = away.open();
    await before.run.addGold(5);
    await before.run.note('found gold');
    await before.run.addGold(-1);
    await before.run.addGold(2);
    await before.flush();
    expect(await before.pending()).toBe(4);
    expect(await before.preview({ gold: 100 })).toEqual({ gold: 107, log: ['found gold'] });
    before.close();
    const back = await queueOf(project, world.server.baseUrl, away.storage);
    const after = back.open();
    await expect.poll(() => after.pending()).toBe(0);
    after.close();
    expect((await back.client.userState.get())?.state).toEqual({ gold: 7, log: ['found gold'] });
    expect(back.settled.map(({ name, outcome, version }) => [name, outcome, version])).toEqual([
      ['addGold', 'applied', 1],
      ['note', 'applied', 1],
      ['addGold', 'refused', undefined],
      ['addGold', 'applied', 2],
    ]);
  });

  test('applies each change once when responses are lost and two tabs send', async () => {
    const project = await world.newProject();
    let writes = 0;
    const proxy = await startCuttingProxy(world.server.baseUrl, (method) => method === 'PATCH' && ++writes % 3 === 0);
    const tab = await queueOf(project, proxy.baseUrl);
    const other = await queueOf(project, proxy.baseUrl, tab.storage);
    const queues = [tab.open(), other.open()];
    for (let n = 0; n < 20; n++) {
      for (const queue of queues) await queue.run.addGold(1);
      await queues[n % 2]?.flush(); // otherwise many are sent together
    }
    await expect.poll(() => queues[0]?.pending()).toBe(0);
    for (const queue of queues) queue.close();
    expect((await tab.client.userState.get())?.state).toEqual({ gold: 40 });
    expect(tab.settled.length + other.settled.length).toBe(40);
    expect(proxy.cuts).toBeGreaterThan(5);
    proxy.stop();
  });

  test('repeats the request stored before a crash, which counts once', async () => {
    const project = await world.newProject();
    const direct = await queueOf(project, world.server.baseUrl);
    await direct.client.userState.update(() => ({ gold: 1 }));
    // The crash follows the commit: the request was stored and took effect, and its response was never read.
    const storage = memoryStorage();
    let isCut = true;
    const proxy = await startCuttingProxy(world.server.baseUrl, (method) => method === 'PATCH' && isCut);
    const crashing = await queueOf(project, proxy.baseUrl, storage);
    const before = crashing.open();
    await before.run.addGold(10);
    await before.flush();
    before.close();
    isCut = false;
    expect((await direct.client.userState.get())?.state).toEqual({ gold: 11 });
    await direct.client.userState.update((draft) => ({ gold: draft.gold + 100 }));
    const after = (await queueOf(project, proxy.baseUrl, storage)).open();
    await expect.poll(() => after.pending()).toBe(0);
    after.close();
    expect((await direct.client.userState.get())?.state).toEqual({ gold: 111 });
    proxy.stop();
  });

  test('shows the document with its waiting changes, each once, whether the response is lost or late', async () => {
    const project = await world.newProject();
    let writes = 0;
    const proxy = await startCuttingProxy(world.server.baseUrl, async (method) => {
      if (method !== 'PATCH') return false;
      // The stream overtakes the response.
      const { version } = (await away.client.userState.get()) ?? { version: null };
      await expect.poll(() => received).toBe(version);
      return ++writes % 3 === 0;
    });
    const away = await queueOf(project, world.server.baseUrl);
    // Streams bypass this proxy.
    const fetchBy: typeof fetch = (input, init) =>
      fetch(init?.method === 'PATCH' ? String(input).replace(world.server.baseUrl, proxy.baseUrl) : input, init);
    const client = await world.userClientOf<{ userState: Save }>(project, 'ada', { fetch: fetchBy });
    const queue = openQueue(client.userState, mutators, {
      name: 'save',
      storage: memoryStorage(),
      initial: { gold: 0 },
    });
    const views: QueueView<Save>[] = [];
    let received: number | null | undefined;
    const endStream = client.userState.subscribe(({ version }) => {
      received = version;
    });
    const end = queue.subscribe((view) => views.push(view));
    await expect.poll(() => views[0]).toEqual({ state: null, version: null, stale: false, pending: 0 });
    for (let n = 0; n < 12; n++) {
      await queue.run.addGold(1);
      if (n % 2 === 1) await queue.flush(); // otherwise many are sent together
    }
    await expect.poll(() => views.at(-1)).toMatchObject({ state: { gold: 12 }, pending: 0 });
    const shown = views.map(({ state }) => state?.gold ?? 0);
    expect(shown).toEqual([...shown].sort((one, other) => one - other));
    await away.client.userState.update((draft) => ({ gold: draft.gold + 100 }));
    await expect.poll(() => views.at(-1)?.state).toEqual({ gold: 112 });
    end();
    endStream();
    queue.close();
    expect(proxy.cuts).toBeGreaterThan(1);
    proxy.stop();
  });

  test('shows waiting changes on top of the cached document while offline', async () => {
    const project = await world.newProject();
    const storage = memoryStorage();
    const online = await world.userClientOf<{ userState: Save }>(project, 'ada', { cache: offlineCache({ storage }) });
    const first: unknown[] = [];
    const endFirst = online.userState.subscribe((snapshot) => first.push(snapshot));
    await online.userState.update(() => ({ gold: 3 }));
    await expect.poll(() => first.at(-1)).toMatchObject({ version: 1 });
    // The cache is written a moment after the last change.
    await expect.poll(async () => String(await storage.get(cacheNameOf(project)))).toContain('"version":1');
    endFirst();
    const { state, fetch } = network();
    state.isDown = true;
    const later = await world.userClientOf<{ userState: Save }>(project, 'ada', {
      cache: offlineCache({ storage }),
      fetch,
    });
    const queue = openQueue(later.userState, mutators, { name: 'save', storage });
    await queue.run.addGold(4);
    const views: QueueView<Save>[] = [];
    const end = queue.subscribe((view) => views.push(view));
    await expect.poll(() => views.at(-1)).toEqual({ state: { gold: 7 }, version: 1, stale: true, pending: 1 });
    state.isDown = false;
    await expect
      .poll(() => views.at(-1), { timeout: 60_000 })
      .toEqual({ state: { gold: 7 }, version: 2, stale: false, pending: 0 });
    end();
    queue.close();
  });

  test('needs a client with subscriptions to show anything', async () => {
    const { userState } = createStateClient<{ userState: Save }>({
      baseUrl: 'http://127.0.0.1:1',
      accountId: 'acc_1',
      project: 'p',
      environment: 'production',
      auth: { apiKey: 'x' },
    });
    const queue = openQueue(userState, mutators, { name: 'save', storage: memoryStorage() });
    expect(() => queue.subscribe(() => {})).toThrow('use createClient');
    queue.close();
  });
});

const cacheNameOf = ({ path }: Project) => `holdfast:cache:${world.server.baseUrl}${path}/user-state/production/changes`;
