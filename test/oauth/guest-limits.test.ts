/** Limits on guests, per address and per account. @see docs/contract.md §7.14 and §10 */
import { decodeJwt } from 'jose';
import { afterEach, describe, expect, test } from 'vitest';
import { type Device, guestGrant, newDevice, nonceOf } from '../../tooling/guest.ts';
import type { Answer } from '../support/client.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let clock: number;
afterEach(() => server.stop());

async function start(settings: Readonly<Record<string, string>>): Promise<Project> {
  clock = Date.now();
  const trusted = { SVC_TRUST_PROXY: '127.0.0.1', SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0' };
  server = await startServer({ settings: { ...trusted, ...settings }, now: () => clock });
  return newGuestProject();
}

async function newGuestProject(): Promise<Project> {
  const project = await server.newProject();
  const answer = await server.call('PUT', `${project.path}/auth/end-user/config`, {
    headers: project.developer.bearer,
    body: { enabled: true, allowedIdps: ['anonymous'] },
  });
  expect(answer.status, answer.text).toBe(200);
  return project;
}

/** One IPv4 address and three IPv6 addresses, two of which share a /48. */
const [home, room, hall, elsewhere] = ['192.0.2.1', '2001:db8:1:1::7', '2001:db8:1:2::7', '2001:db8:2:1::7'] as const;

const clientIdOf = ({ developer, slug }: Project) => `${developer.accountId}.${slug}`;

async function ask(device: Device, project: Project, address: string): Promise<Answer> {
  const post = (form: Readonly<Record<string, string>>) =>
    server.call('POST', '/v1/auth/token', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': address },
      body: new URLSearchParams(form).toString(),
    });
  const place = { baseUrl: server.baseUrl, clientId: clientIdOf(project), scope: 'env:production' };
  const assertion = device.assert(place, nonceOf(await post({ grant_type: 'x', client_id: 'x' })));
  return post({ grant_type: guestGrant, client_id: place.clientId, scope: place.scope, assertion });
}

/** The statuses of the answers to new guests from an address. */
async function newGuests(count: number, project: Project, address: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await ask(newDevice(), project, address)).status);
  return statuses;
}

const bearerOf = (answer: Answer) => {
  expect(answer.status, answer.text).toBe(200);
  return { Authorization: `Bearer ${(answer.json as { access_token: string }).access_token}` };
};
const read = (project: Project, headers: Readonly<Record<string, string>>) =>
  server.call('GET', `${project.path}/user-state/production`, { headers });
const create = (project: Project, headers: Readonly<Record<string, string>>, value: unknown = 1) =>
  server.call('PATCH', `${project.path}/user-state/production`, {
    headers: { ...headers, 'If-None-Match': '*' },
    body: { ops: [{ op: 'add', path: '/a', value }] },
  });

describe('new guests per hour', () => {
  test('are counted for their address and then their network; known guests are never refused', async () => {
    const project = await start({ SVC_GUESTS_PER_HOUR: '2' });
    const [known, player] = [newDevice(), newDevice()];
    await create(project, bearerOf(await ask(player, project, elsewhere)));
    expect((await ask(known, project, home)).status).toBe(200);
    expect(await newGuests(2, project, home)).toEqual([200, 429]);
    const refused = await ask(newDevice(), project, home);
    expect([refused.status, refused.json]).toMatchObject([429, { error: 'rate_limited' }]);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3_600);
    nonceOf(refused);
    expect((await ask(known, project, home)).status).toBe(200);
    // Every node recognizes a guest with a user state, even without a cache entry.
    expect((await ask(player, project, home)).status).toBe(200);

    expect(await newGuests(3, project, room)).toEqual([200, 200, 429]);
    expect(await newGuests(3, project, hall)).toEqual([200, 200, 429]);
    const other = (n: number) => `2001:db8:1:${n}::7`;
    expect(await newGuests(3, project, other(3))).toEqual([200, 200, 429]);
    expect(await newGuests(3, project, other(4))).toEqual([200, 200, 429]);
    expect(await newGuests(1, project, other(5))).toEqual([429]);
    expect(await newGuests(2, project, elsewhere)).toEqual([200, 429]);
    clock += 60 * 60 * 1000 + 1_000;
    expect(await newGuests(1, project, home)).toEqual([200]);
    expect(await newGuests(1, project, other(5))).toEqual([200]);
  });

  test('who are refused have used up nothing', async () => {
    const project = await start({ SVC_GUESTS_PER_HOUR: '1' });
    expect(await newGuests(1, project, home)).toEqual([200]);
    const place = { baseUrl: server.baseUrl, clientId: clientIdOf(project), scope: 'env:production' };
    const post = (form: Readonly<Record<string, string>>, address: string) =>
      server.call('POST', '/v1/auth/token', {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': address },
        body: new URLSearchParams(form).toString(),
      });
    const nonce = nonceOf(await post({ grant_type: 'x', client_id: 'x' }, home));
    const assertion = newDevice().assert(place, nonce);
    const form = { grant_type: guestGrant, client_id: place.clientId, scope: place.scope, assertion };
    expect((await post(form, home)).status).toBe(429);
    expect((await post(form, room)).status).toBe(200);
  });
});

