/** Federation and hand-over with a running OpenID Connect provider. */
import { randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startUpstreamProvider, type UpstreamProvider } from '../../../../../../test/oauth/upstream-provider.ts';
import { createSealer } from '../../../secrets/sealer.ts';
import { createHandOver, type HandOver, type HandOverOptions } from '../../hand-over.ts';
import { browser, type FederationWorld, openFederationWorld, redirectUriOf, returnQuery } from './federation.fixture.ts';

const id = 'oidc.real';
const redirectUri = redirectUriOf(id);
const clientSecret = 'a secret of thirty-two characters';
let provider: UpstreamProvider;
let world: FederationWorld;

beforeAll(async () => {
  provider = await startUpstreamProvider([
    { clientId: 'basic', clientSecret, redirectUri },
    { clientId: 'post', clientSecret, redirectUri, authentication: 'client_secret_post' },
    { clientId: 'public', redirectUri },
  ]);
  world = await openFederationWorld(fetch);
  world.mayUseLoopback = true;
});
afterAll(async () => {
  await world.stop();
  await provider.stop();
});
beforeEach(() => {
  provider.person = { subject: 'ada', email: 'ada@example.com', emailVerified: true, name: 'Ada' };
});

describe('federation with a running provider', () => {
  it.each([
    ['public', undefined],
    ['post', clientSecret],
  ])('signs in as the client "%s"', async (clientId, secret) => {
    await world.configure(id, { issuer: provider.issuer, clientId }, secret);
    const begun = await world.begin(id);
    const back = await provider.browse(begun.location.href);
    expect(back.href).toMatch(`${redirectUri}?`);
    const outcome = await world.federation.finish(begun.at, { parameters: back.searchParams, flow: begun.flow, browser });
    expect(outcome).toMatchObject({
      kind: 'signed_in',
      person: { email: 'ada@example.com', emailVerified: true, name: 'Ada' },
      returnQuery,
    });
  });

  it('refuses the code of another flow, which PKCE binds to its browser', async () => {
    await world.configure(id, { issuer: provider.issuer, clientId: 'public' });
    const [victim, attacker] = [await world.begin(id), await world.begin(id)];
    const stolen = (await provider.browse(victim.location.href)).searchParams;
    const parameters = new URLSearchParams({ ...Object.fromEntries(stolen), state: attacker.request.state as string });
    expect(await world.federation.finish(attacker.at, { parameters, flow: attacker.flow, browser })).toMatchObject({
      kind: 'refused',
      reason: 'invalid',
    });
  });

  it('refuses a code replayed in its own flow', async () => {
    await world.configure(id, { issuer: provider.issuer, clientId: 'public' });
    const begun = await world.begin(id);
    const { searchParams: parameters } = await provider.browse(begun.location.href);
    expect(await world.federation.finish(begun.at, { parameters, flow: begun.flow, browser })).toMatchObject({
      kind: 'signed_in',
    });
    expect(await world.federation.finish(begun.at, { parameters, flow: begun.flow, browser })).toEqual({
      kind: 'expired',
      returnQuery,
    });
  });

  it('reports that the person declined', async () => {
    await world.configure(id, { issuer: provider.issuer, clientId: 'public' });
    const begun = await world.begin(id);
    provider.person = null;
    const { searchParams: parameters } = await provider.browse(begun.location.href);
    expect(parameters.get('error')).toBe('access_denied');
    expect(await world.federation.finish(begun.at, { parameters, flow: begun.flow, browser })).toEqual({
      kind: 'refused',
      returnQuery,
      reason: 'denied',
    });
  });

  it('accepts a new key seconds after the last fetch, and asks at most every five', async () => {
    await world.configure(id, { issuer: provider.issuer, clientId: 'public', name: 'Rotating' });
    const signIn = async () => {
      const begun = await world.begin(id);
      const { searchParams: parameters } = await provider.browse(begun.location.href);
      return world.federation.finish(begun.at, { parameters, flow: begun.flow, browser });
    };
    const before = provider.asked.keys;
    expect(await signIn()).toMatchObject({ kind: 'signed_in' });
    expect(await signIn()).toMatchObject({ kind: 'signed_in' });
    expect(provider.asked.keys - before).toBe(1);
    await provider.rotate();
    expect(await signIn()).toMatchObject({ kind: 'refused', reason: 'invalid' });
    expect(provider.asked.keys - before).toBe(1);
    world.ahead += 5_000;
    expect(await signIn()).toMatchObject({ kind: 'signed_in' });
    expect(await signIn()).toMatchObject({ kind: 'signed_in' });
    expect(provider.asked.keys - before).toBe(2);
  });

  it('is unavailable with a wrong secret', async () => {
    await world.configure(id, { issuer: provider.issuer, clientId: 'post' }, 'another secret of thirty-two chars');
    const begun = await world.begin(id);
    const { searchParams: parameters } = await provider.browse(begun.location.href);
    expect(await world.federation.finish(begun.at, { parameters, flow: begun.flow, browser })).toMatchObject({
      kind: 'refused',
      reason: 'unavailable',
    });
  });
});

