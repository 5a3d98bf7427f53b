/** Sign-in with the client: forms of the hosted pages, automatic renewal of tokens, several tabs with one storage. */

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuthOptions, createAuth, createClient, memoryStorage } from '@holdfast/client';
import { fileStorage, signInWithBrowser } from '@holdfast/client/node';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { type LoginClient, type LoginWorld, openLoginWorld } from '../login/world.ts';
import * as people from './people.ts';
import { near } from './people.ts';

let world: LoginWorld;
beforeAll(async () => {
  world = await openLoginWorld({ SVC_ACCESS_TOKEN_SECONDS: '60' });
});
afterAll(() => world.stop());

const newPerson = (client?: LoginClient, redirectUri?: string) => people.newPerson(world, client, redirectUri);
const optionsOf = (client: LoginClient | undefined, more?: Partial<AuthOptions>) =>
  people.authOptionsOf(world, client, more);
const signedIn = (client: LoginClient | undefined, more?: Partial<AuthOptions>) => people.signedIn(world, client, more);

/** Counts requests to the token endpoint. */
function counted() {
  const counts = { token: 0 };
  const counting: typeof fetch = (input, init) => {
    if (String(input).endsWith('/v1/auth/token')) counts.token++;
    return fetch(input, init);
  };
  return { counts, fetch: counting };
}

describe('sign-in', () => {
  test('leads a player to the login page and back, and to their state', async () => {
    const client = await world.newClient();
    const { person, auth, completed } = await signedIn(client);
    expect(completed).toMatchObject({ user: { role: 'end_user', email: person.address }, returnTo: '/level/7' });
    expect(await auth.handleRedirect(person.returned)).toEqual(completed);
    expect(await auth.handleRedirect('http://127.0.0.1/callback')).toBeNull();
    expect(await auth.handleRedirect('http://127.0.0.1/callback?code=x&state=of-somebody-else')).toBeNull();
    const { userState } = createClient<{ userState: { gold: number } }>({
      baseUrl: near(world.baseUrl),
      accountId: client.developer.accountId,
      project: 'game',
      environment: 'production',
      auth,
    });
    expect((await userState.update(() => ({ gold: 3 }))).state).toEqual({ gold: 3 });
    const seen: unknown[] = [];
    auth.onChange((user) => seen.push(user));
    await auth.signOut();
    expect([auth.user, seen]).toEqual([null, [null]]);
    await expect(userState.get()).rejects.toMatchObject({ code: 'signed_out' });
  });

  test('signs in a developer, whose token can manage the account', async () => {
    const { auth, completed } = await signedIn(undefined);
    expect(completed?.user).toMatchObject({ role: 'developer', accountId: expect.stringMatching(/^acc_/) });
    const answer = await auth.fetch(`/v1/${auth.user?.accountId}/projects`);
    expect([answer.status, await answer.json()]).toEqual([200, { items: [], cursor: null, hasMore: false }]);
    await expect(auth.fetch('https://elsewhere.example/')).rejects.toThrow('cannot send the token');
    await auth.signOut();
  });

  test('of a program returns to a port of this machine, and is kept in files', async () => {
    const port = await freePort();
    const redirectUri = `http://127.0.0.1:${port}/callback`;
    const client = await world.newClient({ redirectUris: [redirectUri] });
    const person = await newPerson(client, redirectUri);
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-tokens-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    let said = '';
    const openUrl = async (url: string) => {
      await person.openUrl(url);
      said = await (await fetch(person.returned)).text();
    };
    const options = optionsOf(client, { redirectUri, openUrl, storage: fileStorage(folder) });
    const signedIn = await signInWithBrowser(createAuth(options), { redirectUri });
    expect(signedIn.user.email).toBe(person.address);
    await expect.poll(() => said).toBe('You are signed in. You can close this window.\n');
    const later = createAuth(options);
    await later.ready;
    expect(later.user?.email).toBe(person.address);
    await later.signOut();
    expect(await readdir(folder)).toEqual([]);
    await fileStorage(folder).delete('what was never stored');
    await expect(
      signInWithBrowser(createAuth({ ...options, openUrl: () => {} }), { redirectUri, timeoutMs: 50 }),
    ).rejects.toMatchObject({ code: 'timeout' });
  });

  test('is refused if the response comes from another server, or names none', async () => {
    const person = await newPerson();
    const asked: string[] = [];
    const reach: typeof fetch = (input, init) => {
      asked.push(new URL(String(input)).pathname);
      return fetch(input, init);
    };
    for (const iss of ['https://elsewhere.example', null]) {
      const auth = createAuth(optionsOf(undefined, { openUrl: person.openUrl, fetch: reach }));
      await auth.signIn();
      const url = new URL(person.returned);
      expect(url.searchParams.get('iss')).toBe(world.baseUrl);
      if (iss === null) url.searchParams.delete('iss');
      else url.searchParams.set('iss', iss);
      await expect(auth.handleRedirect(url.href)).rejects.toMatchObject({
        code: 'unexpected_response',
        message: expect.stringContaining(iss ?? 'does not say'),
      });
      expect(auth.user).toBeNull();
    }
    expect(asked).not.toContain('/v1/auth/token');
  });

  test('reports the error of the login page', async () => {
    const person = await newPerson();
    const auth = createAuth(optionsOf(undefined, { openUrl: person.openUrl }));
    await auth.signIn();
    const url = new URL(person.returned);
    url.searchParams.delete('code');
    url.searchParams.set('error', 'access_denied');
    url.searchParams.set('error_description', 'not today');
    await expect(auth.handleRedirect(url.href)).rejects.toMatchObject({ code: 'access_denied', message: 'not today' });
  });
});

