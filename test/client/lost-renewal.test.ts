/** Renewals with a lost response: the client repeats them with the stored idempotency key, and the user stays signed in. */
import { createAuth, memoryStorage } from '@holdfast/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LoginClient, type LoginWorld, openLoginWorld } from '../login/world.ts';
import { authOptionsOf, near, signedIn } from './people.ts';

let world: LoginWorld;
let client: LoginClient;
beforeAll(async () => {
  world = await openLoginWorld();
  client = await world.newClient();
});
afterAll(() => world.stop());

/** A network that loses some responses of the token endpoint after the service has processed the requests. */
function losing() {
  const network = { lost: 0, toLose: 0, keys: [] as (string | null)[] };
  const reach: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!String(input).endsWith('/v1/auth/token')) return response;
    network.keys.push(new Headers(init?.headers).get('Idempotency-Key'));
    if (network.toLose === 0) return response;
    network.toLose--;
    network.lost++;
    await response.text();
    throw new TypeError('the connection was cut');
  };
  return { network, fetch: reach };
}

test('a renewal without a response is sent again with its key', async () => {
  const { network, fetch } = losing();
  const { auth, person } = await signedIn(world, client, { fetch });
  const before = await auth.authorization();
  network.toLose = 2;
  for (let n = 0; n < 2; n++) await expect(auth.renew(before)).rejects.toMatchObject({ code: 'network_error' });
  expect(await auth.renew(before)).toBe(true);
  const [, ...keys] = network.keys;
  expect([keys.length, new Set(keys).size, keys[0]]).toEqual([3, 1, expect.stringMatching(/^[\w-]{22}$/)]);
  expect(auth.user?.email).toBe(person.address);
  expect(await auth.renew(await auth.authorization())).toBe(true);
  expect(new Set(network.keys.slice(1)).size).toBe(2);
});

test('a renewal interrupted in one tab is completed by the next, with the key from the storage', async () => {
  const { network, fetch } = losing();
  const storage = memoryStorage();
  const { auth, person } = await signedIn(world, client, { fetch, storage });
  network.toLose = 1;
  await expect(auth.renew(await auth.authorization())).rejects.toMatchObject({ code: 'network_error' });
  // The tab is gone; the next one has only the storage.
  const next = createAuth(authOptionsOf(world, client, { storage }));
  await next.ready;
  expect(await next.renew(await next.authorization())).toBe(true);
  expect(next.user?.email).toBe(person.address);
  const reached = await next.fetch(`/v1/${client.clientId.replace('.', '/projects/')}/user-state/production`);
  expect(reached.status).toBe(204);
});

test('tokens stored by version 0.1.0 get a key before they are renewed', async () => {
  const { network, fetch } = losing();
  const storage = memoryStorage();
  await signedIn(world, client, { storage });
  const name = `holdfast:${near(world.baseUrl)}:${client.clientId}:production`;
  const { renewalKey, ...old } = JSON.parse(String(await storage.get(name)));
  expect(renewalKey).toMatch(/^[\w-]{22}$/);
  await storage.set(name, JSON.stringify(old));
  const auth = createAuth(authOptionsOf(world, client, { storage, fetch }));
  await auth.ready;
  network.toLose = 1;
  await expect(auth.renew(await auth.authorization())).rejects.toMatchObject({ code: 'network_error' });
  expect(JSON.parse(String(await storage.get(name))).renewalKey).toBe(network.keys[0]);
  expect(await auth.renew(await auth.authorization())).toBe(true);
  expect(network.keys[1]).toBe(network.keys[0]);
});
