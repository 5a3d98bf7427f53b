/** `@holdfast/client/server`: verifying a player's access token, and writing saves from a server. */
import { createServer, type Server } from '@holdfast/client/server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Project } from '../support/server.ts';
import { type ClientWorld, openClientWorld } from './world.ts';

interface Save {
  gold: number;
}

let world: ClientWorld;
let project: Project;
let asked: string[];
let options: Omit<Parameters<typeof createServer>[0], 'schema'>;
let server: Server<{ userState: Save }>;
beforeAll(async () => {
  world = await openClientWorld();
  project = await world.newProject();
  asked = [];
  const { accountId } = project.developer;
  const account = await world.server.call('POST', `/v1/${accountId}/service-accounts`, {
    headers: project.developer.bearer,
    body: { name: 'game server', role: 'server' },
  });
  const { id, clientSecret: secret } = account.json as { id: string; clientSecret: string };
  const network: typeof fetch = (input, init) => {
    asked.push(String(input).slice(world.server.baseUrl.length));
    return fetch(input, init);
  };
  const place = { baseUrl: world.server.baseUrl, accountId, project: project.slug, environment: 'production' } as const;
  options = { ...place, serviceAccount: { id, secret }, fetch: network };
  server = createServer<{ userState: Save }>(options);
});
afterAll(() => world.server.stop());