test('guest requests count for their address and network, separately from other projects and from signed-in players', async () => {
  const project = await start({ SVC_RATE_LIMIT_PER_MINUTE: '2' });
  const sibling = await newGuestProject();
  const from = async (of: Project, address: string) => ({
    ...bearerOf(await ask(newDevice(), of, address)),
    'X-Forwarded-For': address,
  });
  const statuses = async (of: Project, ...headers: Readonly<Record<string, string>>[]) => {
    const all: number[] = [];
    for (const each of headers) all.push((await read(of, each)).status);
    return all;
  };
  const [one, two] = [await from(project, room), await from(project, room)];
  expect(await statuses(project, one, two, one)).toEqual([204, 204, 429]);
  const refused = await read(project, two);
  expect([refused.status, refused.headers.ratelimit]).toEqual([429, '"minute";r=0;t=60']);
  for (const n of [2, 3, 4]) {
    const other = await from(project, `2001:db8:1:${n}::7`);
    expect(await statuses(project, other, other, other)).toEqual([204, 204, 429]);
  }
  const fifth = await from(project, '2001:db8:1:5::7');
  expect(await statuses(project, fifth)).toEqual([429]);
  expect(await statuses(project, await from(project, elsewhere))).toEqual([204]);
  const neighbour = await from(sibling, room);
  expect(await statuses(sibling, neighbour)).toEqual([204]);
  const { accountId } = project.developer;
  const token = await server.running.accessTokens.signPlayerToken({
    accountId,
    slug: project.slug,
    environment: 'production',
    userId: 'player-1',
    seconds: 900,
  });
  expect(await statuses(project, { Authorization: `Bearer ${token}`, 'X-Forwarded-For': room })).toEqual([204]);
});

test('guests use at most half of the month’s requests, players and storage, rounded down', async () => {
  const project = await start({
    SVC_QUOTA_API_REQUESTS_PER_MONTH: '9',
    SVC_QUOTA_END_USERS: '3',
    SVC_QUOTA_STORAGE_BYTES: '41',
  });
  const [first, second] = [
    bearerOf(await ask(newDevice(), project, home)),
    bearerOf(await ask(newDevice(), project, home)),
  ];
  const oversized = await create(project, first, 'x'.repeat(14));
  expect([oversized.status, oversized.json]).toMatchObject([402, { code: 'QUOTA_STORAGE', limit: 20, used: 0 }]);
  expect((await create(project, first)).status).toBe(200);
  const crowded = await create(project, second);
  expect([crowded.status, crowded.json]).toMatchObject([402, { code: 'QUOTA_END_USERS', limit: 1, used: 1 }]);
  expect((crowded.json as { message: string }).message).toContain('guests');
  expect((await read(project, first)).status).toBe(200);
  const spent = await read(project, second);
  expect([spent.status, spent.json]).toMatchObject([402, { code: 'QUOTA_API_REQUESTS', limit: 4, used: 4 }]);
  expect(Number(spent.headers['retry-after'])).toBeGreaterThan(0);
  const { developer, path } = project;
  const states = await server.call('GET', `${path}/user-states/production`, { headers: developer.bearer });
  const { items } = states.json as { items: { endUserId: string }[] };
  expect(items.map(({ endUserId }) => endUserId)).toEqual([decodeJwt(first.Authorization.slice(7)).user_id]);
});
