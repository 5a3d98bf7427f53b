/** Login pages other than the built-in ones: a front elsewhere, or an issuer that signs people in itself. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { invite, ofOperator } from '../../packages/server/src/management/invitations.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { createFormClient, type FormClient, signUpByForms } from '../../tooling/forms.ts';
import { startOidcIssuer } from '../oauth/oidc-issuer.ts';
import { startUpstream, type Upstream } from './upstream.ts';
import { type LoginWorld, openLoginWorld } from './world.ts';

describe('with a login page elsewhere', () => {
  const front = 'https://login.example/sign-in';
  let world: LoginWorld;
  let issuer: Awaited<ReturnType<typeof startOidcIssuer>>;
  beforeAll(async () => {
    issuer = await startOidcIssuer();
    world = await openLoginWorld({
      SVC_AUTH_FRONT_URL: front,
      SVC_IDP_ISSUER: issuer.issuer,
      SVC_IDP_AUDIENCE: 'holdfast',
    });
  });
  afterAll(async () => {
    await world.stop();
    await issuer.stop();
  });

  it('the service redirects browsers there, and has no other page', async () => {
    const form = createFormClient(world.baseUrl);
    const url = world.authorizeUrl();
    const answer = await form.get(url);
    expect([answer.status, answer.location]).toEqual([303, `${front}/authorize${new URL(url).search}`]);
    expect((await form.get(world.authorizeUrl(undefined, {}, '/authorize/sign-up'))).status).toBe(404);
  });

  it('a custom page signs in a player with a few lines of code', async () => {
    const client = await world.newClient();
    const { searchParams } = new URL(world.authorizeUrl(client));
    const context = await createFormClient(world.baseUrl).get(`/v1/auth/authorize/context?${searchParams}`);
    const { idp_tenant_id: tenant } = JSON.parse(context.text) as { readonly idp_tenant_id: string };
    const idToken = await issuer.signIn({ subject: 'ada', tenant, provider: 'password', email: 'ada@mail.example' });

    const fields: Record<string, string> = {};
    for (const name of ['client_id', 'redirect_uri', 'state', 'code_challenge', 'code_challenge_method', 'scope']) {
      const value = searchParams.get(name);
      if (value !== null) fields[name] = value;
    }
    const form = { ...fields, idp_id_token: idToken };
    const answer = await createFormClient(world.baseUrl).post('/v1/auth/authorize/callback', form);
    expect(answer.status).toBe(303);
    expect(await world.redeem(answer.location as string, client)).toMatchObject({ user_id: 'ada' });
  });
});

describe('with a separate host for the login page, which leads to this service', () => {
  it('the pages are served under that host, and their forms may lead to the base URL', async () => {
    const port = await freePort();
    const world = await openLoginWorld({
      SVC_PORT: String(port),
      SVC_BASE_URL: `http://localhost:${port}`,
      SVC_AUTH_FRONT_URL: `http://127.0.0.1:${port}`,
      SVC_DEVELOPER_SIGNUP: 'closed',
    });
    try {
      const client = await world.newClient();
      const form = createFormClient(world.baseUrl);
      const page = await form.get(world.authorizeUrl(client));
      expect(page.status).toBe(200); // the client uses 127.0.0.1 instead of localhost
      expect(page.headers.get('content-security-policy')).toContain(`http://localhost:${port}`);
      const done = await signUpByForms(world, form, 'eve@mail.example', 'correct horse battery', client);
      expect(done.text).toContain(`action="http://localhost:${port}/v1/auth/authorize/callback"`);

      const closed = await form.get(world.authorizeUrl(undefined, {}, '/authorize/sign-up'));
      expect(closed.status).toBe(403);
      expect(closed.text).toContain('You need an invitation to create an account here');
      expect(closed.text).not.toContain('Create account');
    } finally {
      await world.stop();
    }
  });
});

describe('with an issuer elsewhere', () => {
  let world: LoginWorld;
  let upstream: Upstream;
  const asked: Readonly<Record<string, string>>[] = [];
  const claims: Record<string, unknown> = {};
  beforeAll(async () => {
    const port = await freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    upstream = await startUpstream({
      redirectUri: `${baseUrl}/authorize/federated/callback`,
      claims,
      onRequest: (parameters) => asked.push(parameters),
    });
    world = await openLoginWorld({
      SVC_PORT: String(port),
      SVC_BASE_URL: baseUrl,
      SVC_IDP_ISSUER: upstream.issuer,
      SVC_IDP_AUDIENCE: upstream.clientId,
      SVC_IDP_CLIENT_SECRET: upstream.clientSecret,
      SVC_IDP_TENANT_CLAIM: 'tenant',
      SVC_IDP_PROVIDER_CLAIM: 'provider',
    });
  });
  afterAll(async () => {
    await world.stop();
    await upstream.stop();
  });

  /** Goes through the issuer's pages and returns the page that the browser comes back to. */
  async function passThrough(choice: 'agree' | 'cancel', prepare: (form: FormClient) => Promise<void> = async () => {}) {
    const here = createFormClient(world.baseUrl);
    await prepare(here);
    const there = createFormClient(upstream.issuer);
    const start = await here.get(world.authorizeUrl());
    let url = start.location as string;
    expect(url.startsWith(upstream.issuer), `${start.status} ${url}`).toBe(true);
    for (let steps = 0; !url.startsWith(`${world.baseUrl}/`) && steps < 10; steps++) {
      const answer = await there.get(new URL(url, upstream.issuer).href);
      const next = answer.location ?? (await there.post(new URL(url, upstream.issuer).href, { choice })).location;
      url = new URL(next as string, upstream.issuer).href;
    }
    return { here, page: await here.get(url) };
  }

  it('an invitation is carried along, and appears in no address on the issuer’s pages', async () => {
    const { accountId } = await world.server.newDeveloper('Lanternfish Games');
    const { token } = await invite(
      world.server.running.store,
      { ...byOperator, at: Date.now() },
      { ...ofOperator, accountId, role: 'owner' },
    );
    const before = asked.length;
    const { here, page } = await passThrough('agree', async (form) => {
      const url = world.authorizeUrl(undefined, {}, '/authorize/invitation');
      expect((await form.post(url, { invitation: token })).status).toBe(204);
    });
    expect(page.text).toContain(`name="invitation" value="${token}"`);
    expect(JSON.stringify(asked.slice(before))).not.toContain(token);
    const answer = await here.send(page, '/v1/auth/authorize/callback', {});
    expect(await world.redeem(answer.location as string)).toMatchObject({ svc_account_id: accountId });
  });

  it('an invitation withdrawn meanwhile ends the sign-in, on the page and for the client', async () => {
    const { accountId } = await world.server.newDeveloper('Lanternfish Games');
    const { store } = world.server.running;
    const by = { ...byOperator, at: Date.now() };
    const { token, invitation } = await invite(store, by, { ...ofOperator, accountId, role: 'owner' });
    const carry = async (form: FormClient) => {
      const url = world.authorizeUrl(undefined, {}, '/authorize/invitation');
      expect((await form.post(url, { invitation: token })).status).toBe(204);
      // Another sign-in in the same browser has another invitation.
      const other = world.authorizeUrl(undefined, { state: 'another' }, '/authorize/invitation');
      expect((await form.post(other, { invitation: 'x'.repeat(43) })).status).toBe(204);
    };
    const { here, page } = await passThrough('agree', carry);
    expect(page.text).toContain(`name="invitation" value="${token}"`);
    await store.withdrawInvitation(by, accountId, invitation.invitationId);
    const late = new URL((await here.send(page, '/v1/auth/authorize/callback', {})).location as string).searchParams;
    expect([late.get('error'), late.get('code')]).toEqual(['access_denied', null]);
    const again = await here.get(world.authorizeUrl());
    expect([again.status, again.location]).toEqual([410, null]);
    expect(again.text).toContain('This invitation is no longer valid');
    expect(again.text).toContain('error=access_denied');
    expect((await here.get(world.authorizeUrl(undefined, { state: 'third' }))).status).toBe(303);
  });

  it('a developer signs in on its pages', async () => {
    const { here, page } = await passThrough('agree');
    expect(page.status, page.text).toBe(200);
    const answer = await here.send(page, '/v1/auth/authorize/callback', {});
    expect(await world.redeem(answer.location as string)).toMatchObject({ svc_role: 'developer' });
    expect(asked.at(-1)).toMatchObject({ response_type: 'code', code_challenge_method: 'S256' });
  });

  it('two tabs return independently, even if one is cancelled', async () => {
    const here = createFormClient(world.baseUrl);
    const tabs = ['one', 'two'];
    const starts: string[] = [];
    for (const state of tabs) starts.push((await here.get(world.authorizeUrl(undefined, { state }))).location as string);
    const back = async (start: string, choice: 'agree' | 'cancel') => {
      const there = createFormClient(upstream.issuer);
      const { location: interaction } = await there.get(start);
      const { location: resume } = await there.post(`${upstream.issuer}${interaction}`, { choice });
      return (await there.get(resume as string)).location as string;
    };
    const cancelled = await here.get(await back(starts[1] as string, 'cancel'));
    expect([cancelled.status, cancelled.text]).toEqual([403, expect.stringContaining('state=two')]);
    const foreign = await here.get(`${world.baseUrl}/authorize/federated/callback?code=x&state=${'x'.repeat(43)}`);
    expect([foreign.status, foreign.headers.getSetCookie()]).toEqual([410, []]);
    const page = await here.get(await back(starts[0] as string, 'agree'));
    expect(page.status, page.text).toBe(200);
    expect((await here.send(page, '/v1/auth/authorize/callback', {})).location).toContain('state=one');
  });

  it('a cancelled sign-in can be started again', async () => {
    const { page } = await passThrough('cancel');
    expect(page.status).toBe(403);
    expect(page.text).toContain('You can start again');
    expect(page.text).toContain('/authorize?response_type=code');
  });

  it('the pages of the built-in provider do not exist, and an invalid request is refused', async () => {
    const form = createFormClient(world.baseUrl);
    expect((await form.get(world.authorizeUrl(undefined, {}, '/authorize/sign-up'))).status).toBe(404);
    expect((await form.get(world.authorizeUrl(undefined, { client_id: 'nobody' }))).status).toBe(400);
    const faulty = await form.get(world.authorizeUrl(undefined, { code_challenge_method: 'plain' }));
    expect(faulty.location).toContain('error=invalid_request');
  });
});
