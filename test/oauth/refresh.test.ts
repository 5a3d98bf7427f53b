import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fewRounds, fewRunners, raceRefreshes } from './rounds.ts';
import { expectTokenError, openWorld, tokensOf, type World } from './world.ts';

const day = 24 * 60 * 60 * 1000;
let world: World;
beforeAll(async () => {
  world = await openWorld({ settings: { SVC_REFRESH_REPLAY_GRACE_SECONDS: '0' } });
});
afterAll(() => world.stop());

describe('a refresh token', () => {
  it('is exchanged for the same person’s access token and the next refresh token', async () => {
    const first = await world.newTokens({ scope: 'env:staging' });
    const second = tokensOf(await world.refresh(first.refresh_token));
    expect(second).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'env:staging' });
    expect(second.refresh_token).not.toBe(first.refresh_token);
    const claims = decodeJwt(second.access_token);
    expect(claims).toMatchObject({ sub: 'player-1', svc_environment: 'staging', svc_project_slug: world.project.slug });
    expect(claims.jti).not.toBe(decodeJwt(first.access_token).jti);
  });

  it('is refused when repeated, and its family ends', async () => {
    const first = await world.newTokens();
    const second = tokensOf(await world.refresh(first.refresh_token));
    const third = tokensOf(await world.refresh(second.refresh_token));
    expectTokenError(await world.refresh(first.refresh_token), 400, 'invalid_grant');
    expectTokenError(await world.refresh(third.refresh_token), 400, 'invalid_grant');
  });

  it('ends no other family', async () => {
    const [one, other] = [await world.newTokens(), await world.newTokens()];
    await world.refresh(one.refresh_token);
    expectTokenError(await world.refresh(one.refresh_token), 400, 'invalid_grant');
    tokensOf(await world.refresh(other.refresh_token));
  });

  it('with the right family and a wrong secret is refused, and the family ends', async () => {
    const { refresh_token } = await world.newTokens();
    const forged = refresh_token.replace(/\..*/, `.${'0'.repeat(43)}`);
    expectTokenError(await world.refresh(forged), 400, 'invalid_grant');
    expectTokenError(await world.refresh(refresh_token), 400, 'invalid_grant');
  });

  it('expires after 30 days without use', async () => {
    const [early, late] = [await world.newTokens(), await world.newTokens()];
    world.pass(30 * day - 60_000);
    const renewed = tokensOf(await world.refresh(early.refresh_token));
    world.pass(61_000);
    expectTokenError(await world.refresh(late.refresh_token), 400, 'invalid_grant');
    world.pass(29 * day);
    const again = tokensOf(await world.refresh(renewed.refresh_token));
    world.pass(30 * day);
    expectTokenError(await world.refresh(again.refresh_token), 400, 'invalid_grant');
  });

  it('expires after its project’s setting: a shorter one applies immediately, a longer one from the next refresh on', async () => {
    const project = await world.newSignInProject({ sessionIdleDays: 90 });
    const client = { client_id: project.clientId };
    const begin = async () => {
      const firebase = { tenant: project.tenantId, sign_in_provider: 'password' };
      return world.newTokens({ ...client, idp_id_token: await world.idToken({ firebase }) });
    };
    const set = async (sessionIdleDays: number | null) => {
      const { accountId } = project.developer;
      const of = { accountId, subject: 'operator', actsAs: 'operator', seconds: 900 } as const;
      const headers = { Authorization: `Bearer ${await world.server.running.accessTokens.signDeveloperToken(of)}` };
      const path = `${project.path}/auth/end-user/config`;
      const answer = await world.server.call('PATCH', path, { headers, body: { sessionIdleDays } });
      expect(answer.json).toMatchObject({ sessionIdleDays });
    };
    const [used, idle, short] = [await begin(), await begin(), await begin()];
    world.pass(89 * day);
    const renewed = tokensOf(await world.refresh(used.refresh_token, client));
    world.pass(2 * day);
    expectTokenError(await world.refresh(idle.refresh_token, client), 400, 'invalid_grant');
    await set(1);
    expectTokenError(await world.refresh(renewed.refresh_token, client), 400, 'invalid_grant');
    await set(400);
    expectTokenError(await world.refresh(short.refresh_token, client), 400, 'invalid_grant'); // the session ended earlier and stays ended
    const long = tokensOf(await world.refresh(renewed.refresh_token, client));
    world.pass(100 * day);
    const longer = tokensOf(await world.refresh(long.refresh_token, client));
    await set(null);
    tokensOf(await world.refresh(longer.refresh_token, client));
  });

  it('expires a year after the sign-in, however often it is used', async () => {
    let { refresh_token } = await world.newTokens();
    for (let passed = 29; passed < 365; passed += 29) {
      world.pass(29 * day);
      ({ refresh_token } = tokensOf(await world.refresh(refresh_token)));
    }
    world.pass(29 * day);
    expectTokenError(await world.refresh(refresh_token), 400, 'invalid_grant');
  });

  it.each([
    ['without refresh_token', { refresh_token: undefined }, 'invalid_request'],
    ['with an empty refresh_token', { refresh_token: '' }, 'invalid_request'],
    ['with a malformed refresh_token', { refresh_token: 'svcr_x.y' }, 'invalid_grant'],
    ['with an unknown refresh_token', { refresh_token: `svcr_${'a'.repeat(22)}.${'b'.repeat(43)}` }, 'invalid_grant'],
    ['with the scope of another environment', { scope: 'env:staging' }, 'invalid_scope'],
    ['with a larger scope', { scope: 'env:production env:staging' }, 'invalid_scope'],
    ['with the scope for developers', { scope: 'developer' }, 'invalid_scope'],
  ])('stays valid after a request %s', async (_, changes, error) => {
    const { refresh_token } = await world.newTokens();
    expectTokenError(await world.refresh(refresh_token, changes), 400, error);
    tokensOf(await world.refresh(refresh_token));
  });

  it.each([[{}], [{ scope: 'env:production' }], [{ scope: '' }]])(
    'may repeat its scope, or leave it out: %o',
    async (scope) => {
      const { refresh_token } = await world.newTokens();
      expect(tokensOf(await world.refresh(refresh_token, scope)).scope).toBe('env:production');
    },
  );

  it('is refused to every other client, and stays valid', async () => {
    const other = await world.newSignInProject();
    const { refresh_token } = await world.newTokens();
    expectTokenError(await world.refresh(refresh_token, { client_id: other.clientId }), 400, 'invalid_grant');
    expectTokenError(await world.refresh(refresh_token, { client_id: 'svc-developer' }), 400, 'invalid_grant');
    expectTokenError(await world.refresh(refresh_token, { client_id: 'acc_nobody.game' }), 401, 'invalid_client');
    tokensOf(await world.refresh(refresh_token));
  });

  it('is refused as a bearer token', async () => {
    const { refresh_token } = await world.newTokens();
    const headers = { Authorization: `Bearer ${refresh_token}` };
    const { accountId } = world.project.developer;
    expect((await world.server.call('GET', `/v1/${accountId}`, { headers })).status).toBe(401);
  });

  it('ends with its project', async () => {
    const project = await world.newSignInProject();
    const idToken = await world.idToken({ firebase: { tenant: project.tenantId, sign_in_provider: 'password' } });
    const code = await world.newCode({ client_id: project.clientId, idp_id_token: idToken });
    const { refresh_token } = tokensOf(await world.redeem(code, { client_id: project.clientId }));
    await world.server.call('DELETE', project.path, { headers: project.developer.bearer });
    expectTokenError(await world.refresh(refresh_token, { client_id: project.clientId }), 401, 'invalid_client');
  });
});

describe(`${fewRunners} simultaneous uses of one refresh token`, () => {
  it(`issue tokens once, and the others end the family, ${fewRounds} times over`, () =>
    raceRefreshes(world, fewRounds, fewRunners));
});
