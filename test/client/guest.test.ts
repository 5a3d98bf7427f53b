/** Guests: in Node with the application's storage, and in two browser tabs that share a non-extractable key. */
import { createClient, createGuest, memoryStorage, type TextStorage } from '@holdfast/client';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../../tooling/browser.ts';
import { counting, earn, type GuestWorld, newGuestProject, openGuestWorld, placeOf, play } from './guest.fixture.ts';
import { bundlePage, servePages } from './pages/serve.ts';

let world: GuestWorld;
beforeAll(async () => {
  world = await openGuestWorld();
});
afterAll(() => world.server.stop());

describe('a guest', () => {
  test('is signed in by the first request, and stays the same player after a restart', async () => {
    const storage = memoryStorage();
    const first = play(world, storage);
    expect(first.auth.user).toBeNull();
    expect((await earn(first)).state).toEqual({ coins: 1 });
    expect(first.auth.user).toMatchObject({ id: expect.stringMatching(/^guest_[0-9A-Za-z]{22}$/), role: 'end_user' });
    const second = play(world, storage);
    expect((await earn(second)).state).toEqual({ coins: 2 });
    expect(second.auth.user?.id).toBe(first.auth.user?.id);
    const other = play(world, memoryStorage());
    expect((await earn(other)).state).toEqual({ coins: 1 });
  });

  test('needs one request for the first nonce', async () => {
    const { counted, fetch } = counting();
    const client = play(world, memoryStorage(), { fetch });
    await Promise.all([client.userState.get(), client.userState.get(), earn(client)]);
    expect(counted.requests).toBe(2);
  });

  test('is known by id while offline, once it has played', async () => {
    const storage = memoryStorage();
    const first = play(world, storage);
    await earn(first);
    const offline = createGuest({
      ...placeOf(world.server, world.project),
      storage,
      fetch: () => Promise.reject(new TypeError('offline')),
    });
    await offline.ready;
    expect(offline.user?.id).toBe(first.auth.user?.id);
    await expect(offline.accessToken()).rejects.toMatchObject({ code: 'network_error' });
  });

  test('plays at an address other than the base URL of the service', async () => {
    const baseUrl = world.server.baseUrl.replace('127.0.0.1', 'localhost');
    const client = play(world, memoryStorage(), { baseUrl });
    expect((await earn(client)).state).toEqual({ coins: 1 });
  });

  test('has its own key for each service and project', async () => {
    const storage = memoryStorage();
    const sibling = await newGuestProject(world.server);
    const there = createClient({ ...placeOf(world.server, sibling), auth: { guest: true, storage } });
    await Promise.all([play(world, storage).userState.get(), there.userState.get()]);
    const names = [world.project, sibling].map(({ developer, slug }) => `${developer.accountId}.${slug}`);
    const keys = await Promise.all(
      names.map((clientId) => storage.get(`holdfast:guest:${world.server.baseUrl}:${clientId}`)),
    );
    expect(keys).toEqual([expect.stringContaining('"d"'), expect.stringContaining('"d"')]);
    expect(keys[0]).not.toBe(keys[1]);
  });

  test('never replaces a stored key that cannot be read', async () => {
    const storage = memoryStorage();
    const { developer, slug } = world.project;
    storage.set(`holdfast:guest:${world.server.baseUrl}:${developer.accountId}.${slug}`, '{"x":1');
    await expect(play(world, storage).userState.get()).rejects.toMatchObject({ code: 'storage_failed' });
    const full: TextStorage = { get: () => undefined, set: () => Promise.reject(new Error('full')), delete: () => {} };
    await expect(play(world, full).userState.get()).rejects.toMatchObject({ code: 'storage_failed' });
  });

  test('gets an error if the project allows no guests', async () => {
    const closed = await world.server.newProject();
    await world.server.call('PUT', `${closed.path}/auth/end-user/config`, {
      headers: closed.developer.bearer,
      body: { enabled: true, allowedIdps: ['password'] },
    });
    const client = createClient({ ...placeOf(world.server, closed), auth: { guest: true, storage: memoryStorage() } });
    await expect(client.userState.get()).rejects.toMatchObject({ code: 'unauthorized_client', status: 400 });
  });
});

describe('in a browser', () => {
  async function openContext(browser: Browser): Promise<{ context: BrowserContext; url: string }> {
    const program = await bundlePage('guest-main.ts');
    const pages = await servePages({ 'guest.js': program });
    onTestFinished(() => pages.close());
    const settings = JSON.stringify(placeOf(world.server, world.project));
    const script = `<script>settings = ${settings}</script><script type="module" src="/guest.js"></script>`;
    const url = pages.add('/game', `<!doctype html><title>Game</title>${script}`);
    const context = await browser.newContext();
    return { context, url };
  }

  test('two tabs that start together share one key, which survives a restart and which no script can read', async () => {
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const { context, url } = await openContext(browser);
    const open = async () => {
      const page = await context.newPage();
      await page.goto(url);
      await page.waitForFunction('globalThis.game');
      return page;
    };
    const playIn = (page: Awaited<ReturnType<typeof open>>) => page.evaluate<{ id: string; coins: number }>('game.play()');
    const [one, two] = await Promise.all([open(), open()]);
    const played = await Promise.all([playIn(one), playIn(two)]);
    expect(played[0]?.id).toMatch(/^guest_/);
    expect(played[1]?.id).toBe(played[0]?.id);
    expect(played.map(({ coins }) => coins).sort()).toEqual([1, 2]);
    const kept = await one.evaluate<{ extractable: boolean; exported: string; local: number }>(`
      new Promise((resolve) => {
        const opening = indexedDB.open('holdfast-guests', 1);
        opening.onsuccess = () => {
          const all = opening.result.transaction('texts').objectStore('texts').getAll();
          all.onsuccess = async () => {
            const { privateKey } = all.result.find((value) => typeof value === 'object');
            const exported = await crypto.subtle.exportKey('jwk', privateKey).then(() => 'yes', (error) => error.name);
            resolve({ extractable: privateKey.extractable, exported, local: localStorage.length });
          };
        };
      })`);
    expect(kept).toEqual({ extractable: false, exported: 'InvalidAccessError', local: 0 });
    await Promise.all([one.close(), two.close()]);
    const again = await open();
    expect(await playIn(again)).toEqual({ id: played[0]?.id, coins: 3 });
    // A browser with cleared storage is a new guest: the first guest's save is no longer accessible.
    const cleared = await browser.newContext();
    const page = await cleared.newPage();
    await page.goto(url);
    await page.waitForFunction('globalThis.game');
    const stranger = await page.evaluate<{ id: string; coins: number }>('game.play()');
    expect(stranger.coins).toBe(1);
    expect(stranger.id).not.toBe(played[0]?.id);
  });
});
