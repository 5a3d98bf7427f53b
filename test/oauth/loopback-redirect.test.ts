/** Redirect URIs on a numeric loopback host. @see docs/contract.md §7.1, RFC 8252 §7.3 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, type SignInProject, tokensOf, type World } from './world.ts';

let world: World;
let project: SignInProject;
const registered = [
  'http://127.0.0.1/cb?from=game',
  'http://[::1]/cb',
  'http://127.0.0.1:4000/fixed',
  'http://localhost/cb',
  'http://127.0.0.1',
];
beforeAll(async () => {
  world = await openWorld();
  const { path, developer } = world.project;
  const body = { redirectUris: registered };
  const answer = await world.server.call('PATCH', `${path}/auth/end-user/config`, { headers: developer.bearer, body });
  expect(answer.status, answer.text).toBe(200);
  project = world.project;
});
afterAll(() => world.stop());

const complete = async (redirectUri: string) => world.complete(await world.callbackForm({ redirect_uri: redirectUri }));

it.each([
  'http://127.0.0.1/cb?from=game',
  'http://127.0.0.1:1/cb?from=game',
  'http://127.0.0.1:80/cb?from=game',
  'http://127.0.0.1:65535/cb?from=game',
  'http://[::1]:51004/cb',
  'http://127.0.0.1:51004',
  'http://127.0.0.1:4000/fixed',
  'http://localhost/cb',
])('%s is accepted', async (uri) => {
  const answer = await complete(uri);
  expect(answer.status, answer.text).toBe(303);
  expect(answer.headers.location).toMatch(/[?&]code=/);
  expect(answer.headers.location?.startsWith(uri.replace(/\?.*/, ''))).toBe(true);
});

it.each([
  'http://127.0.0.1:0/cb?from=game',
  'http://127.0.0.1:65536/cb?from=game',
  'http://127.0.0.1:080/cb?from=game',
  'http://127.0.0.1:/cb?from=game',
  'http://127.0.0.1:51004/cb',
  'http://127.0.0.1:51004/cb?from=game&more=1',
  'http://127.0.0.1:4001/fixed',
  'http://127.0.0.1/fixed',
  'http://localhost:51004/cb',
  'https://127.0.0.1:51004/cb?from=game',
  'http://127.0.0.1:51004@evil.example/cb?from=game',
  'http://127.0.0.2:51004/cb?from=game',
  'http://[::1]:51004/cb/',
])('%s is refused', async (uri) => expect((await complete(uri)).status).toBe(400));

it('a code is bound to its address and port', async () => {
  const uri = 'http://[::1]:51004/cb';
  const code = await world.newCode({ redirect_uri: uri });
  expect((await world.redeem(code, { redirect_uri: 'http://[::1]:51005/cb' })).status).toBe(400);
  expect((await world.redeem(code, { redirect_uri: 'http://[::1]/cb' })).status).toBe(400);
  tokensOf(await world.redeem(code, { redirect_uri: uri }));
});

it('developers are limited to the operator’s exact addresses', async () => {
  const form = await world.callbackForm({ client_id: 'svc-developer', redirect_uri: 'http://127.0.0.1:9999/callback' });
  expect((await world.complete(form)).status).toBe(400);
});

it('the context of a login page has the same rules', async () => {
  const query = (uri: string) =>
    new URLSearchParams({ client_id: project.clientId, redirect_uri: uri, scope: 'env:production' });
  const read = async (uri: string) => (await world.server.call('GET', `/v1/auth/authorize/context?${query(uri)}`)).status;
  expect([await read('http://[::1]:7/cb'), await read('http://localhost:7/cb')]).toEqual([200, 400]);
});
