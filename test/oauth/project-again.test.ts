/** A project recreated under the slug of a deleted one is a different project: everything issued for the old one is invalid. */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appUri, expectTokenError, openWorld, type TokenSet, tokensOf, type World } from './world.ts';

let world: World;
let old: TokenSet;
beforeAll(async () => {
  world = await openWorld();
  old = await newAda();
});
afterAll(() => world.stop());

const newAda = async () =>
  world.newTokens({
    idp_id_token: await world.idToken({ sub: 'ada', email: 'ada@example.com', email_verified: true }),
  });

const readOwn = ({ access_token }: TokenSet) =>
  world.server.call('GET', `${world.project.path}/user-state/production`, {
    headers: { Authorization: `Bearer ${access_token}` },
  });

/** Deletes the project and creates another with the same slug and with sign-in. */
async function makeAgain(): Promise<void> {
  const { developer, path, slug } = world.project;
  const headers = developer.bearer;
  const send = (method: string, at: string, body?: unknown) =>
    world.server.call(method, at, { headers, ...(body !== undefined && { body }) });
  expect((await send('DELETE', path)).status).toBe(204);
  expect((await send('POST', `/v1/${developer.accountId}/projects`, { slug })).status).toBe(201);
  const config = { enabled: true, redirectUris: [appUri], allowedIdps: ['password'] };
  const none = { logoData: null, logoMediaType: null, primaryColor: null, surfaceColor: null, bgColor: null };
  expect((await send('PUT', `${path}/auth/end-user/config`, { ...config, ...none })).status).toBe(200);
}

describe('a player token from a deleted and recreated project', () => {
  it('is rejected by the new project, which immediately accepts its own', async () => {
    expect((await readOwn(old)).status).toBe(204);
    world.pass(2_000);
    await makeAgain();
    const own = await newAda();
    expect((await readOwn(own)).status).toBe(204);
    const answer = await readOwn(old);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer error="invalid_token", error_description="[^"]*project/);
  });

  it('cannot be refreshed, or used as a previous access token', async () => {
    expectTokenError(await world.refresh(old.refresh_token), 400, 'invalid_grant');
    const own = await newAda();
    const answer = await world.refresh(own.refresh_token, { previous_access_token: old.access_token });
    expectTokenError(answer, 401, 'invalid_grant');
    const next = tokensOf(await world.refresh(own.refresh_token, { previous_access_token: own.access_token }));
    expect(decodeJwt(next.access_token)).toMatchObject({ email: 'ada@example.com' });
  });
});