describe('tokens', () => {
  test('are renewed once for all callers, by one of several tabs, and keep the name', async () => {
    const client = await world.newClient();
    const storage = memoryStorage();
    const first = counted();
    const { auth, person } = await signedIn(client, { storage, fetch: first.fetch });
    const tabs = [auth];
    const others = counted();
    for (let n = 0; n < 4; n++) tabs.push(createAuth(optionsOf(client, { storage, fetch: others.fetch })));
    await Promise.all(tabs.map(({ ready }) => ready));
    expect(tabs.map(({ user }) => user?.email)).toEqual(tabs.map(() => person.address));
    const before = await auth.accessToken();
    const renewals = await Promise.all(tabs.flatMap((tab) => [1, 2, 3].map(() => tab.renew(`Bearer ${before}`))));
    expect(renewals.every(Boolean)).toBe(true);
    const after = await Promise.all(tabs.map((tab) => tab.accessToken()));
    expect(new Set(after).size).toBe(1);
    expect(after[0]).not.toBe(before);
    expect(first.counts.token + others.counts.token).toBe(2); // the code, and one refresh
    expect(auth.user?.email).toBe(person.address);
  });

  test('are renewed after a 401, and the request succeeds', async () => {
    const client = await world.newClient();
    const { counts, fetch } = counted();
    const { auth } = await signedIn(client, { fetch });
    const rejecting = new Set<string | null>();
    const once: typeof globalThis.fetch = async (input, init) => {
      const token = new Headers(init?.headers).get('Authorization');
      if (rejecting.size === 0) rejecting.add(token);
      return rejecting.has(token) ? new Response(null, { status: 401 }) : globalThis.fetch(input, init);
    };
    const { userState } = createClient({
      baseUrl: near(world.baseUrl),
      accountId: client.developer.accountId,
      project: 'game',
      environment: 'production',
      auth,
      fetch: once,
    });
    expect(await Promise.all([userState.get(), userState.get(), userState.get()])).toEqual([null, null, null]);
    expect(counts.token).toBe(2);
  });

  test('end the sign-in in every tab once they are revoked', async () => {
    const client = await world.newClient();
    const storage = memoryStorage();
    const { auth } = await signedIn(client, { storage });
    const other = createAuth(optionsOf(client, { storage }));
    await other.ready;
    const { refreshToken } = JSON.parse(String(await storedTokens(storage, client)));
    const logout = await fetch(near(`${world.baseUrl}/v1/auth/logout`), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    });
    expect(logout.status).toBe(204);
    expect(await auth.renew(await auth.authorization())).toBe(false);
    expect(auth.user).toBeNull();
    expect(await other.renew(await other.authorization().catch(() => undefined))).toBe(false);
    await expect(other.accessToken()).rejects.toMatchObject({ code: 'signed_out' });
  });

  test('stay when the service is out of reach', async () => {
    const client = await world.newClient();
    let isDown = false;
    const flaky: typeof fetch = (input, init) =>
      isDown ? Promise.reject(new TypeError('no network')) : fetch(input, init);
    const { auth } = await signedIn(client, { fetch: flaky });
    const authorization = await auth.authorization();
    isDown = true;
    await expect(auth.renew(authorization)).rejects.toMatchObject({ code: 'network_error' });
    expect(auth.user).not.toBeNull();
    isDown = false;
    expect(await auth.renew(authorization)).toBe(true);
  });
});

const storedTokens = (storage: ReturnType<typeof memoryStorage>, { clientId }: LoginClient) =>
  storage.get(`holdfast:${near(world.baseUrl)}:${clientId}:production`);
