/** Service accounts over HTTP: their records, their reach, and how they end. @see docs/contract.md §8.11 */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { readEvents } from '../support/events.ts';
import { newMember } from '../support/members.ts';
import { type Developer, type Project, startServer, type TestServer } from '../support/server.ts';
import {
  askToken,
  bearerOfRobot,
  createRobot,
  expectTable,
  type Headers,
  newRobotOf,
  type Robot,
  robotsOf,
} from './service-accounts.fixture.ts';

const clock = { at: Date.now() };
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ now: () => clock.at, settings: { SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0' } });
});
afterAll(() => server.stop());

const fault = (answer: Answer) => [answer.status, (answer.json as { error?: string }).error];
const create = (developer: Developer, body?: Readonly<Record<string, unknown>>) => createRobot(server, developer, body);
const newRobot = (developer: Developer, body?: Readonly<Record<string, unknown>>) => newRobotOf(server, developer, body);

async function read(developer: Developer, id: string): Promise<Robot> {
  const answer = await server.call('GET', `${robotsOf(developer)}/${id}`, { headers: developer.bearer });
  expect(answer.status, answer.text).toBe(200);
  return answer.json as Robot;
}

const token = (form: Readonly<Record<string, string>>, headers?: Headers) => askToken(server, form, headers);
const bearerOf = (robot: Pick<Robot, 'id' | 'clientSecret'>) => bearerOfRobot(server, robot);

describe('the record', () => {
  test('is created with a secret shown once, then read, listed and deleted', async () => {
    const developer = await server.newDeveloper();
    const expiresAt = new Date(clock.at + 3_600_000).toISOString();
    const created = await create(developer, { name: 'CI "7" 😀', environments: ['production', 'development'], expiresAt });
    expect(created.status).toBe(201);
    expect(created.headers['cache-control']).toBe('no-store');
    const { clientSecret, ...record } = created.json as Robot;
    expect(clientSecret).toMatch(/^svcs_[0-9A-Za-z]{36}$/);
    expect(record).toEqual({
      id: expect.stringMatching(/^sa_[0-9A-Za-z]{22}$/),
      name: 'CI "7" 😀',
      role: 'editor',
      environments: ['development', 'production'],
      createdAt: new Date(clock.at).toISOString(),
      lastUsedAt: null,
      expiresAt,
      secrets: [
        { secretId: expect.stringMatching(/^sec_/), createdAt: new Date(clock.at).toISOString(), lastUsedAt: null },
      ],
    });
    const path = `${robotsOf(developer)}/${record.id}`;
    const headers = developer.bearer;
    expect((await server.call('GET', path, { headers })).json).toEqual(record);
    const listed = await server.call('GET', robotsOf(developer), { headers });
    expect([listed.json, listed.text.includes(clientSecret)]).toEqual([{ items: [record] }, false]);
    expect((await server.call('DELETE', path, { headers })).status).toBe(204);
    for (const method of ['GET', 'DELETE']) {
      expect(fault(await server.call(method, path, { headers }))).toEqual([404, 'not_found']);
    }
    expect(fault(await server.call('POST', `${path}/secrets`, { headers }))).toEqual([404, 'not_found']);
    expect(fault(await server.call('DELETE', `${path}/secrets/sec_1`, { headers }))).toEqual([404, 'not_found']);
  });

  test.each([
    { role: 'owner' },
    { role: 'Admin' },
    { role: null },
    { role: 'root' },
    { name: '' },
    { name: 'x'.repeat(201) },
    { environments: [] },
    { environments: ['qa'] },
    { environments: ['staging', 'staging'] },
    { environments: 'production' },
    { expiresAt: 'tomorrow' },
    { expiresAt: '2020-01-01T00:00:00.000Z' },
  ])('%j: 400', async (body) => {
    expect(fault(await create(await server.newDeveloper(), body))).toEqual([400, 'validation_error']);
  });

  test.each(['', 'x', 'sb_1', 'sa_', 'sa_%2e', 'sa_1.2'])('the id "%s" in a path: 400, or an unknown path', async (id) => {
    const developer = await server.newDeveloper();
    const answer = await server.call('DELETE', `${robotsOf(developer)}/${id}`, { headers: developer.bearer });
    expect([400, 404, 405]).toContain(answer.status);
  });

  test('is limited to 100 per account, with two secrets each', async () => {
    const developer = await server.newDeveloper();
    const { bearer: headers } = developer;
    const created = await Promise.all(Array.from({ length: 104 }, () => create(developer)));
    const refused = created.filter(({ status }) => status !== 201);
    expect(refused.map(fault)).toEqual(Array.from({ length: 4 }, () => [409, 'limit_reached']));
    const [first] = created.filter(({ status }) => status === 201);
    const { id } = (first as Answer).json as Robot;
    const secrets = `${robotsOf(developer)}/${id}/secrets`;
    const second = await server.call('POST', secrets, { headers });
    expect([second.status, second.json]).toEqual([
      201,
      { secretId: expect.stringMatching(/^sec_/), clientSecret: expect.stringMatching(/^svcs_/) },
    ]);
    expect(fault(await server.call('POST', secrets, { headers }))).toEqual([409, 'limit_reached']);
    expect((await server.call('DELETE', `${robotsOf(developer)}/${id}`, { headers })).status).toBe(204);
    expect((await create(developer)).status).toBe(201);
  });

  test('of another account is out of reach', async () => {
    const [mine, theirs] = [await server.newDeveloper(), await server.newDeveloper()];
    const { id, secrets } = await newRobot(theirs);
    const headers = mine.bearer;
    expect((await server.call('GET', `${robotsOf(theirs)}/${id}`, { headers })).status).toBe(403);
    expect((await server.call('DELETE', `${robotsOf(mine)}/${id}`, { headers })).status).toBe(404);
    const secret = `${robotsOf(mine)}/${id}/secrets/${secrets[0]?.secretId}`;
    expect((await server.call('DELETE', secret, { headers })).status).toBe(404);
  });
});

