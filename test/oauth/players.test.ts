/** Players as support sees them: search, blocks, sessions, export, deletion. @see docs/contract.md §8.12 */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Device, guestGrant, newDevice, nonceOf } from '../../tooling/guest.ts';
import type { Answer } from '../support/client.ts';
import { readEvents } from '../support/events.ts';
import { newMember } from '../support/members.ts';
import { expectTokenError, openWorld, returned, type SignInProject, type TokenSet, tokensOf, type World } from './world.ts';

let world: World;
let project: SignInProject;
beforeAll(async () => {
  world = await openWorld({ settings: { SVC_GUESTS_PER_HOUR: '0' } });
  project = world.project;
  await support('PATCH', `${project.path}/auth/end-user/config`, { allowedIdps: ['password', 'google.com', 'anonymous'] });
});
afterAll(() => world.stop());

interface Player {
  readonly userId: string;
  readonly blocked: unknown;
}
interface Page {
  readonly items: readonly Player[];
  readonly cursor: string | null;
  readonly hasMore: boolean;
  readonly matches?: unknown;
}

const support = (method: string, path: string, body?: unknown, headers = project.developer.bearer) =>
  world.server.call(method, path, { headers, ...(body !== undefined && { body }) });
const at = (id: string, rest = '') => `${project.path}/players/${encodeURIComponent(id)}${rest}`;
const list = async (query: string, headers = project.developer.bearer): Promise<Page> => {
  const answer = await support('GET', `${project.path}/players?${query}`, undefined, headers);
  expect(answer.status, answer.text).toBe(200);
  return answer.json as Page;
};
const idsOf = ({ items }: Page) => items.map(({ userId }) => userId);

let subjects = 0;
const newSubject = (prefix = 'player') => `${prefix}-${++subjects}`;

async function complete(sub: string, claims: Readonly<Record<string, unknown>> = {}, to = project): Promise<Answer> {
  const firebase = { tenant: to.tenantId, sign_in_provider: claims.provider ?? 'password' };
  const idToken = await world.idToken({ sub, firebase, ...claims });
  return world.complete(await world.callbackForm({ client_id: to.clientId, idp_id_token: idToken }));
}

async function signIn(sub: string, claims: Readonly<Record<string, unknown>> = {}, to = project): Promise<TokenSet> {
  const { code = '' } = returned(await complete(sub, claims, to));
  return tokensOf(await world.redeem(code, { client_id: to.clientId }));
}

const bearer = ({ access_token: token }: { readonly access_token: string }) => ({ Authorization: `Bearer ${token}` });
const statePath = (to = project, environment = 'production') => `${to.path}/user-state/${environment}`;
const save = (tokens: { readonly access_token: string }, to = project) =>
  world.server.call('PATCH', statePath(to), {
    headers: { ...bearer(tokens), 'If-None-Match': '*' },
    body: { ops: [{ op: 'add', path: '/gold', value: 1 }] },
  });
const readUserState = (tokens: { readonly access_token: string }, to = project) =>
  world.server.call('GET', statePath(to), { headers: bearer(tokens) });

async function enter(device: Device): Promise<Answer> {
  const place = { baseUrl: world.server.baseUrl, clientId: project.clientId, scope: 'env:production' };
  const nonce = nonceOf(await world.token({ grant_type: 'x', client_id: 'x' }));
  const form = { grant_type: guestGrant, client_id: place.clientId, scope: place.scope };
  return world.token({ ...form, assertion: device.assert(place, nonce) });
}

async function newGuest(device = newDevice()): Promise<{ userId: string; access_token: string }> {
  const { access_token: token } = tokensOf(await enter(device));
  return { access_token: token, userId: String(decodeJwt(token).user_id) };
}

const blockedBody = { error: 'invalid_grant', error_description: 'player_blocked' };

