/** A refresh whose answer was lost is repeated with its key, and returns the same refresh token. @see docs/contract.md §7.6 */
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { openPlace, type Place } from '../support/place.ts';
import { race } from './rounds.ts';
import { expectTokenError, openWorld, tokensOf, type World } from './world.ts';

const hour = 60 * 60 * 1000;
const runners = 30;
let world: World;
let place: Place;
beforeAll(async () => {
  place = await openPlace();
  world = await openWorld({ place, settings: { SVC_REFRESH_REPLAY_GRACE_SECONDS: '10' } });
});
afterAll(async () => {
  await world.stop();
  await place.remove();
});

/** A refresh with a key. */
const exchange = (
  refreshToken: string,
  key: string,
  changes: Readonly<Record<string, string | undefined>> = {},
): Promise<Answer> => world.refresh(refreshToken, changes, key);
const rejected = (answer: Answer) => expectTokenError(answer, 400, 'invalid_grant');
/** A family whose first token was exchanged with a key. */
async function exchanged() {
  const [{ refresh_token: first }, key] = [await world.newTokens(), randomUUID()];
  return { first, key, next: tokensOf(await exchange(first, key)) };
}

describe('a refresh repeated with its key', () => {
  it('returns the same refresh token and a new access token, even hours later', async () => {
    const { first, key, next } = await exchanged();
    for (const later of [0, 11_000, hour, 22 * hour]) {
      world.pass(later);
      const again = tokensOf(await exchange(first, key));
      expect(again.refresh_token).toBe(next.refresh_token);
      expect(decodeJwt(again.access_token).jti).not.toBe(decodeJwt(next.access_token).jti);
      expect(again).toMatchObject({ scope: 'env:production', token_type: 'Bearer', expires_in: 900 });
    }
    tokensOf(await world.refresh(next.refresh_token));
  });

  it('is rejected after 24 hours, and the family stays', async () => {
    const { first, key, next } = await exchanged();
    world.pass(24 * hour - 5_000);
    tokensOf(await exchange(first, key));
    world.pass(6_000);
    rejected(await exchange(first, key));
    tokensOf(await exchange(next.refresh_token, key));
  });

  it('is rejected once its new token was used, and the family stays', async () => {
    const { first, key, next } = await exchanged();
    const third = tokensOf(await world.refresh(next.refresh_token));
    world.pass(11_000);
    rejected(await exchange(first, key));
    const fourth = tokensOf(await exchange(third.refresh_token, randomUUID()));
    rejected(await exchange(first, key));
    tokensOf(await world.refresh(fourth.refresh_token));
  });

  it.each(['another key', 'no key'])('is a replay with %s: the family ends, but not within the grace', async (kind) => {
    const again = (token: string) => (kind === 'no key' ? world.refresh(token) : exchange(token, randomUUID()));
    const { first, key, next } = await exchanged();
    rejected(await again(first));
    expect(tokensOf(await exchange(first, key)).refresh_token).toBe(next.refresh_token);
    world.pass(11_000);
    rejected(await again(first));
    rejected(await exchange(first, key));
    rejected(await world.refresh(next.refresh_token));
  });

  it('of a token refreshed without a key is a replay', async () => {
    const { refresh_token } = await world.newTokens();
    const next = tokensOf(await world.refresh(refresh_token));
    world.pass(11_000);
    rejected(await exchange(refresh_token, randomUUID()));
    rejected(await world.refresh(next.refresh_token));
  });

  it('is refused for another client or scope, and ends nothing', async () => {
    const other = await world.newSignInProject();
    const { first, key, next } = await exchanged();
    rejected(await exchange(first, key, { client_id: other.clientId }));
    expectTokenError(await exchange(first, key, { scope: 'env:staging' }), 400, 'invalid_scope');
    expect(tokensOf(await exchange(first, key, { scope: 'env:production' })).refresh_token).toBe(next.refresh_token);
  });

  it('may have another previous access token, which is checked as usual', async () => {
    const idToken = await world.idToken({ email: 'a@b.example' });
    const { access_token, refresh_token } = await world.newTokens({ idp_id_token: idToken });
    const key = randomUUID();
    expectTokenError(await exchange(refresh_token, key, { previous_access_token: 'x' }), 401, 'invalid_grant');
    const next = tokensOf(await exchange(refresh_token, key));
    expect(decodeJwt(next.access_token).email).toBeUndefined();
    expectTokenError(await exchange(refresh_token, key, { previous_access_token: 'x' }), 401, 'invalid_grant');
    const again = tokensOf(await exchange(refresh_token, key, { previous_access_token: access_token }));
    expect(again.refresh_token).toBe(next.refresh_token);
    expect(decodeJwt(again.access_token).email).toBe('a@b.example');
  });

  it('returns nothing after a logout with either token', async () => {
    for (const which of ['first', 'next'] as const) {
      const { first, key, next } = await exchanged();
      await world.logOut(which === 'first' ? first : next.refresh_token);
      rejected(await exchange(first, key));
    }
  });

  it('leaves no working token when it races a logout', async () => {
    for (let round = 0; round < 8; round++) {
      const { first, key, next } = await exchanged();
      await Promise.all([exchange(first, key), world.logOut(first), exchange(first, key)]);
      rejected(await exchange(first, key));
      rejected(await world.refresh(next.refresh_token));
    }
  });

  it('returns nothing after deleting the player or the project', async () => {
    const { accountId } = world.project.developer;
    const developer = await world.server.running.accessTokens.signDeveloperToken({
      accountId,
      subject: 'd',
      actsAs: 'operator',
      seconds: 900,
    });
    const headers = { Authorization: `Bearer ${developer}` };
    const { first, key } = await exchanged();
    expect((await world.server.call('DELETE', `${world.project.path}/user-states/player-1`, { headers })).status).toBe(204);
    rejected(await exchange(first, key));
    const project = await world.newSignInProject();
    const id = await world.idToken({ firebase: { tenant: project.tenantId, sign_in_provider: 'password' } });
    const tokens = await world.newTokens({ client_id: project.clientId, idp_id_token: id });
    const client = { client_id: project.clientId };
    tokensOf(await exchange(tokens.refresh_token, key, client));
    await world.server.call('DELETE', project.path, { headers: project.developer.bearer });
    expect((await exchange(tokens.refresh_token, key, client)).status).toBeGreaterThanOrEqual(400);
  });

  it(`${runners} times simultaneously returns the same ${runners} times`, async () => {
    const [{ refresh_token }, key] = [await world.newTokens(), randomUUID()];
    const answers = (await race(runners, () => exchange(refresh_token, key))).map(tokensOf);
    expect(new Set(answers.map((answer) => answer.refresh_token)).size).toBe(1);
    tokensOf(await world.refresh(answers[0]?.refresh_token as string));
  });

  it('with different keys, simultaneously: one succeeds', async () => {
    const { refresh_token } = await world.newTokens();
    const answers = await race(runners, () => exchange(refresh_token, randomUUID()));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    for (const other of answers) if (other.status !== 200) rejected(other);
    tokensOf(await world.refresh(tokensOf(winners[0] as Answer).refresh_token));
  });

  it('is stored only as hashes, none of them the next token’s', async () => {
    const { first, key, next } = await exchanged();
    const stored = await place.storedText();
    for (const text of [first, next.refresh_token]) expect(stored).not.toContain(text.split('.')[1]);
    expect(stored).not.toContain(key);
  });
});

describe('the key of a refresh', () => {
  it.each([
    ['of 15 characters', 'k'.repeat(15)],
    ['of 256 characters', 'k'.repeat(256)],
    ['without characters', ''],
    ['with a space', 'sixteen characters'],
    ['that is sent twice', [randomUUID(), randomUUID()].join(', ')],
    ['with letters outside ASCII', 'ünsichtbar-aber-lang-genug'],
  ])('%s is 400 invalid_request, and the token stays valid', async (_, key) => {
    const { refresh_token } = await world.newTokens();
    expectTokenError(await exchange(refresh_token, key), 400, 'invalid_request');
    tokensOf(await world.refresh(refresh_token));
  });

  it.each(['k'.repeat(16), '~'.repeat(255)])('may be %s', async (key) => {
    const { refresh_token } = await world.newTokens();
    tokensOf(await exchange(refresh_token, key));
  });

  it('is ignored for a code, even if invalid', async () => {
    const form = { grant_type: 'authorization_code', code: 'x', redirect_uri: 'x', code_verifier: 'v'.repeat(43) };
    rejected(await exchange('', 'x', form));
  });
});
