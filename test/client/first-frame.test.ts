/** State before the first response: the cached document of the signed-in user, and the defaults of public state. */
import {
  type ClientOptions,
  createClient,
  defineMutators,
  memoryStorage,
  offlineCache,
  openQueue,
  type QueueView,
  type Snapshot,
  type TextStorage,
} from '@holdfast/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { Project } from '../support/server.ts';
import { type ClientWorld, openClientWorld } from './world.ts';

let world: ClientWorld;
beforeAll(async () => {
  world = await openClientWorld();
});
afterAll(() => world.server.stop());

interface Config {
  motd: string;
  price: number;
  shop?: { open: boolean; items?: string[] };
  banner?: string | null;
}
interface Save {
  gold: number;
}
interface Documents {
  publicState: Config;
  userState: Save;
}
const defaults = { publicState: { motd: 'welcome', price: 5, shop: { open: false, items: ['map'] }, banner: 'sale' } };

const noNetwork: typeof fetch = () => Promise.reject(new TypeError('no network'));

/** Creates a project with a client that writes, and options for a client with defaults. */
async function openProject(more: Partial<ClientOptions<Documents>> = {}) {
  const project = await world.newProject();
  const writer = await world.clientOf<Documents>(project);
  const { apiKey } = await world.server.newApiKey(project);
  const place = {
    baseUrl: world.server.baseUrl,
    accountId: project.developer.accountId,
    project: project.slug,
    environment: 'production',
    auth: { apiKey },
    defaults,
    ...more,
  } as const;
  return { project, writer, place };
}

/** Collects snapshots until the test ends. */
function told<State, Missing>(source: {
  subscribe(listener: (snapshot: Snapshot<State, Missing>) => void): () => void;
}): Snapshot<State, Missing>[] {
  const seen: Snapshot<State, Missing>[] = [];
  onTestFinished(source.subscribe((snapshot) => seen.push(snapshot)));
  return seen;
}

