/** Clients with only the service address and a publishable key: they ask the service for the project of the key. */
import { createClient, memoryStorage } from '@holdfast/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ClientWorld, openClientWorld, outOfReach } from './world.ts';

let world: ClientWorld;
beforeAll(async () => {
  world = await openClientWorld();
});
afterAll(() => world.server.stop());

/** Creates a project with public state and a key. Its `fetch` records requests. */
async function newKey(options: Readonly<Record<string, unknown>> = {}) {
  const project = await world.newProject();
  const headers = project.developer.bearer;
  for (const environment of ['staging', 'production']) {
    const path = `${project.path}/public-state/${environment}`;
    const body = { state: { environment } };
    await world.server.call('PUT', path, { headers: { ...headers, 'If-None-Match': '*' }, body });
  }
  await world.server.call('PUT', `${project.path}/auth/end-user/config`, {
    headers,
    body: { enabled: true, redirectUris: [], allowedIdps: ['anonymous'] },
  });
  const { id, apiKey } = await world.server.newApiKey(project, { kind: 'publishable', ...options });
  const asked: string[] = [];
  const network = { isDown: false };
  const reach: typeof fetch = async (input, init) => {
    if (network.isDown) throw new TypeError('no network');
    asked.push(String(input).slice(world.server.baseUrl.length));
    return fetch(input, init);
  };
  return { project, id, apiKey, asked, network, fetch: reach };
}

test('clients made from a key read, watch and play as guests, and look up their project once', async () => {
  const { project, apiKey, asked, fetch } = await newKey();
  const guest = { guest: true, storage: memoryStorage() } as const;
  const client = createClient<{ publicState: { environment: string }; userState: { gold: number } }>(
    `${world.server.baseUrl}/`,
    apiKey,
    { auth: guest, fetch },
  );
  expect(client.auth.user).toBeNull();
  expect((await client.publicState.get())?.state).toEqual({ environment: 'production' });
  const users: (string | undefined)[] = [];
  client.auth.onChange((user) => users.push(user?.id));
  const save = await client.userState.update((draft) => void draft.gold++, { initial: { gold: 0 } });
  expect([save.state, client.auth.user?.id]).toEqual([{ gold: 1 }, expect.stringMatching(/^guest_/)]);
  expect(users).toEqual([client.auth.user?.id]);
  const seen = await new Promise((resolve) => {
    const end = client.userState.subscribe((snapshot) => {
      resolve(snapshot);
      setTimeout(() => end());
    });
  });
  expect(seen).toMatchObject({ state: { gold: 1 }, version: 1 });
  expect(await client.auth.accessToken()).toMatch(/^ey/);
  expect(asked.filter((path) => path.startsWith('/v1/api-key/info'))).toHaveLength(1);
  const { accountId } = project.developer;
  expect(asked).toContain(`/v1/${accountId}/projects/${project.slug}/public-state/production`);
});

test('clients made from a key use the given environment, or the only one of the key', async () => {
  const both = await newKey();
  const state = async (client: ReturnType<typeof createClient>) => (await client.publicState.get())?.state;
  const options = { fetch: both.fetch, environment: 'staging' } as const;
  expect(await state(createClient(world.server.baseUrl, both.apiKey, options))).toEqual({ environment: 'staging' });
  const one = await newKey({ environments: ['staging'] });
  expect(await state(createClient(world.server.baseUrl, one.apiKey, one))).toEqual({ environment: 'staging' });
});

test('clients made from a key report a bad key, and try again after a network error', async () => {
  const { project, id, apiKey, network, fetch } = await newKey();
  network.isDown = true;
  const client = createClient(world.server.baseUrl, apiKey, { fetch });
  await expect(client.publicState.get({ timeoutMs: 300 })).rejects.toMatchObject(outOfReach);
  network.isDown = false;
  expect((await client.publicState.get())?.version).toBe(1);
  await world.server.call('DELETE', `${project.path}/api-keys/${id}`, { headers: project.developer.bearer });
  await expect(client.publicState.get()).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
  const later = createClient(world.server.baseUrl, apiKey, { fetch, auth: { guest: true, storage: memoryStorage() } });
  const message = `the key ${apiKey.slice(0, 9)}… was refused: the API key is unknown or was revoked. Copy it from Connect in the console of ${world.server.baseUrl}`;
  await expect(later.publicState.get()).rejects.toMatchObject({ code: 'unauthorized', status: 401, message });
  await expect(later.userState.get()).rejects.toMatchObject({ code: 'unauthorized', message });
  const secret = createClient(world.server.baseUrl, 'hunter2', { fetch });
  await expect(secret.publicState.get()).rejects.toThrow('the key hu… was refused: the API key is malformed.');
  expect(() => createClient('state.example', apiKey)).toThrow('has to be the address of the service');
});

test('clients made from a key know their project while offline, from an earlier page', async () => {
  const { apiKey, asked, fetch } = await newKey();
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
    removeItem: (name: string) => kept.delete(name),
  });
  try {
    const read = () => createClient(world.server.baseUrl, apiKey, { fetch }).publicState.get();
    expect([await read(), await read()]).toMatchObject([{ version: 1 }, { version: 1 }]);
    expect(asked.filter((path) => path === '/v1/api-key/info')).toHaveLength(1);
    for (const name of kept.keys()) kept.set(name, '{"accountId":7}'); // damaged
    expect(await read()).toMatchObject({ version: 1 });
  } finally {
    vi.unstubAllGlobals();
  }
});
