/** The limit that a token request counts towards: its family's if it gets tokens, otherwise the address's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectTokenError, openWorld, tokensOf, type World } from './world.ts';

const addressMax = 4;
const familyMax = 7;
const minute = 60_000;

let world: World;
beforeAll(async () => {
  world = await openWorld({
    settings: { SVC_AUTH_RATE_LIMIT_PER_MINUTE: String(addressMax), SVC_RATE_LIMIT_PER_MINUTE: String(familyMax) },
  });
});
afterAll(() => world.stop());

/** Signs in, which counts towards the address, in a separate minute. */
async function newTokens() {
  world.pass(minute + 1_000);
  const tokens = await world.newTokens();
  return tokens;
}

describe('a request for tokens', () => {
  it('counts for its family, not the address, if it succeeds', async () => {
    let { refresh_token } = await newTokens();
    // The code counted towards the family too.
    for (let refreshes = 1; refreshes < familyMax; refreshes++) {
      const answer = await world.refresh(refresh_token);
      ({ refresh_token } = tokensOf(answer));
      expect(answer.headers.ratelimit).toContain(`r=${familyMax - refreshes - 1};`);
    }
    const beyond = await world.refresh(refresh_token);
    expectTokenError(beyond, 429, 'rate_limited');
    expect(Number(beyond.headers['retry-after'])).toBeGreaterThan(0);
    // Other families continue, from the same address. Each sign-in counts one callback towards it.
    for (let families = 2; families < addressMax; families++) {
      tokensOf(await world.refresh((await world.newTokens()).refresh_token));
    }
    // The refused request did not count.
    world.pass(minute + 1_000);
    tokensOf(await world.refresh(refresh_token));
  });

  it.each<[string, (code: string, refreshToken: string) => Parameters<World['token']>[0]]>([
    ['an unknown code', () => ({ grant_type: 'authorization_code', code: 'x', code_verifier: 'v'.repeat(43) })],
    [
      'an unknown refresh token',
      () => ({ grant_type: 'refresh_token', refresh_token: `svcr_${'0'.repeat(22)}.${'0'.repeat(43)}` }),
    ],
    ['no refresh token', () => ({ grant_type: 'refresh_token' })],
    ['another grant type', () => ({ grant_type: 'password' })],
    [
      'a repeated parameter',
      () => [
        ['grant_type', 'refresh_token'],
        ['grant_type', 'refresh_token'],
      ],
    ],
    ['a guest grant without an assertion', () => ({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' })],
  ])('counts for the address if it fails: %s', async (_, formOf) => {
    const { refresh_token } = await newTokens();
    world.pass(minute + 1_000);
    const form = formOf('', refresh_token);
    const whole = Array.isArray(form) ? form : { client_id: world.project.clientId, redirect_uri: 'x', ...form };
    for (let failures = 0; failures < addressMax; failures++) {
      expect((await world.token(whole)).status).toBe(400);
    }
    expectTokenError(await world.token(whole), 429, 'rate_limited');
    // After that many failures, all clients at the address must wait: their tokens are not even checked.
    expectTokenError(await world.refresh(refresh_token), 429, 'rate_limited');
    world.pass(minute + 1_000);
    tokensOf(await world.refresh(refresh_token));
  });
});