describe('defaults of public state', () => {
  test('are there immediately, and stay until there is a document', async () => {
    const { place } = await openProject();
    const { publicState } = createClient<Documents>(place);
    expect(publicState.current()).toEqual({ state: defaults.publicState, version: null, stale: true });
    expect(publicState.current()).toBe(publicState.current());
    const seen = told(publicState);
    expect(seen).toEqual([]); // no call before `subscribe` has returned
    await Promise.resolve();
    expect(seen).toEqual([{ state: defaults.publicState, version: null, stale: true }]);
    await expect.poll(() => seen.at(-1)).toEqual({ state: defaults.publicState, version: null, stale: false });
    expect(await publicState.get()).toBeNull();
  });

  test('fill in top-level members that the document lacks, but not null or nested objects', async () => {
    const { writer, place } = await openProject();
    const { publicState } = createClient<Documents>(place);
    const seen = told(publicState);
    await writer.publicState.put({ motd: 'hi', shop: { open: true }, banner: null } as Config, { ifVersion: null });
    const state = { motd: 'hi', price: 5, shop: { open: true }, banner: null };
    await expect.poll(() => seen.at(-1)).toEqual({ state, version: 1, stale: false });
    expect(publicState.current().state).toEqual(state);
    expect((await publicState.get())?.state).toEqual({ motd: 'hi', shop: { open: true }, banner: null });
    await writer.publicState.update((draft) => void Object.assign(draft, { price: 9 }));
    await expect.poll(() => seen.at(-1)?.state.price).toBe(9);
    await writer.publicState.patch([{ op: 'remove', path: '/motd' }], { ifVersion: 2 });
    await expect.poll(() => seen.at(-1)?.state.motd).toBe('welcome');
  });

  test('are never written: changes and queues see the stored document', async () => {
    const { writer, place } = await openProject();
    const client = createClient<Documents>(place);
    const found: unknown[] = [];
    const { publicState } = client;
    await publicState.update(
      (draft) => {
        found.push({ ...draft });
        draft.motd = 'hi';
      },
      { initial: { motd: '', price: 1 } },
    );
    const mutators = defineMutators({
      raise: (draft: Config, n: number) => {
        draft.price = (draft.price ?? 100) + n;
        draft.banner = `${draft.banner}`;
      },
    });
    const queue = openQueue(publicState, mutators, { name: 'config', storage: memoryStorage() });
    onTestFinished(() => queue.close());
    const views: QueueView<Config>[] = [];
    onTestFinished(queue.subscribe((view) => views.push(view)));
    await queue.run.raise(1);
    await expect.poll(() => views.at(-1)).toMatchObject({ pending: 0, version: 2 });
    const state = { motd: 'hi', price: 2, banner: 'undefined' };
    expect(views.at(-1)?.state).toEqual({ ...state, shop: defaults.publicState.shop });
    expect((await writer.publicState.get())?.state).toEqual(state);
    expect(found).toEqual([{ motd: '', price: 1 }]);
  });

  test('have the type that the schema returns, and stay if a document does not fit it', async () => {
    const schema = z.object({ at: z.coerce.date<string>(), motd: z.string().optional() });
    const { writer, place } = await openProject();
    const started = { at: new Date(0), motd: 'soon' };
    const client = createClient({ ...place, schema: { publicState: schema }, defaults: { publicState: started } });
    expect(client.publicState.current().state).toBe(started);
    const errors: string[] = [];
    const seen: Snapshot<typeof started | { at: Date; motd?: string | undefined }, never>[] = [];
    onTestFinished(
      client.publicState.subscribe((snapshot) => seen.push(snapshot), { onError: ({ code }) => errors.push(code) }),
    );
    await writer.publicState.update(() => ({ motd: 'no date' }) as unknown as Config);
    await expect.poll(() => errors).toEqual(['invalid_state']);
    expect(client.publicState.current().state.motd).toBe('soon');
    await writer.publicState.update(() => ({ at: '2026-01-01T00:00:00Z' }) as unknown as Config);
    await expect.poll(() => seen.at(-1)?.state).toEqual({ at: new Date('2026-01-01T00:00:00Z'), motd: 'soon' });
  });

  test('work for a client made from a key alone, as does the cached document', async () => {
    const { project, writer } = await openProject();
    await writer.publicState.update(() => ({ motd: 'hi' }) as Config);
    const { apiKey } = await world.server.newApiKey(project, { kind: 'publishable' });
    const cache = offlineCache({ storage: memoryStorage() });
    const open = (more = {}) => createClient<Documents>(world.server.baseUrl, apiKey, { defaults, cache, ...more });
    const { publicState } = open();
    expect(publicState.current()).toEqual({ state: defaults.publicState, version: null, stale: true });
    await publicState.get();
    const shown = { state: { ...defaults.publicState, motd: 'hi' }, version: 1, stale: true };
    expect(open({ fetch: noNetwork }).publicState.current()).toEqual(shown);
  });

  test('are refused unless they are objects', async () => {
    const { place } = await openProject();
    for (const wrong of [{ motd: 'hi' }, { publicState: null }, { publicState: [] }]) {
      expect(() => createClient({ ...place, defaults: wrong as never })).toThrow('defaults has to have publicState');
    }
  });
});

/** An asynchronous storage, as in React Native. */
function slowStorage(texts: TextStorage): TextStorage & { gets: number } {
  const later = <Value>(work: () => Value | Promise<Value>): Promise<Value> => Promise.resolve().then(work);
  const slow = {
    gets: 0,
    get(name: string) {
      slow.gets++;
      return later(() => texts.get(name));
    },
    set: (name: string, text: string) => later(() => texts.set(name, text)),
    delete: (name: string) => later(() => texts.delete(name)),
  };
  return slow;
}

/** A storage with a player's cached save, as an earlier page leaves it. */
async function cachedSave(gold: number, how: 'get' | 'subscribe' = 'subscribe') {
  const project = await world.newProject();
  const storage = memoryStorage();
  const page = await world.userClientOf<Documents>(project, 'ada', { cache: offlineCache({ storage }) });
  await page.userState.update(() => ({ gold }));
  const place = `holdfast:cache:${world.server.baseUrl}${project.path}/user-state/production`;
  if (how === 'get') {
    await page.userState.get();
    return { project, storage };
  }
  const end = page.userState.subscribe(() => {});
  await expect.poll(async () => String(await storage.get(`${place}/changes`))).toContain(`"gold":${gold}`);
  end();
  return { project, storage };
}

const pageOf = (project: Project, storage: TextStorage, more: Partial<ClientOptions<Documents>> = {}, user = 'ada') =>
  world.userClientOf<Documents>(project, user, { cache: offlineCache({ storage }), ...more });