describe('hand-over to an issuer', () => {
  const faults: string[] = [];
  let handOver: HandOver;

  function newHandOver(change: Partial<HandOverOptions> = {}): HandOver {
    const { seal, open } = createSealer(randomBytes(32), 'ticket');
    return createHandOver({
      store: world.store,
      seal,
      open,
      issuer: provider.issuer,
      clientId: 'public',
      clientSecret: null,
      tenantParameter: 'scope',
      redirectUri: () => redirectUri,
      now: Date.now,
      onFault: (fault) => faults.push(fault),
      ...change,
    });
  }

  async function begin(start: { tenantId?: string | null; uiLocales?: string | null } = {}) {
    const outcome = await handOver.begin({ tenantId: null, browser, returnQuery, uiLocales: null, ...start });
    if (outcome.kind !== 'redirect') throw new Error(faults.at(-1));
    return { ...outcome, request: new URL(outcome.location).searchParams };
  }

  beforeAll(() => {
    handOver = newHandOver();
  });

  it("returns with the issuer's ID token, once", async () => {
    const firebase = { tenant: 't-1', sign_in_provider: 'password' };
    provider.person = { subject: 'ada', email: 'ada@example.com', firebase };
    const { location, flow } = await begin();
    const { searchParams: parameters } = await provider.browse(location);
    const outcome = await handOver.finish({ parameters, flow, browser });
    if (outcome.kind !== 'id_token') throw new Error(faults.at(-1));
    expect(outcome.returnQuery).toBe(returnQuery);
    expect(decodeJwt(outcome.idToken)).toMatchObject({ iss: provider.issuer, aud: 'public', sub: 'ada', firebase });
    expect(await handOver.finish({ parameters, flow, browser })).toEqual({ kind: 'expired', returnQuery });
  });

  it("names the tenant as a scope, or in the issuer's parameter, and not for developers", async () => {
    expect((await begin()).request.get('scope')).toBe('openid email profile');
    const asked = (await begin({ tenantId: 't-1', uiLocales: 'de en' })).request;
    expect([asked.get('scope'), asked.get('ui_locales')]).toEqual(['openid email profile t-1', 'de en']);
    handOver = newHandOver({ tenantParameter: 'organization' });
    const { request } = await begin({ tenantId: 't-1' });
    expect([request.get('scope'), request.get('organization')]).toEqual(['openid email profile', 't-1']);
    expect((await begin()).request.get('organization')).toBeNull();
  });

  it('sends a secret if one is set', async () => {
    handOver = newHandOver({ clientId: 'post', clientSecret });
    const { location, flow } = await begin();
    const { searchParams: parameters } = await provider.browse(location);
    expect(await handOver.finish({ parameters, flow, browser })).toMatchObject({ kind: 'id_token' });
  });

  it('refuses the state, the flow and the browser of another person, and a person who declines', async () => {
    handOver = newHandOver();
    const [mine, other] = [await begin(), await begin()];
    const { searchParams: parameters } = await provider.browse(mine.location);
    const refused = { kind: 'refused', returnQuery, reason: 'invalid' };
    expect(await handOver.finish({ parameters, flow: other.flow, browser })).toEqual({ ...refused, isOpen: true });
    expect(await handOver.finish({ parameters, flow: mine.flow, browser: ['browser-2'] })).toEqual({ kind: 'expired' });
    expect(await handOver.finish({ parameters, flow: undefined, browser })).toEqual({ kind: 'expired' });
    expect(await handOver.finish({ parameters, flow: mine.flow, browser })).toMatchObject({ kind: 'id_token' });
    provider.person = null;
    const declined = await provider.browse(other.location);
    expect(await handOver.finish({ parameters: declined.searchParams, flow: other.flow, browser })).toEqual({
      ...refused,
      reason: 'denied',
    });
  });

  it('is unavailable while the issuer is', async () => {
    handOver = newHandOver({ issuer: 'http://127.0.0.1:9' });
    const start = { tenantId: null, browser, returnQuery, uiLocales: null };
    expect(await handOver.begin(start)).toEqual({ kind: 'unavailable' });
    expect(faults.at(-1)).toMatch(/fetch failed|127\.0\.0\.1:9|something went wrong/);
  });
});
