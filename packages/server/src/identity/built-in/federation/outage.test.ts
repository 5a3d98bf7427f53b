/** Providers that fail, send wrong responses, or redirect to forbidden addresses. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Begun,
  browser,
  directoryOf,
  type FederationWorld,
  openFederationWorld,
  returnQuery,
  scriptIssuer,
} from './federation.fixture.ts';

const issuer = 'https://issuer.example';
const id = 'oidc.company';
let world: FederationWorld;
let begun: Begun;

beforeAll(async () => {
  world = await openFederationWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.faults.length = 0;
  world.issue(issuer, () => ({ nonce: begun.request.nonce }));
  await world.configure(id, { issuer, name: 'Company' }, 'the secret');
  begun = await world.begin(id);
});

const refused = (reason: string) => ({ kind: 'refused', returnQuery, reason });

/** Makes the token endpoint send this response. */
function answerToken(status: number, body: unknown): void {
  world.upstream.answers.set(`${issuer}/token`, () => ({ status, body }));
}
const tokenWith = (idToken: unknown) => ({ access_token: 'a', token_type: 'Bearer', id_token: idToken });

describe('a provider', () => {
  it.each<[string, number, unknown, string]>([
    ['refuses the code', 400, { error: 'invalid_grant' }, 'invalid'],
    ['refuses the client', 401, { error: 'invalid_client' }, 'unavailable'],
    ['fails', 503, 'down', 'unavailable'],
    ['fails in JSON', 500, { error: 'server_error' }, 'unavailable'],
    ['does not answer with JSON', 200, '<html>', 'unavailable'],
    ['answers with more than 256 KiB', 200, { ...tokenWith('x'), fill: 'x'.repeat(270_000) }, 'unavailable'],
    ['answers an error with status 200', 200, { error: 'bad_verification_code' }, 'invalid'],
  ])('that %s (%i) is no way in', async (_, status, body, reason) => {
    answerToken(status, body);
    expect(await world.finish(begun)).toEqual(refused(reason));
  });

  it('that answers with tokens leaves none of them in the log', async () => {
    answerToken(200, { access_token: 'very-secret-token', token_type: 'Bearer', id_token: 'very.secret.token' });
    await world.finish(begun);
    expect(world.faults).toHaveLength(1);
    expect(world.faults.join()).not.toMatch(/very|secret/);
  });

  it('with an answer or metadata that is not JSON is not quoted in the log', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const garbled = () => ({ status: 200, headers, body: 'very-secret-token' });
    world.upstream.answers.set(`${issuer}/token`, garbled);
    await world.finish(begun);
    world.upstream.answers.set('https://odd.example/.well-known/openid-configuration', garbled);
    await world.configure('oidc.odd', { issuer: 'https://odd.example' }, 'garbled');
    await world.federation.begin(directoryOf('acc_1'), { providerId: 'oidc.odd', browser, returnQuery });
    expect(world.faults).toHaveLength(2);
    expect(world.faults.join()).toMatch(/as JSON.*as JSON/s);
    expect(world.faults.join()).not.toMatch(/very|secret/);
  });

  it('that redirects is not followed', async () => {
    const headers = { Location: `${issuer}/elsewhere` };
    world.upstream.answers.set(`${issuer}/token`, () => ({ status: 307, headers, body: '' }));
    expect(await world.finish(begun)).toEqual(refused('unavailable'));
    expect(world.upstream.asked.some(({ url }) => url === `${issuer}/elsewhere`)).toBe(false);
  });

  const start = { providerId: 'oidc.odd', browser, returnQuery };
  const beginOdd = async (metadata: Readonly<Record<string, unknown>>) => {
    scriptIssuer(world.upstream, 'https://odd.example', metadata);
    await world.configure('oidc.odd', { issuer: 'https://odd.example', clientId: JSON.stringify(metadata) }, 's');
    return world.federation.begin(directoryOf('acc_1'), start);
  };

  it.each([
    ['is of another issuer', { issuer: 'https://evil.example' }],
    ['names a script as its page', { authorization_endpoint: 'javascript:alert(1)' }],
    ['names a page without TLS', { authorization_endpoint: 'http://odd.example/authorize' }],
    ['names no page', { authorization_endpoint: undefined }],
  ])('whose metadata %s is unavailable', async (_, metadata) => {
    expect(await beginOdd(metadata)).toEqual({ kind: 'unavailable' });
  });

  it.each([
    ['without TLS', 'http://odd.example/token'],
    ['on this machine', 'http://127.0.0.1:6379/token'],
    ['on this machine, with TLS', 'https://localhost/token'],
    ['on this machine, by a rooted name', 'https://localhost./token'],
    ['on this machine, by a number', 'https://2130706433/token'],
    ['on this machine, by no address', 'https://0.0.0.0/token'],
    ['on this machine, in IPv6', 'https://[::]/token'],
    ['on this machine, mapped into IPv6', 'https://[::ffff:127.0.0.1]/token'],
    ['on a link-local address', 'https://169.254.169.254/token'],
    ['in a local file', 'file:///etc/passwd'],
  ])('with a token endpoint %s is never asked there', async (_, endpoint) => {
    const outcome = await beginOdd({ token_endpoint: endpoint });
    if (outcome.kind !== 'redirect') throw new Error(world.faults.join());
    const state = new URL(outcome.location).searchParams.get('state') as string;
    const parameters = new URLSearchParams({ code: 'c', state });
    const finished = await world.federation.finish(
      { accountId: 'acc_1', providerId: 'oidc.odd' },
      { parameters, flow: outcome.flow, browser },
    );
    expect(finished.kind).toBe('refused');
    expect(world.upstream.asked.some(({ url }) => url === new URL(endpoint).href)).toBe(false);
  });

  it('on loopback is asked only if the service is on loopback too', async () => {
    const local = 'http://127.0.0.1:9';
    world.issue(local, () => ({ nonce: begun.request.nonce }));
    await world.configure('oidc.local', { issuer: local }, 's');
    const startLocal = { ...start, providerId: 'oidc.local' };
    expect(await world.federation.begin(directoryOf('acc_1'), startLocal)).toEqual({ kind: 'unavailable' });
    expect(world.upstream.asked.some(({ url }) => url.startsWith(local))).toBe(false);
    world.mayUseLoopback = true;
    world.ahead += 1_000;
    begun = await world.begin('oidc.local');
    expect(await world.finish(begun)).toMatchObject({ kind: 'signed_in' });
    expect(await beginOdd({ authorization_endpoint: 'http://odd.example/a' })).toEqual({ kind: 'unavailable' });
    world.mayUseLoopback = false;
  });

  it('is discovered once in ten minutes, even by many at the same time, and soon after a failure', async () => {
    const metadataUrl = 'https://odd.example/.well-known/openid-configuration';
    const discoveries = () => world.upstream.asked.filter(({ url }) => url === metadataUrl).length;
    world.upstream.answers.set(metadataUrl, () => ({ status: 503, body: '' }));
    await world.configure('oidc.odd', { issuer: 'https://odd.example' }, 'fresh');
    const before = discoveries();
    for (let i = 0; i < 5; i++) {
      expect(await world.federation.begin(directoryOf('acc_1'), start)).toEqual({ kind: 'unavailable' });
    }
    expect(discoveries() - before).toBe(1);
    scriptIssuer(world.upstream, 'https://odd.example');
    world.ahead += 1_000;
    await Promise.all(Array.from({ length: 10 }, () => world.begin('oidc.odd')));
    world.ahead += 590_000;
    await world.begin('oidc.odd');
    expect(discoveries() - before).toBe(2);
    world.ahead += 10_000;
    await world.begin('oidc.odd');
    expect(discoveries() - before).toBe(3);
  });
});