describe('the cached document', () => {
  test.each(['subscribe', 'get'] as const)('of %s is shown first, as stale, and then the live one', async (how) => {
    const { project, storage } = await cachedSave(3, how);
    const other = await world.userClientOf<Documents>(project);
    await other.userState.update(() => ({ gold: 4 }));
    const { userState } = await pageOf(project, storage);
    const cached = { state: { gold: 3 }, version: 1, stale: true };
    expect(userState.current()).toEqual(cached);
    expect(userState.current()).toBe(userState.current());
    const seen = told(userState);
    await Promise.resolve();
    expect(seen).toEqual([cached]);
    await expect.poll(() => seen.at(-1)).toEqual({ state: { gold: 4 }, version: 2, stale: false });
    expect(seen).toHaveLength(2);
    expect(userState.current()).toBe(seen.at(-1));
  });

  test('is the newer one of those that get and subscribe saw', async () => {
    const { project, storage } = await cachedSave(3);
    const page = await pageOf(project, storage);
    await page.userState.update(() => ({ gold: 5 }));
    await page.userState.get();
    const { userState } = await pageOf(project, storage, { fetch: noNetwork });
    expect(userState.current()).toEqual({ state: { gold: 5 }, version: 2, stale: true });
  });

  test('replaces the defaults, which fill its gaps', async () => {
    const storage = memoryStorage();
    const { writer, place } = await openProject({ cache: offlineCache({ storage }) });
    await writer.publicState.update(() => ({ motd: 'hi' }) as Config);
    await createClient<Documents>(place).publicState.get();
    const { publicState } = createClient<Documents>({ ...place, fetch: noNetwork });
    const shown = { state: { ...defaults.publicState, motd: 'hi' }, version: 1, stale: true };
    expect(publicState.current()).toEqual(shown);
    const seen = told(publicState);
    await Promise.resolve();
    expect(seen).toEqual([shown]);
  });

  test('needs a synchronous storage; an asynchronous one is read once, and its document still reaches listeners first', async () => {
    const { project, storage } = await cachedSave(3);
    const slow = slowStorage(storage);
    const { userState } = await pageOf(project, slow);
    expect([userState.current(), userState.current(), slow.gets]).toEqual([undefined, undefined, 1]);
    const seen = told(userState);
    await expect.poll(() => seen.length).toBe(2);
    expect(seen).toEqual([
      { state: { gold: 3 }, version: 1, stale: true },
      { state: { gold: 3 }, version: 1, stale: false },
    ]);
  });

  test('is ignored if it no longer fits the schema, is damaged or cannot be read', async () => {
    const { project, storage } = await cachedSave(3);
    const fits = await pageOf(project, storage, { schema: { userState: z.object({ gold: z.number() }) } });
    expect(fits.userState.current()?.state).toEqual({ gold: 3 });
    const strict = await pageOf(project, storage, { schema: { userState: z.object({ gold: z.number().min(10) }) } });
    expect(strict.userState.current()).toBeUndefined();
    const slow = z.object({ gold: z.number() }).refine(async () => true);
    const late = await pageOf(project, storage, { schema: { userState: slow }, fetch: noNetwork });
    expect(late.userState.current()).toBeUndefined();
    const seen = told(late.userState);
    await expect.poll(() => seen).toEqual([{ state: { gold: 3 }, version: 1, stale: true }]);
    const damaged = { ...storage, get: () => '"ada"\n{"version":' };
    expect((await pageOf(project, damaged)).userState.current()).toBeUndefined();
    const denied = {
      ...storage,
      get: () => {
        throw new Error('denied');
      },
    };
    expect((await pageOf(project, denied)).userState.current()).toBeUndefined();
  });

  test('is never shown to another player or project', async () => {
    const { project, storage } = await cachedSave(3);
    const eve = await pageOf(project, storage, { fetch: noNetwork }, 'eve');
    expect(eve.userState.current()).toBeUndefined();
    const other = await world.newProject();
    expect((await pageOf(other, storage, { fetch: noNetwork })).userState.current()).toBeUndefined();
    // An application's next token may be for another user.
    const asked = await pageOf(project, storage, { fetch: noNetwork, auth: { accessToken: () => '' } });
    expect(asked.userState.current()).toBeUndefined();
  });
});