describe('the token', () => {
  test('acts in the account, has no refresh token, and names its kind in a claim', async () => {
    const developer = await server.newDeveloper();
    const { id, clientSecret, secrets } = await newRobot(developer);
    const answer = await token({ client_id: id, client_secret: clientSecret });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { access_token, ...rest } = answer.json as Record<string, string>;
    expect(rest).toEqual({ token_type: 'Bearer', expires_in: 900, scope: 'developer' });
    expect(decodeJwt(access_token as string)).toMatchObject({
      sub: id,
      client_id: id,
      svc_role: 'developer',
      svc_account_id: developer.accountId,
      svc_acts_as: 'service_account',
      svc_secret_id: secrets[0]?.secretId,
    });
    const headers = { Authorization: `Bearer ${access_token}` };
    expect((await server.call('GET', `/v1/${developer.accountId}`, { headers })).status).toBe(200);
    const other = await server.newDeveloper();
    expect((await server.call('GET', `/v1/${other.accountId}`, { headers })).status).toBe(403);
  });

  test('expires no later than its service account', async () => {
    const developer = await server.newDeveloper();
    const robot = await newRobot(developer, { expiresAt: new Date(clock.at + 60_500).toISOString() });
    const form = { client_id: robot.id, client_secret: robot.clientSecret };
    const answer = await token(form);
    expect(answer.json).toMatchObject({ expires_in: 60 });
    const headers = { Authorization: `Bearer ${(answer.json as { access_token: string }).access_token}` };
    clock.at += 61_000;
    expect((await server.call('GET', `/v1/${developer.accountId}`, { headers })).status).toBe(401);
    expect(fault(await token(form))).toEqual([401, 'invalid_client']);
  });

  test.each<[string, (robot: Robot) => Record<string, string>, number, string]>([
    ['no client_id', ({ clientSecret }) => ({ client_secret: clientSecret }), 400, 'invalid_request'],
    ['no client_secret', ({ id }) => ({ client_id: id }), 401, 'invalid_client'],
    ['a typo', ({ id, clientSecret }) => ({ client_id: id, client_secret: mistyped(clientSecret) }), 401, 'invalid_client'],
    ['an unknown secret', ({ id }) => ({ client_id: id, client_secret: unknownSecret }), 401, 'invalid_client'],
    ['an API key', ({ id }) => ({ client_id: id, client_secret: `svck_${'0'.repeat(36)}` }), 401, 'invalid_client'],
    ['a long secret', ({ id }) => ({ client_id: id, client_secret: 's'.repeat(60_000) }), 401, 'invalid_client'],
    ['another client', ({ clientSecret }) => ({ client_id: 'sa_1', client_secret: clientSecret }), 401, 'invalid_client'],
    [
      'the client of developers',
      ({ clientSecret }) => ({ client_id: 'svc-developer', client_secret: clientSecret }),
      401,
      'invalid_client',
    ],
    [
      'another scope',
      ({ id, clientSecret }) => ({ client_id: id, client_secret: clientSecret, scope: 'env:production' }),
      400,
      'invalid_scope',
    ],
  ])('with %s is refused', async (_, form, status, error) => {
    const robot = await newRobot(await server.newDeveloper());
    const answer = await token(form(robot));
    expect(fault(answer)).toEqual([status, error]);
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
    expect(answer.text).not.toContain(robot.clientSecret);
  });

  test('may be requested with its own scope', async () => {
    const { id, clientSecret } = await newRobot(await server.newDeveloper());
    expect((await token({ client_id: id, client_secret: clientSecret, scope: 'developer' })).status).toBe(200);
  });

  test('is not issued by other grants', async () => {
    const { id, clientSecret } = await newRobot(await server.newDeveloper());
    const form = { grant_type: 'refresh_token', client_id: id, client_secret: clientSecret, refresh_token: 'x' };
    expect(fault(await token(form))).toEqual([401, 'invalid_client']);
  });
});