describe('every sign-in is recorded', () => {
  it('with an outside issuer too: subject, provider, email, name and time', async () => {
    const id = newSubject();
    const tokens = await signIn(id, { email: `${id}@example.com`, email_verified: true, name: 'Ada Lovelace' });
    await save(tokens);
    const before = (await support('GET', at(id))).json as { createdAt: string; lastSignInAt: string };
    expect(before).toEqual({
      userId: id,
      guest: false,
      email: `${id}@example.com`,
      name: 'Ada Lovelace',
      providers: ['password'],
      createdAt: expect.any(String),
      lastSignInAt: before.createdAt,
      blocked: null,
      states: [{ environment: 'production', version: 1, updatedAt: expect.any(String), stateSizeBytes: 10 }],
    });
    world.pass(5_000);
    await signIn(id, { provider: 'google.com' });
    const after = (await support('GET', at(id))).json as typeof before;
    expect(after).toMatchObject({ ...before, providers: ['google.com', 'password'], lastSignInAt: expect.any(String) });
    expect(Date.parse(after.lastSignInAt)).toBeGreaterThan(Date.parse(before.lastSignInAt));
  });

  it('unless it is refused', async () => {
    const id = newSubject();
    expect(returned(await complete(id, { provider: 'github.com' })).error).toBe('access_denied');
    expect(await support('GET', at(id))).toMatchObject({ status: 404, json: { error: 'not_found' } });
  });
});

