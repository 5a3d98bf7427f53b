/** An account that the operator suspends, or whose sessions the operator ends. @see docs/contract.md §3.8 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { guestGrant } from '../../tooling/guest.ts';
import type { Answer } from '../support/client.ts';
import { readEvents } from '../support/events.ts';
import { challenge, developerUri, openWorld, type SignInProject, tokensOf, type World } from './world.ts';

let world: World;
/** The store as an operator's command opens it. */
let beside: Store;
beforeAll(async () => {
  world = await openWorld({ settings: { SVC_DEVELOPER_REDIRECT_URIS: developerUri } });
  beside = await world.server.place.openParallel();
});
afterAll(async () => {
  await beside?.close();
  await world.stop();
});

const suspended = [403, 'forbidden', 'the account is suspended: ask the operator of the service'];
const fault = ({ status, json }: Answer) => {
  const body = json as { readonly error?: string; readonly message?: string; readonly error_description?: string };
  return [status, body.error, body.message ?? body.error_description];
};

/** Repeats a request until it has the expected status: a change by another process takes effect within a second. */
async function becomes(ask: () => Promise<Answer>, expected: number): Promise<Answer> {
  const look = async () => {
    const answer = await ask();
    expect(answer.status, answer.text).toBe(expected);
    return answer;
  };
  return vi.waitFor(look, { timeout: 60_000 });
}

/** Every way to reach the account, with its usual status. */
async function everyWay(
  project: SignInProject,
): Promise<Readonly<Record<string, readonly [number, () => Promise<Answer>]>>> {
  const { server } = world;
  const { bearer, accountId } = project.developer;
  const of = { client_id: project.clientId, tenant: project.tenantId };
  const idToken = await world.idToken({ firebase: { tenant: project.tenantId, sign_in_provider: 'password' } });
  const player = await world.newTokens({ client_id: project.clientId, idp_id_token: idToken });
  const { apiKey } = await server.newApiKey(project, { kind: 'publishable', access: 'read' });
  const { apiKey: secretKey } = await server.newApiKey(project, { kind: 'secret' });
  const robots = `/v1/${accountId}/service-accounts`;
  const robot = (await server.call('POST', robots, { headers: bearer, body: { name: 'robot', role: 'editor' } })).json as {
    id: string;
    clientSecret: string;
  };
  const secret = { grant_type: 'client_credentials', client_id: robot.id, client_secret: robot.clientSecret };
  const state = `${project.path}/public-state/production`;
  const get = (path: string, headers: Readonly<Record<string, string>>) => () => server.call('GET', path, { headers });
  let refreshToken = player.refresh_token;
  const refresh = async () => {
    const answer = await world.refresh(refreshToken, { client_id: project.clientId });
    if (answer.status === 200) refreshToken = tokensOf(answer).refresh_token;
    return answer;
  };
  const query = new URLSearchParams({ client_id: of.client_id, redirect_uri: 'https://app.example/signed-in?tab=1' });
  query.set('response_type', 'code');
  query.set('scope', 'env:production');
  query.set('code_challenge', challenge);
  query.set('code_challenge_method', 'S256');
  return {
    'a developer': [200, get(`/v1/${accountId}`, bearer)],
    'an API key': [204, get(state, { Authorization: `ApiKey ${apiKey}` })],
    'a key about itself': [200, get('/v1/api-key/info', { Authorization: `ApiKey ${secretKey}` })],
    'a player': [204, get(`${project.path}/user-state/production`, { Authorization: `Bearer ${player.access_token}` })],
    'a refresh': [200, refresh],
    'a service account': [200, () => world.token(secret)],
    'the settings of the login page': [200, get(`/v1/readonly${project.path.slice(3)}/auth/end-user/config`, {})],
    'a sign-in': [200, get(`/v1/auth/authorize/context?${query}`, {})],
  };
}

describe('a suspended account', () => {
  test('is answered 403 everywhere until it is resumed, and loses nothing', async () => {
    const project = await world.newSignInProject({ allowedIdps: ['password', 'anonymous'] });
    const { accountId, bearer } = project.developer;
    const state = `${project.path}/public-state/production`;
    const ways = await everyWay(project);
    for (const [way, [status, ask]] of Object.entries(ways)) expect((await ask()).status, way).toBe(status);
    const stream = await readEvents(world.server.baseUrl, `${state}/changes`, bearer);

    expect(await beside.suspendAccount(byOperator, accountId, Date.now())).toBe('written');
    for (const [way, [, ask]] of Object.entries(ways)) expect(fault(await becomes(ask, 403)), way).toEqual(suspended);
    await stream.ended();
    const guest = await world.token({
      grant_type: guestGrant,
      client_id: project.clientId,
      assertion: 'x',
      scope: 'env:production',
    });
    expect(fault(guest)).toEqual(suspended);
    // Other accounts are not affected.
    const other = await world.server.newProject();
    expect((await world.server.call('GET', other.path, { headers: other.developer.bearer })).status).toBe(200);

    expect(await beside.suspendAccount(byOperator, accountId, null)).toBe('written');
    for (const [way, [status, ask]] of Object.entries(ways)) expect((await becomes(ask, status)).status, way).toBe(status);
    const trail = await world.server.call('GET', `/v1/${accountId}/audit?action=account.update`, { headers: bearer });
    expect((trail.json as { items: unknown[] }).items).toMatchObject([
      { detail: { suspended: { from: true, to: false } }, actor: { kind: 'operator' } },
      { detail: { suspended: { from: false, to: true } } },
    ]);
  });

  test('keeps the time of its first suspension; an unknown account is reported', async () => {
    const { accountId } = await world.server.newDeveloper();
    await beside.suspendAccount(byOperator, accountId, 1_000);
    await beside.suspendAccount(byOperator, accountId, 2_000);
    expect((await beside.findAccount(accountId))?.suspendedAt).toBe(1_000);
    expect(await beside.suspendAccount(byOperator, 'acc_unknown', 1_000)).toBe('no_account');
    expect(await beside.signOutAccount(byOperator, 'acc_unknown', 1_000)).toBe('no_account');
  });
});

test('an account that was signed out has no tokens or sessions, and its users can sign in again', async () => {
  const project = await world.newSignInProject();
  const { accountId, bearer } = project.developer;
  const idToken = () => world.idToken({ firebase: { tenant: project.tenantId, sign_in_provider: 'password' } });
  const signIn = async () => world.newTokens({ client_id: project.clientId, idp_id_token: await idToken() });
  const before = await signIn();
  const readWith = (token: string) => () =>
    world.server.call('GET', `${project.path}/user-state/production`, { headers: { Authorization: `Bearer ${token}` } });
  expect((await readWith(before.access_token)()).status).toBe(204);

  expect(await beside.removeSomeSignIns(accountId)).toBe(1);
  expect(await beside.removeSomeSignIns(accountId)).toBe(0);
  expect(await beside.signOutAccount(byOperator, accountId, world.now())).toBe('written');
  await becomes(readWith(before.access_token), 401);
  await becomes(() => world.server.call('GET', `/v1/${accountId}`, { headers: bearer }), 401);
  expect(fault(await world.refresh(before.refresh_token, { client_id: project.clientId }))).toEqual([
    400,
    'invalid_grant',
    expect.any(String),
  ]);
  world.pass(1_001); // a token records its issue time in whole seconds
  const after = await signIn();
  expect((await readWith(after.access_token)()).status).toBe(204);
});