const unknownSecret = 'svcs_000000000000000000000000000000'.padEnd(35, '0');
const mistyped = (secret: string) => `${secret.slice(0, 20)}${secret[20] === 'a' ? 'b' : 'a'}${secret.slice(21)}`;

describe('HTTP Basic', () => {
  const basic = (id: string, secret: string) => ({
    Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  const challenge = 'Basic realm="Holdfast", charset="UTF-8"';

  test('names the client and carries the secret, escaped or not', async () => {
    const { id, clientSecret } = await newRobot(await server.newDeveloper());
    const escaped = (text: string) => text.replaceAll('_', '%5F');
    for (const headers of [basic(id, clientSecret), basic(escaped(id), escaped(clientSecret))]) {
      expect((await token({}, headers)).status).toBe(200);
      expect((await token({ client_id: id }, headers)).status).toBe(200);
      const lower = { Authorization: headers.Authorization.replace('Basic', 'basic') };
      expect((await token({}, lower)).status).toBe(200);
    }
  });

  test('beside a secret in the form, or with another client_id, is invalid_request', async () => {
    const { id, clientSecret } = await newRobot(await server.newDeveloper());
    const headers = basic(id, clientSecret);
    expect(fault(await token({ client_id: id, client_secret: clientSecret }, headers))).toEqual([400, 'invalid_request']);
    expect(fault(await token({ client_id: 'sa_other' }, headers))).toEqual([400, 'invalid_request']);
  });

  test.each<[string, (robot: Robot) => string]>([
    ['a wrong secret', ({ id, clientSecret }) => basic(id, mistyped(clientSecret)).Authorization],
    ['another client', ({ clientSecret }) => basic('sa_other', clientSecret).Authorization],
    ['no colon', () => `Basic ${Buffer.from('sa_1').toString('base64')}`],
    ['no base64', () => 'Basic ?'],
    ['an empty value', () => 'Basic'],
    ['a bad escape', ({ id }) => basic(id, '%zz').Authorization],
    ['a very long value', ({ id }) => basic(id, 'x'.repeat(5_000)).Authorization],
  ])('with %s is 401, which names Basic', async (_, authorization) => {
    const robot = await newRobot(await server.newDeveloper());
    const answer = await token({}, { Authorization: authorization(robot) });
    expect(fault(answer)).toEqual([401, 'invalid_client']);
    expect(answer.headers['www-authenticate']).toBe(challenge);
  });

  test('is the only scheme that authenticates clients', async () => {
    const { id, clientSecret } = await newRobot(await server.newDeveloper());
    const headers = { Authorization: 'Bearer x' };
    expect((await token({ client_id: id, client_secret: clientSecret }, headers)).status).toBe(200);
  });
});

describe('the reach of a service account', () => {
  const documentOf = (project: Project, environment = 'production') => `${project.path}/public-state/${environment}`;
  const put = (path: string, headers: Headers, comment?: string) =>
    server.call('PUT', path, {
      headers: { ...headers, 'If-None-Match': '*' },
      body: { state: {}, ...(comment !== undefined && { comment }) },
    });

  test('includes writes in its environments as an editor, recorded in its name', async () => {
    const project = await server.newProject();
    const robot = await newRobot(project.developer, { name: 'Deployment', environments: ['staging'] });
    const headers = await bearerOf(robot);
    expect((await put(documentOf(project, 'staging'), headers)).status).toBe(200);
    expect(fault(await put(documentOf(project), headers))).toEqual([403, 'forbidden']);
    const history = await server.call('GET', `${documentOf(project, 'staging')}/history`, { headers });
    expect(history.json).toMatchObject({
      items: [{ author: { kind: 'service_account', id: robot.id, name: 'Deployment' } }],
    });
  });

  test('includes a protected environment only if it names that environment', async () => {
    const project = await server.newProject();
    const { developer } = project;
    const body = { protectedEnvironments: ['production'] };
    await server.call('PATCH', project.path, { headers: developer.bearer, body });
    for (const given of [{ role: 'editor' }, { role: 'admin' }, { role: 'server', environments: ['production'] }]) {
      const answer = await put(documentOf(project), await bearerOf(await newRobot(developer, given)), 'why');
      expect(fault(answer), JSON.stringify(given)).toEqual([403, 'forbidden']);
    }
    const headers = await bearerOf(await newRobot(developer, { environments: ['production'] }));
    expect(fault(await put(documentOf(project), headers))).toEqual([400, 'validation_error']);
    expect((await put(documentOf(project), headers, 'release 7')).status).toBe(200);
  });

  test('as an admin includes changing projects, but not protection or protected projects', async () => {
    const project = await server.newProject();
    const headers = await bearerOf(await newRobot(project.developer, { role: 'admin' }));
    const patch = (body: unknown, by: Headers = headers) => server.call('PATCH', project.path, { headers: by, body });
    expect((await patch({ name: 'New' })).status).toBe(200);
    expect(fault(await patch({ protectedEnvironments: ['production'] }))).toEqual([403, 'forbidden']);
    expect((await patch({ protectedEnvironments: ['production'] }, project.developer.bearer)).status).toBe(200);
    expect(fault(await patch({ protectedEnvironments: [] }))).toEqual([403, 'forbidden']);
    expect(fault(await server.call('DELETE', project.path, { headers }))).toEqual([403, 'forbidden']);
    expect((await patch({ protectedEnvironments: [] }, project.developer.bearer)).status).toBe(200);
    expect((await server.call('DELETE', project.path, { headers })).status).toBe(204);
  });

  test.each(['editor'] as const)('as %s matches the table for every operation', (role) => expectTable(server, role));

  test('is its own account only', async () => {
    const developer = await server.newDeveloper('Studio');
    const headers = await bearerOf(await newRobot(developer, { role: 'viewer' }));
    const answer = await server.call('GET', '/v1/developer/accounts', { headers });
    const { accountId } = developer;
    expect([answer.status, answer.json]).toEqual([200, { items: [{ accountId, name: 'Studio', role: 'viewer' }] }]);
  });

  test('cannot be granted by members limited to some environments, or below admin', async () => {
    const { accountId } = await server.newDeveloper();
    const { bearer } = await newMember(server, accountId, 'admin', ['staging']);
    const make = (body: object) =>
      server.call('POST', `/v1/${accountId}/service-accounts`, {
        headers: bearer,
        body: { name: 'x', role: 'editor', ...body },
      });
    const seen = [];
    for (const environments of [null, ['production'], ['staging', 'production'], ['staging']]) {
      seen.push((await make({ environments })).status);
    }
    expect(seen).toEqual([403, 403, 403, 403]);
    for (const role of ['editor', 'support', 'viewer'] as const) {
      const member = await newMember(server, accountId, role);
      const body = { name: 'x', role: 'viewer' };
      const answer = await server.call('POST', `/v1/${accountId}/service-accounts`, { headers: member.bearer, body });
      expect(fault(answer), role).toEqual([403, 'forbidden']);
    }
  });

  test('never includes service accounts, whatever its role', async () => {
    const developer = await server.newDeveloper();
    const { id, clientSecret, secrets } = await newRobot(developer, { role: 'admin' });
    const headers = await bearerOf({ id, clientSecret });
    const path = robotsOf(developer);
    for (const [method, url] of [
      ['GET', path],
      ['POST', path],
      ['GET', `${path}/${id}`],
      ['DELETE', `${path}/${id}`],
      ['POST', `${path}/${id}/secrets`],
      ['DELETE', `${path}/${id}/secrets/${secrets[0]?.secretId}`],
    ] as const) {
      const body = method === 'POST' && url === path ? { name: 'x', role: 'viewer' } : undefined;
      expect(fault(await server.call(method, url, { headers, body }))).toEqual([403, 'forbidden']);
    }
  });
});

describe('revocation', () => {
  const isIn = async (developer: Developer, headers: Headers) =>
    (await server.call('GET', `/v1/${developer.accountId}`, { headers })).status;

  test('of a secret ends its own tokens, not those of the other secret', async () => {
    const developer = await server.newDeveloper();
    const robot = await newRobot(developer);
    const secrets = `${robotsOf(developer)}/${robot.id}/secrets`;
    const second = (await server.call('POST', secrets, { headers: developer.bearer })).json as {
      secretId: string;
      clientSecret: string;
    };
    const [old, fresh] = [await bearerOf(robot), await bearerOf({ id: robot.id, clientSecret: second.clientSecret })];
    expect([await isIn(developer, old), await isIn(developer, fresh)]).toEqual([200, 200]);
    const remove = () => server.call('DELETE', `${secrets}/${robot.secrets[0]?.secretId}`, { headers: developer.bearer });
    expect((await remove()).status).toBe(204);
    expect([await isIn(developer, old), await isIn(developer, fresh)]).toEqual([401, 200]);
    expect((await remove()).status).toBe(404);
    const refused = await token({ client_id: robot.id, client_secret: robot.clientSecret });
    expect(fault(refused)).toEqual([401, 'invalid_client']);
    expect((await read(developer, robot.id)).secrets).toHaveLength(1);
  });

  test('by deleting the service account ends its secrets, tokens and streams', async () => {
    const project = await server.newProject();
    const { developer } = project;
    const robot = await newRobot(developer);
    const headers = await bearerOf(robot);
    const stream = await readEvents(server.baseUrl, `${project.path}/public-state/staging/changes`, headers);
    expect(await stream.next()).toMatchObject({ type: 'snapshot' });
    const path = `${robotsOf(developer)}/${robot.id}`;
    expect((await server.call('DELETE', path, { headers: developer.bearer })).status).toBe(204);
    expect(await stream.next()).toMatchObject({ type: 'goodbye', data: { reason: 'revoked' } });
    stream.close();
    const rejected = await server.call('GET', `/v1/${developer.accountId}`, { headers });
    expect([rejected.status, rejected.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('invalid_token'),
    ]);
    expect(fault(await token({ client_id: robot.id, client_secret: robot.clientSecret }))).toEqual([401, 'invalid_client']);
  });

  test('by deleting the account ends its tokens and secrets', async () => {
    const developer = await server.newDeveloper();
    const robot = await newRobot(developer);
    const headers = await bearerOf(robot);
    await server.call('DELETE', `/v1/${developer.accountId}`, { headers: developer.bearer });
    expect(await isIn(developer, headers)).toBe(401);
    expect(fault(await token({ client_id: robot.id, client_secret: robot.clientSecret }))).toEqual([401, 'invalid_client']);
  });
});

test('the last use is shown for the service account and the secret, for tokens and requests', async () => {
  const developer = await server.newDeveloper();
  const robot = await newRobot(developer);
  const headers = await bearerOf(robot);
  const lastUses = async () => {
    const { lastUsedAt, secrets } = await read(developer, robot.id);
    return [lastUsedAt, secrets[0]?.lastUsedAt];
  };
  const both = (time: number) => [new Date(time).toISOString(), new Date(time).toISOString()];
  const tokenAt = clock.at;
  await expect.poll(lastUses, { interval: 50 }).toEqual(both(tokenAt));
  clock.at += 61_000;
  await server.call('GET', `/v1/${developer.accountId}`, { headers });
  await expect.poll(lastUses, { interval: 50 }).toEqual(both(clock.at));
});

test('each change is in the audit trail without a secret, as is each write to a protected environment', async () => {
  const project = await server.newProject();
  const { developer } = project;
  const { bearer: headers, accountId } = developer;
  await server.call('PATCH', project.path, { headers, body: { protectedEnvironments: ['production'] } });
  const robot = await newRobot(developer, { name: 'Robot', environments: ['production'] });
  const path = `${robotsOf(developer)}/${robot.id}`;
  const second = (await server.call('POST', `${path}/secrets`, { headers })).json as Record<string, string>;
  const by = await bearerOf(robot);
  for (const environment of ['production', 'staging']) {
    const written = await server.call('PUT', `${project.path}/public-state/${environment}`, {
      headers: { ...by, 'If-None-Match': '*' },
      body: { state: {}, comment: 'why' },
    });
    expect(written.status).toBe(environment === 'production' ? 200 : 403);
  }
  await server.call('DELETE', `${path}/secrets/${second.secretId}`, { headers });
  await server.call('DELETE', path, { headers });
  await server.call('DELETE', path, { headers });
  const trail = await server.call('GET', `/v1/${accountId}/audit`, { headers });
  const { items } = trail.json as { items: { action: string; target: string; actor: { kind: string; id: string } }[] };
  expect(items.map(({ action, target, actor }) => [action, target, actor.kind]).slice(0, 5)).toEqual([
    ['service_account.delete', `service-accounts/${robot.id}`, 'operator'],
    ['service_account_secret.delete', `service-accounts/${robot.id}/secrets/${second.secretId}`, 'operator'],
    ['state.write', expect.stringContaining('production'), 'service_account'],
    ['service_account_secret.create', `service-accounts/${robot.id}/secrets/${second.secretId}`, 'operator'],
    ['service_account.create', `service-accounts/${robot.id}`, 'operator'],
  ]);
  expect(items[2]?.actor.id).toBe(robot.id);
  expect(trail.text).not.toMatch(/svcs_/);
});

test('the metadata lists the grant and the methods of client authentication', async () => {
  const metadata = await server.call('GET', '/.well-known/oauth-authorization-server');
  expect(metadata.json).toMatchObject({
    grant_types_supported: expect.arrayContaining(['client_credentials']),
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
  });
});

test('token requests count for the service account, refused ones for the address', async () => {
  const settings = { SVC_AUTH_RATE_LIMIT_PER_MINUTE: '3', SVC_RATE_LIMIT_PER_MINUTE: '8' };
  const limited = await startServer({ settings });
  onTestFinished(() => limited.stop());
  const developer = await limited.newDeveloper();
  const headers = developer.bearer;
  const robot = async () =>
    (await limited.call('POST', robotsOf(developer), { headers, body: { name: 'x', role: 'viewer' } })).json as Robot;
  const ask = async ({ id, clientSecret }: Robot, secret = clientSecret) => {
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return limited.call('POST', '/v1/auth/token', { headers: type, body: form.toString() });
  };
  const [one, two] = [await robot(), await robot()];
  const statuses = [];
  for (let n = 0; n < 8; n++) statuses.push((await ask(one)).status);
  expect(statuses).toEqual(Array.from({ length: 8 }, () => 200));
  const beyond = await ask(one);
  expect(fault(beyond)).toEqual([429, 'rate_limited']);
  expect(Number(beyond.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask(two)).status).toBe(200);
  for (let n = 0; n < 3; n++) expect(fault(await ask(two, mistyped(two.clientSecret)))).toEqual([401, 'invalid_client']);
  expect(fault(await ask(two, mistyped(two.clientSecret)))).toEqual([429, 'rate_limited']);
});