describe("a provider's keys", () => {
  const keysUrl = `${issuer}/jwks`;
  const askedForKeys = () => world.upstream.asked.filter(({ url }) => url === keysUrl).length;

  it('are fetched again at most every five seconds, however many tokens name an unknown key', async () => {
    await world.configure(id, { issuer, name: 'Company' }, 'keys that are asked for');
    begun = await world.begin(id);
    expect(await world.finish(begun)).toMatchObject({ kind: 'signed_in' });
    const before = askedForKeys();
    for (const [ahead, more] of [
      [0, 0],
      [5_000, 1],
      [0, 1],
      [5_000, 2],
    ] as const) {
      world.ahead += ahead;
      for (let i = 0; i < 5; i++) {
        begun = await world.begin(id);
        world.issue(issuer, () => ({ nonce: begun.request.nonce }), { kid: 'invented' });
        expect(await world.finish(begun)).toEqual(refused('invalid'));
      }
      expect(askedForKeys() - before).toBe(more);
    }
  });

  it.each([
    ['fail', 503, 'down'],
    ['are not JSON', 200, '<html>'],
    ['are not a key set', 200, { keys: 'none' }],
  ])('that %s make it unavailable until they work again', async (_, status, body) => {
    await world.configure(id, { issuer, name: 'Company' }, `keys of status ${status} ${JSON.stringify(body)}`);
    begun = await world.begin(id);
    const right = world.upstream.answers.get(keysUrl);
    world.upstream.answers.set(keysUrl, () => ({ status, body }));
    expect(await world.finish(begun)).toEqual(refused('unavailable'));
    if (right !== undefined) world.upstream.answers.set(keysUrl, right);
    world.ahead += 1_000;
    begun = await world.begin(id);
    expect(await world.finish(begun)).toMatchObject({ kind: 'signed_in' });
  });
});