describe('search', () => {
  it('finds each player once by the beginning of id, email or name, in any case', async () => {
    const id = newSubject('Zebra');
    await save(await signIn(id, { email: 'ZEBRA@example.com', email_verified: true, name: 'zebra Crossing' }));
    const other = newSubject('other');
    await signIn(other, { email: 'zEbroid@example.com', email_verified: true, name: 'Quagga' });
    expect(idsOf(await list('query=zebr'))).toEqual([id, other]);
    expect(idsOf(await list('query=QUAG'))).toEqual([other]);
    expect(idsOf(await list('query=zebra%40'))).toEqual([id]);
    expect(idsOf(await list('query=zebra%20cr'))).toEqual([id]);
    expect(idsOf(await list('query=ebra'))).toEqual([]);
  });

  it('finds them by every word of the name and part of the address, ignoring case and accents', async () => {
    const id = newSubject();
    const claims = { email: 'lov.byron+news@Analytical-Engine.example', email_verified: true };
    await signIn(id, { ...claims, name: '  Áugusta  Ada Straße-Löwe' });
    const queries = [
      'augu',
      'ÁUGUSTA ada',
      'ada stra',
      'strasse',
      'Löw',
      'lowe',
      'byron',
      'news@',
      'ENGINE.ex',
      'analytical-',
    ];
    for (const query of queries) {
      expect(idsOf(await list(`query=${encodeURIComponent(query)}`)), query).toEqual([id]);
    }
    for (const query of ['gusta', 'augusta straße', 'yron', '\u0301', 'engine example']) {
      expect(idsOf(await list(`query=${encodeURIComponent(query)}`)), query).toEqual([]);
    }
    await signIn(id, { ...claims, name: 'Grâce' });
    expect(idsOf(await list(`query=${encodeURIComponent('straße')}`))).toEqual([]);
    expect(idsOf(await list('query=GRACE'))).toEqual([id]);
    expect((await support('DELETE', at(id))).status).toBe(204);
    const stored = await world.server.place.runSql('SELECT subject FROM player_words', 'SELECT subject FROM player_words');
    expect(JSON.stringify(stored)).not.toContain(id);
  });

  it('with in=project finds those with a state of the project or a sign-in to it, and in=account everybody', async () => {
    const other = await otherProject();
    const [here, there, guest] = [newSubject('within'), newSubject('within'), newSubject('within')];
    const named = { name: 'Within Reach' };
    await signIn(here, named);
    await signIn(there, named, other);
    await signIn(guest, named, other);
    const path = `${project.path}/user-states/production/${guest}`;
    const headers = { ...project.developer.bearer, 'If-None-Match': '*' };
    const body = { ops: [{ op: 'add', path: '/gold', value: 1 }] };
    expect((await world.server.call('PATCH', path, { headers, body })).status).toBe(200);
    for (const query of ['query=within', 'query=reach', 'query=WITHIN%20R']) {
      expect(idsOf(await list(`${query}&in=project`)).toSorted(), query).toEqual([here, guest].toSorted());
      expect(idsOf(await list(`${query}&in=account`)).toSorted(), query).toEqual([here, there, guest].toSorted());
      expect(await list(query)).toEqual(await list(`${query}&in=account`));
      expect(await list(`${query}&in=project&count=true`)).toMatchObject({ matches: { count: 2, isExact: true } });
    }
    const inOther = await support('GET', `${other.path}/players?in=project`);
    expect(idsOf(inOther.json as Page)).toEqual([there, guest]);
    const all: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = await list(`in=project&limit=3${cursor && `&cursor=${cursor}`}`);
      all.push(...idsOf(page));
      cursor = page.cursor;
    }
    expect(all).toContain(here);
    expect(all).not.toContain(there);
    expect(new Set(all).size).toBe(all.length);
    // Erased from the project, the player is no longer of it.
    await support('DELETE', `${other.path}/players/${there}`);
    await support('DELETE', `${other.path}/players/${guest}`);
    expect(idsOf((await support('GET', `${other.path}/players?in=project`)).json as Page)).toEqual([]);
    expect(idsOf(await list('query=reach&in=project')).toSorted()).toEqual([here, guest].toSorted());
  });

  it('finds players again whose words are missing, once a background step has gone over them', async () => {
    const { accountId } = project.developer;
    const { store } = world.server.running;
    const ids = Array.from({ length: 60 }, () => newSubject('wordless'));
    for (const id of ids) await signIn(id, { name: 'Nobody Wordless', email: `${id}@example.com`, email_verified: true });
    const gone = JSON.stringify('gone-1');
    await world.server.place.runSql(
      'DELETE FROM player_words',
      'DELETE FROM player_word_positions', // on a slow machine, the server has gone over the account before
      `INSERT INTO player_words (account_id, subject, provider, word)
       SELECT account_id, '${gone}', provider, name_key FROM identities WHERE subject = '${JSON.stringify(ids[0])}'`,
      `INSERT INTO project_players (account_id, slug, end_user_id, id_key)
       SELECT account_id, '${project.slug}', '${gone}', id_key FROM identities WHERE subject = '${JSON.stringify(ids[0])}'`,
      'SELECT 1',
    );
    const count = async () => (await list('query=wordless&count=true&limit=1')).matches;
    const found = async () => idsOf(await list('query=wordl&limit=50')).length;
    expect(await found()).toBe(50); // by their ids
    const byName = async () => (await list('query=nobody&count=true&limit=1')).matches;
    expect(await byName()).toMatchObject({ count: 60 }); // by the beginning of the name
    const byEmailPart = async () => (await list('query=example.com&count=true&limit=1')).matches;
    expect(await byEmailPart()).toMatchObject({ count: 0 });
    expect((await store.listWordlessAccounts(null)).accountIds).toContain(accountId);
    let slices = 1;
    while (!(await store.fillPlayerWords(accountId))) slices++;
    expect(slices).toBeGreaterThan(2);
    expect(await byEmailPart()).not.toMatchObject({ count: 0 });
    expect(await count()).toMatchObject({ count: 60 });
    expect((await store.listWordlessAccounts(null)).accountIds).not.toContain(accountId);
    expect(await store.fillPlayerWords(accountId)).toBe(true);
    const left = await world.server.place.runSql(
      `SELECT subject FROM player_words WHERE subject = '${gone}' UNION ALL
       SELECT end_user_id FROM project_players WHERE end_user_id = '${gone}'`,
    );
    expect(left).toEqual([]);
  });

  it('returns every player once across pages', async () => {
    const ids = Array.from({ length: 7 }, () => newSubject('Paged'));
    for (const id of ids) await signIn(id, { email: `paged.${id}@example.com`, email_verified: true, name: 'Paged' });
    for (const id of ids.slice(0, 4)) await save(await signIn(id));
    const found: string[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null && pages < 40; pages++) {
      const page: Page = await list(`query=paged&limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.items.length).toBeLessThanOrEqual(2);
      expect(page.hasMore).toBe(page.cursor !== null);
      found.push(...idsOf(page));
      cursor = page.cursor;
    }
    expect(found.toSorted()).toEqual(ids.toSorted());
  });

  it('counts, and sorts by last sign-in and last user state', async () => {
    const ids = Array.from({ length: 3 }, () => newSubject('sorted'));
    for (const id of ids) {
      world.pass(2_000);
      await save(await signIn(id));
    }
    const [first = '', second = '', third = ''] = ids;
    world.pass(2_000);
    await signIn(first);
    const counted = await list('query=sorted&count=true&limit=1');
    expect(counted).toMatchObject({ matches: { count: 3, isExact: true, sort: 'key' }, hasMore: true });
    expect(idsOf(await list('query=sorted&sort=last_sign_in'))).toEqual([first, third, second]);
    const page = await list('query=sorted&sort=last_save&limit=2');
    expect(idsOf(page)).toEqual([third, second]);
    expect(idsOf(await list(`query=sorted&sort=last_save&limit=2&cursor=${page.cursor}`))).toEqual([first]);
  });

  it('shows viewers only ids', async () => {
    const id = newSubject('watched');
    await signIn(id, { email: 'secret.person@example.com', email_verified: true, name: 'Secret Person' });
    const viewer = await newMember(world.server, project.developer.accountId, 'viewer', null, world.provider.issuer);
    expect(idsOf(await list('query=secret'))).toEqual([id]);
    expect(idsOf(await list('query=secret', viewer.bearer))).toEqual([]);
    const [item] = (await list('query=watched', viewer.bearer)).items;
    expect(item).toMatchObject({ userId: id });
    expect(item).not.toHaveProperty('email');
    expect(item).not.toHaveProperty('name');
    expect((await support('GET', at(id), undefined, viewer.bearer)).text).not.toMatch(/secret/i);
    expect((await support('GET', at(id, '/export'), undefined, viewer.bearer)).status).toBe(403);
    expect((await support('PUT', at(id, '/block'), {}, viewer.bearer)).status).toBe(403);
  });

  it('refuses a cursor from another search, a forged one, and invalid parameters', async () => {
    const { cursor } = await list('limit=1');
    const forged = Buffer.from('12345678{}:x').toString('base64url');
    for (const query of [
      `query=z&cursor=${cursor}`,
      `cursor=${forged}`,
      'cursor=',
      'cursor=%00',
      'count=1',
      'sort=name',
      'in=',
      'in=all',
    ]) {
      const answer = await support('GET', `${project.path}/players?${query}`);
      expect(answer, query).toMatchObject({ status: 400, json: { error: 'validation_error' } });
    }
    for (const query of [`query=${'x'.repeat(513)}`, 'query=a&query=b', 'in=project&in=project', 'limit=x']) {
      expect((await support('GET', `${project.path}/players?${query}`)).status, query).toBe(400);
    }
    for (const query of ['%00', '%22', '%5C', '%F0%9F%98%80', '%', "'%20OR%201=1"]) {
      expect(idsOf(await list(`query=${query}`)), query).toEqual([]);
    }
  });

  it('never shows another account’s players', async () => {
    const elsewhere = await world.newSignInProject();
    const id = newSubject('foreign');
    await signIn(id, {}, elsewhere);
    expect(idsOf(await list('query=foreign'))).toEqual([]);
    expect((await support('GET', at(id))).status).toBe(404);
    expect((await support('PUT', at(id, '/block'), {})).status).toBe(404);
  });
});

/** Another project of the account, with the same settings. */
async function otherProject() {
  const { accountId, bearer: headers } = project.developer;
  const slug = `other-${++subjects}`;
  await world.server.call('POST', `/v1/${accountId}/projects`, { headers, body: { slug } });
  const path = `/v1/${accountId}/projects/${slug}`;
  const settings = (await support('GET', `${project.path}/auth/end-user/config`)).json;
  await support('PUT', `${path}/auth/end-user/config`, settings);
  return { ...project, slug, path, clientId: `${accountId}.${slug}` };
}

describe('a block', () => {
  const block = (id: string, body: unknown = {}) => support('PUT', at(id, '/block'), body);
  const unblock = (id: string) => support('DELETE', at(id, '/block'));

  it('ends tokens, sessions and streams immediately, prevents sign-in, and can be lifted', async () => {
    const id = newSubject();
    const tokens = await signIn(id);
    await save(tokens);
    const { code: unspent = '' } = returned(await complete(id));
    const stream = await readEvents(world.server.baseUrl, `${statePath()}/changes`, bearer(tokens));
    expect((await stream.next()).type).toBe('snapshot');
    const answer = await block(id, { reason: 'cheats' });
    expect(answer).toMatchObject({ status: 200, json: { reason: 'cheats', until: null, blockedAt: expect.any(String) } });
    expect((await readUserState(tokens)).status).toBe(401);
    expect((await stream.next()).data).toMatchObject({ reason: 'revoked' });
    expect(await world.refresh(tokens.refresh_token)).toMatchObject({ status: 400, json: blockedBody });
    expectTokenError(await world.redeem(unspent), 400, 'invalid_grant');
    expect(returned(await complete(id))).toMatchObject({ error: 'access_denied', error_description: 'player_blocked' });
    expect(returned(await complete(id, { provider: 'google.com' })).error).toBe('access_denied');
    expect((await support('GET', at(id))).json).toMatchObject({ blocked: answer.json, providers: ['password'] });

    expect((await unblock(id)).status).toBe(204);
    expect((await unblock(id)).status).toBe(204);
    expect((await readUserState(tokens)).status).toBe(401);
    expectTokenError(await world.refresh(tokens.refresh_token), 400, 'invalid_grant');
    const later = await signIn(id);
    expect((await readUserState(later)).status).toBe(200);
    expect((await world.refresh(later.refresh_token)).status).toBe(200);
  });

  it('ends tokens of the same second, but none issued afterwards', async () => {
    const id = newSubject();
    world.pass(1_000 - (world.now() % 1_000));
    const before = await signIn(id);
    await block(id);
    await unblock(id);
    const after = await signIn(id);
    expect((await readUserState(before)).status).toBe(401);
    expect((await readUserState(after)).status).toBe(204);
    const renewed = tokensOf(await world.refresh(after.refresh_token));
    expect((await readUserState(renewed)).status).toBe(204);
  });

  it('between a code and its exchange prevents a session', async () => {
    const id = newSubject();
    const { code = '' } = returned(await complete(id));
    await block(id);
    await unblock(id);
    expectTokenError(await world.redeem(code), 400, 'invalid_grant');
  });

  it('expires', async () => {
    const id = newSubject();
    const tokens = await signIn(id);
    await block(id, { until: new Date(world.now() + 60_000).toISOString() });
    expect(returned(await complete(id)).error).toBe('access_denied');
    world.pass(61_000);
    expect(returned(await complete(id)).code).toBeDefined();
    expect((await readUserState(tokens)).status).toBe(401);
    expect((await support('GET', at(id))).json).toMatchObject({ blocked: null });
  });

  it('keeps a guest out', async () => {
    const device = newDevice();
    const guest = await newGuest(device);
    expect((await block(guest.userId)).status).toBe(404);
    await save(guest);
    expect((await block(guest.userId)).status).toBe(200);
    expect((await readUserState(guest)).status).toBe(401);
    expect(await enter(device)).toMatchObject({ status: 400, json: blockedBody });
    expect((await unblock(guest.userId)).status).toBe(204);
    expect((await readUserState(await newGuest(device))).status).toBe(200);
    expect((await support('GET', at(guest.userId))).json).toMatchObject({ guest: true, lastSignInAt: null });
  });

  it('survives the deletion of the player, and so does the identity', async () => {
    const id = newSubject();
    await save(await signIn(id));
    await block(id);
    expect((await support('DELETE', at(id))).status).toBe(204);
    expect((await support('GET', at(id))).json).toMatchObject({ states: [], providers: ['password'], blocked: {} });
    expect(returned(await complete(id)).error).toBe('access_denied');
    await unblock(id);
    expect((await support('DELETE', at(id))).status).toBe(204);
    expect((await support('GET', at(id))).status).toBe(404);
  });

  it('applies to one project', async () => {
    const id = newSubject();
    const other = await otherProject();
    const there = await signIn(id, {}, other);
    await block(id);
    expect((await readUserState(there, other)).status).toBe(204);
    expect(returned(await complete(id, {}, other)).code).toBeDefined();
    // A deletion there keeps the identity, since a project of the account blocks it.
    await support('DELETE', `${other.path}/players/${id}`);
    expect(returned(await complete(id)).error).toBe('access_denied');
  });

  it.each([
    [{ reason: 'x'.repeat(1_001) }],
    [{ reason: 7 }],
    [{ until: 'tomorrow' }],
    [{ until: '2020-01-01T00:00:00Z' }],
    [{ until: 7 }],
    [[]],
  ])('is refused with %j: 400', async (body) => {
    const id = newSubject();
    await signIn(id);
    expect(await block(id, body)).toMatchObject({ status: 400, json: { error: 'validation_error' } });
    expect((await support('GET', at(id))).json).toMatchObject({ blocked: null });
  });

  it('of an unknown player is 404, and stores nothing', async () => {
    for (const id of ['nobody', 'x'.repeat(513), '%00', 'a\nb']) {
      expect((await block(id)).status).toBe(404);
      expect((await support('GET', at(id))).status).toBe(404);
    }
  });
});

describe('sessions', () => {
  it('of a player end with their tokens; a later sign-in works', async () => {
    const id = newSubject();
    const tokens = await signIn(id);
    expect((await support('DELETE', at(id, '/sessions'))).status).toBe(204);
    expect((await readUserState(tokens)).status).toBe(401);
    expectTokenError(await world.refresh(tokens.refresh_token), 400, 'invalid_grant');
    expect((await readUserState(await signIn(id))).status).toBe(204);
    expect((await support('DELETE', at('nobody', '/sessions'))).status).toBe(204);
  });

  it('of a guest without a user state end too; a later token on the device works', async () => {
    const device = newDevice();
    const guest = await newGuest(device);
    expect((await support('DELETE', at(guest.userId, '/sessions'))).status).toBe(204);
    expect((await save(guest)).status).toBe(401);
    expect((await support('GET', at(guest.userId))).status).toBe(404);
    expect((await save(await newGuest(device))).json).toMatchObject({ version: 1 });
  });

  it('end in their project, even after the player and identity were erased from another', async () => {
    const other = await otherProject();
    for (const path of ['/sessions', '']) {
      const id = newSubject();
      const there = await signIn(id, {}, other);
      await support('DELETE', at(id));
      expect((await readUserState(there, other)).status).toBe(204);
      expect((await support('DELETE', `${other.path}/players/${id}${path}`)).status).toBe(204);
      expect((await readUserState(there, other)).status).toBe(401);
      expectTokenError(await world.refresh(there.refresh_token), 400, 'invalid_grant');
    }
  });
});

describe('the deletion of a player', () => {
  it('removes everything; another device cannot write again', async () => {
    const id = newSubject();
    const tokens = await signIn(id, { email: `${id}@example.com`, email_verified: true });
    await save(tokens);
    expect((await support('DELETE', at(id))).status).toBe(204);
    expect((await save(tokens)).status).toBe(401);
    expectTokenError(await world.refresh(tokens.refresh_token), 400, 'invalid_grant');
    expect((await support('GET', at(id))).status).toBe(404);
    expect(idsOf(await list(`query=${id}`))).toEqual([]);
    expect((await support('DELETE', at(id))).status).toBe(204);
    const again = await signIn(id);
    expect((await save(again)).json).toMatchObject({ version: 2 });
  });

  it('of only the states lets another device create a new one', async () => {
    const id = newSubject();
    const tokens = await signIn(id);
    await save(tokens);
    expect((await support('DELETE', `${project.path}/user-states/${id}`)).status).toBe(204);
    expect((await save(tokens)).json).toMatchObject({ version: 2, state: { gold: 1 } });
  });

  it('removes the id from the audit trail', async () => {
    const id = newSubject('erased');
    await save(await signIn(id));
    await support('PUT', at(id, '/block'), { reason: 'why' });
    await support('DELETE', at(id, '/block'));
    await support('DELETE', at(id, '/sessions'));
    await support('GET', at(id, '/export'));
    const { accountId } = project.developer;
    const trail = async () => (await support('GET', `/v1/${accountId}/audit?limit=6`)).text;
    const actions = (text: string) =>
      (JSON.parse(text) as { items: { action: string; target: string }[] }).items.map(({ action }) => action);
    const before = await trail();
    expect(before).toContain(`projects/${project.slug}/players/${id}`);
    expect(actions(before).slice(0, 4)).toEqual(['player.export', 'player.sign_out', 'player.unblock', 'player.block']);
    await support('DELETE', at(id));
    const after = await trail();
    expect(after).not.toContain(id);
    expect(actions(after)[0]).toBe('player.delete');
  });
});

describe('an export', () => {
  it('contains the methods and the user states of all environments', async () => {
    const id = newSubject();
    const tokens = await signIn(id, { email: `${id}@example.com`, email_verified: true });
    await save(tokens);
    await world.server.call('PATCH', statePath(), {
      headers: { ...bearer(tokens), 'If-Match': '"1"' },
      body: { ops: [{ op: 'replace', path: '/gold', value: 7 }] },
    });
    const answer = await support('GET', at(id, '/export'));
    expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(answer.json).toEqual({
      userId: id,
      methods: [{ id: expect.stringMatching(/^mth_[0-9A-Za-z]{22}$/), provider: 'password', email: `${id}@example.com` }],
      environments: {
        production: {
          version: 2,
          state: { gold: 7 },
          versions: [{ version: 1, state: { gold: 1 }, updatedAt: expect.any(String), comment: null }],
        },
      },
    });
    expect((await support('GET', at('nobody', '/export'))).status).toBe(404);
  });
});

describe('a signed-in player', () => {
  const me = (method: string, tokens: { readonly access_token: string }, rest = '') =>
    world.server.call(method, `${project.path}/me${rest}`, { headers: bearer(tokens) });
  const inStaging = async (sub: string) => {
    const idToken = await world.idToken({ sub });
    const form = await world.callbackForm({ idp_id_token: idToken, scope: 'env:staging' });
    return tokensOf(await world.redeem(returned(await world.complete(form)).code ?? ''));
  };
  const saveInStaging = (tokens: TokenSet) =>
    world.server.call('PATCH', statePath(project, 'staging'), {
      headers: { ...bearer(tokens), 'If-None-Match': '*' },
      body: { ops: [{ op: 'add', path: '/gold', value: 2 }] },
    });

  it('reads their own record, and downloads everything', async () => {
    const id = newSubject();
    const tokens = await signIn(id, { email: `${id}@example.com`, email_verified: true });
    await save(tokens);
    const staging = await inStaging(id);
    await saveInStaging(staging);
    expect((await me('GET', tokens)).json).toEqual({
      userId: id,
      guest: false,
      createdAt: expect.any(String),
      methods: [{ id: expect.any(String), provider: 'password', email: `${id}@example.com` }],
    });
    const whole = (await me('GET', tokens, '/export')).json;
    expect(whole).toMatchObject({ environments: { production: { state: { gold: 1 } }, staging: { state: { gold: 2 } } } });
    expect((await me('GET', staging, '/export')).json).toMatchObject({ environments: { staging: { state: { gold: 2 } } } });
    expect((await me('GET', staging, '/export')).text).not.toContain('production');
  });

  it('deletes everything with a production token', async () => {
    const id = newSubject();
    const staging = await inStaging(id);
    await saveInStaging(staging);
    const tokens = await signIn(id);
    await save(tokens);
    expect((await me('DELETE', tokens)).status).toBe(204);
    expect((await me('GET', tokens)).status).toBe(401);
    expect((await saveInStaging(staging)).status).toBe(401);
    expectTokenError(await world.refresh(tokens.refresh_token), 400, 'invalid_grant');
    expect((await support('GET', at(id))).status).toBe(404);
  });

  it('deletes only the environment of a token for another environment', async () => {
    const id = newSubject();
    const staging = await inStaging(id);
    await saveInStaging(staging);
    const tokens = await signIn(id);
    await save(tokens);
    expect((await me('DELETE', staging)).status).toBe(204);
    expect((await me('GET', staging)).status).toBe(401);
    expectTokenError(await world.refresh(staging.refresh_token), 400, 'invalid_grant');
    expect((await readUserState(tokens)).status).toBe(200);
    expect((await world.refresh(tokens.refresh_token)).status).toBe(200);
    expect((await support('GET', at(id))).json).toMatchObject({ states: [{ environment: 'production' }] });
  });

  it('keeps the identity while another project blocks it', async () => {
    const id = newSubject();
    const { accountId, bearer: headers } = project.developer;
    const slug = `blocking-${subjects}`;
    await world.server.call('POST', `/v1/${accountId}/projects`, { headers, body: { slug } });
    const there = `/v1/${accountId}/projects/${slug}/players/${id}`;
    const tokens = await signIn(id);
    await save(tokens);
    expect((await support('PUT', `${there}/block`, {})).status).toBe(200);
    expect((await me('DELETE', tokens)).status).toBe(204);
    expect((await support('GET', there)).json).toMatchObject({ providers: ['password'], states: [] });
  });

  it('must have signed in within ten minutes to delete', async () => {
    const tokens = await signIn(newSubject());
    world.pass(11 * 60_000);
    const later = tokensOf(await world.refresh(tokens.refresh_token));
    expect(await me('DELETE', later)).toMatchObject({ status: 403, json: { error: 'sign_in_again' } });
    expect((await me('GET', later)).status).toBe(200);
  });

  it('can be a guest, and delete everything with a recent token', async () => {
    const device = newDevice();
    const guest = await newGuest(device);
    expect((await me('GET', guest)).json).toEqual({ userId: guest.userId, guest: true, createdAt: null, methods: [] });
    await save(guest);
    world.pass(11 * 60_000);
    expect(await me('DELETE', guest)).toMatchObject({ status: 403, json: { error: 'sign_in_again' } });
    expect((await me('DELETE', await newGuest(device))).status).toBe(204);
    expect((await readUserState(guest)).status).toBe(401);
    const again = await newGuest(device);
    expect((await readUserState(again)).status).toBe(204);
    expect((await me('GET', again)).json).toMatchObject({ guest: true, createdAt: null });
  });
});