const tokenOf = (more: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  world.server.running.accessTokens.signPlayerToken({
    accountId: project.developer.accountId,
    slug: project.slug,
    environment: 'production',
    userId: 'ada',
    seconds: 900,
    ...more,
  });

const rejected = (why: string) => ({ code: 'unauthorized', message: expect.stringContaining(why) });

describe('verifyPlayer', () => {
  test('identifies a player, and fetches the keys once', async () => {
    const fresh = createServer(options);
    asked.length = 0;
    const [one, guest, signedUp] = await Promise.all([
      fresh.verifyPlayer(await tokenOf()),
      fresh.verifyPlayer(await tokenOf({ userId: 'guest_1', isGuest: true })),
      fresh.verifyPlayer(await tokenOf({ userId: 'guest_1', email: 'g@example.com' })),
    ]);
    expect(one).toEqual({ id: 'ada', isGuest: false, email: undefined, name: undefined, expiresAt: expect.any(Date) });
    expect(guest).toMatchObject({ id: 'guest_1', isGuest: true });
    expect(signedUp).toMatchObject({ id: 'guest_1', isGuest: false, email: 'g@example.com' });
    expect(asked).toEqual(['/.well-known/jwks.json']);
  });

  test('accepts only tokens of players of this project and environment', async () => {
    const good = await tokenOf();
    const [head, body, signature] = good.split('.') as [string, string, string];
    const forged = Buffer.from(JSON.stringify({ ...JSON.parse(atob(body)), user_id: 'eve', sub: 'eve' })).toString(
      'base64url',
    );
    const none = Buffer.from('{"alg":"none","typ":"at+jwt","kid":"x"}').toString('base64url');
    const unknown = Buffer.from('{"alg":"ES256","typ":"at+jwt","kid":"x"}').toString('base64url');
    const cases: readonly (readonly [string, string])[] = [
      ['', 'no access token'],
      ['a.b.c', 'no access token'],
      [`${good}.x`, 'no access token'],
      ['x'.repeat(10_000), 'no access token'],
      [`${none}.${body}.`, 'no access token'],
      [`${unknown}.${body}.${signature}`, 'signing key is unknown'],
      [`${head}.${forged}.${signature}`, 'signature is wrong'],
      [`${head}.${body}.${signature.slice(2)}`, 'signature is wrong'],
      [await tokenOf({ environment: 'staging' }), 'another project or environment'],
      [await tokenOf({ slug: 'other' }), 'another project or environment'],
      [await tokenOf({ accountId: 'acc_other' }), 'another project or environment'],
      [project.developer.token, 'not of a player'],
    ];
    for (const [token, why] of cases) await expect(server.verifyPlayer(token)).rejects.toMatchObject(rejected(why));
    const elsewhere = createServer({ ...options, issuer: 'https://other.example' });
    await expect(elsewhere.verifyPlayer(good)).rejects.toMatchObject(rejected('not https://other.example'));
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 906_000);
    await expect(server.verifyPlayer(good)).rejects.toMatchObject(rejected('expired'));
    clock.mockRestore();
    // Unknown keys are not requested repeatedly.
    asked.length = 0;
    for (let n = 0; n < 5; n++) await server.verifyPlayer(`${unknown}.${body}.${signature}`).catch(() => {});
    expect(asked).toEqual([]);
  });

  test('asks the service whether a session is still valid, if requested', async () => {
    const client = await world.userClientOf<{ userState: Save }>(project, 'bob');
    await client.userState.update(() => ({ gold: 1 }));
    const token = await tokenOf({ userId: 'bob' });
    expect(await server.verifyPlayer(token, { isCurrent: true })).toMatchObject({ id: 'bob' });
    const block = await world.server.call('PUT', `${project.path}/players/bob/block`, {
      headers: project.developer.bearer,
      body: { reason: 'cheats' },
    });
    expect(block.status).toBe(200);
    expect(await server.verifyPlayer(token)).toMatchObject({ id: 'bob' });
    await expect(server.verifyPlayer(token, { isCurrent: true })).rejects.toMatchObject(rejected('session has ended'));
  });

  test('continues with cached keys when the service is out of reach', async () => {
    const network = { isDown: false };
    const mine = createServer({
      ...options,
      fetch: (input, init) => (network.isDown ? Promise.reject(new TypeError('no network')) : fetch(input, init)),
    });
    await mine.verifyPlayer(await tokenOf());
    network.isDown = true;
    expect(await mine.verifyPlayer(await tokenOf())).toMatchObject({ id: 'ada' });
    const late = createServer({ ...options, fetch: () => Promise.reject(new TypeError('no network')) });
    await expect(late.verifyPlayer(await tokenOf())).rejects.toMatchObject({ code: 'network_error' });
  });

  test('never mistakes an error of the service for keys or a valid session', async () => {
    const failing = { path: '' };
    const mine = createServer({
      ...options,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        return String(input).endsWith(failing.path) ? new Response(response.body, { status: 503 }) : response;
      },
    });
    const token = await tokenOf();
    failing.path = '/jwks.json';
    await expect(mine.verifyPlayer(token)).rejects.toMatchObject({ code: 'unexpected_response' });
    failing.path = '/me';
    expect(await mine.verifyPlayer(token)).toMatchObject({ id: 'ada' });
    await expect(mine.verifyPlayer(token, { isCurrent: true })).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

describe('save', () => {
  test('is read and written with the service account, and merged with the player’s writes', async () => {
    const player = await world.userClientOf<{ userState: Save }>(project, 'carol');
    const save = server.save('carol');
    expect(await save.get()).toBeNull();
    asked.length = 0;
    const add = (draft: Save): void => {
      draft.gold += 1;
    };
    const both = [save, player.userState, save, player.userState];
    await Promise.all(both.map((one) => one.update(add, { initial: { gold: 0 } })));
    expect((await save.get())?.state).toEqual({ gold: 4 });
    await save.update(add, { comment: 'won the cup' });
    expect(asked.filter((path) => path.includes('/auth/token'))).toHaveLength(0); // uses the token of the first read
    const history = await world.server.call('GET', `${project.path}/user-states/production/carol/history`, {
      headers: project.developer.bearer,
    });
    expect(history.json).toMatchObject({
      items: [{ comment: 'won the cup', author: { kind: 'service_account' } }, {}, {}, {}, {}],
    });
  });

  test('with an unusual id belongs to that player, and a wrong secret is reported', async () => {
    const odd = server.save('a/b c%');
    await odd.update(() => ({ gold: 7 }));
    const read = await world.server.call('GET', `${project.path}/user-states/production/${encodeURIComponent('a/b c%')}`, {
      headers: project.developer.bearer,
    });
    expect(read.json).toMatchObject({ state: { gold: 7 } });
    expect(() => server.save(' ')).toThrow('empty');
    const wrong = createServer({ ...options, serviceAccount: { id: 'sa_x', secret: 'svcs_x' } });
    await expect(wrong.save('ada').get()).rejects.toMatchObject({ code: 'invalid_client' });
    const { serviceAccount: _, ...none } = options;
    await expect(createServer(none).save('ada').get()).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
