/** A session ends with its access tokens and its change streams. @see docs/contract.md §7.8 */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readEvents } from '../support/events.ts';
import { openPlace, type Place } from '../support/place.ts';
import { developerUri, openWorld, type TokenSet, tokensOf, verifier, type World } from './world.ts';

let place: Place;
let world: World;
beforeAll(async () => {
  place = await openPlace();
  world = await openWorld({ place, settings: { SVC_REFRESH_REPLAY_GRACE_SECONDS: '0' } });
});
afterAll(async () => {
  await world.stop();
  await place.remove();
});

const bearer = ({ access_token }: Pick<TokenSet, 'access_token'>) => ({ Authorization: `Bearer ${access_token}` });
const state = () => `${world.project.path}/user-state/production`;
const read = async (tokens: TokenSet) => (await world.server.call('GET', state(), { headers: bearer(tokens) })).status;
const claimsOf = ({ access_token }: TokenSet) =>
  JSON.parse(Buffer.from(access_token.split('.')[1] as string, 'base64url').toString()) as Readonly<
    Record<string, unknown>
  >;

async function streamOf(tokens: TokenSet) {
  const reader = await readEvents(world.server.baseUrl, `${state()}/changes`, bearer(tokens));
  onTestFinished(() => reader.close());
  expect(reader.status).toBe(200);
  return reader;
}

async function developerTokens(): Promise<TokenSet> {
  const code = await world.newCode({
    client_id: 'svc-developer',
    redirect_uri: developerUri,
    scope: undefined,
    idp_id_token: await world.idToken({ sub: 'a developer', firebase: { sign_in_provider: 'password' } }),
  });
  return tokensOf(await world.redeem(code, { client_id: 'svc-developer', redirect_uri: developerUri }));
}

describe('sid', () => {
  it('stays the same through refreshes, and differs between sessions', async () => {
    const [first, other] = [await world.newTokens(), await world.newTokens()];
    const second = tokensOf(await world.refresh(first.refresh_token));
    const third = tokensOf(await world.refresh(second.refresh_token));
    const { sid } = claimsOf(first);
    expect(sid).toMatch(/^[\w-]{22}$/);
    expect([claimsOf(second).sid, claimsOf(third).sid]).toEqual([sid, sid]);
    expect(claimsOf(other).sid).not.toBe(sid);
    expect(first.refresh_token).not.toContain(sid);
  });

  it('is in developer tokens too', async () => {
    expect(claimsOf(await developerTokens()).sid).toMatch(/^[\w-]{22}$/);
  });
});

/** Ways to end a session, given its first and last tokens. */
const ends: readonly (readonly [string, (first: TokenSet, last: TokenSet) => Promise<unknown>])[] = [
  ['logout', (_, last) => world.logOut(last.refresh_token)],
  ['logout by an earlier refresh token', (first) => world.logOut(first.refresh_token)],
  ['a replay', (first) => world.refresh(first.refresh_token)],
];

describe.each(ends)('%s', (_name, end) => {
  it('ends all access tokens and streams of the session immediately, and no others', async () => {
    const other = await world.newTokens();
    const first = await world.newTokens();
    const last = tokensOf(await world.refresh(first.refresh_token));
    const stream = await streamOf(last);
    expect([await read(first), await read(last), await read(other)]).toEqual([204, 204, 204]);
    await end(first, last);
    expect([await read(first), await read(last), await read(other)]).toEqual([401, 401, 204]);
    expect((await stream.next()).type).toBe('snapshot');
    expect(await stream.next()).toMatchObject({ type: 'goodbye', data: { reason: 'revoked' } });
    const again = tokensOf(await world.refresh(other.refresh_token));
    expect(await read(again)).toBe(204);
  });
});

it('a repeated code ends the tokens issued for it', async () => {
  const code = await world.newCode();
  const tokens = tokensOf(await world.redeem(code));
  expect(await read(tokens)).toBe(204);
  expect((await world.redeem(code, { code_verifier: verifier })).status).toBe(400);
  expect(await read(tokens)).toBe(401);
});

it('a write is refused after logout, and nothing is stored', async () => {
  const tokens = await world.newTokens();
  await world.logOut(tokens.refresh_token);
  const headers = { ...bearer(tokens), 'If-None-Match': '*' };
  const body = { ops: [{ op: 'add', path: '/late', value: 1 }] };
  const answer = await world.server.call('PATCH', state(), { headers, body });
  expect(answer.status).toBe(401);
  expect(answer.headers['www-authenticate']).toContain('the session was ended');
});

it('a developer session ends as well', async () => {
  const tokens = await developerTokens();
  const call = async () => (await world.server.call('GET', '/v1/developer/accounts', { headers: bearer(tokens) })).status;
  expect(await call()).toBe(200);
  await world.logOut(tokens.refresh_token);
  expect(await call()).toBe(401);
});

it('an ended session stays ended after a restart', async () => {
  const tokens = await world.newTokens();
  await world.logOut(tokens.refresh_token);
  await world.restart();
  expect(await read(tokens)).toBe(401);
});
