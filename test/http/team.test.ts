/** Members and invitations over HTTP, one case for each status and code. @see docs/contract.md §8.8 and §8.9 */
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { mailTo } from '../../tooling/outbox.ts';
import { readEvents } from '../support/events.ts';
import { newMember, type TestMember } from '../support/members.ts';
import { type Developer, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let studio: Developer;
let ada: TestMember;
beforeAll(async () => {
  server = await startServer();
  studio = await server.newDeveloper('Lanternfish <b>Games</b>');
  ada = await newMember(server, studio.accountId, 'owner');
});
afterAll(() => server.stop());

const member = (
  ...given:
    | [Parameters<typeof newMember>[2], ...never[]]
    | [Parameters<typeof newMember>[2], Parameters<typeof newMember>[3]]
) => newMember(server, studio.accountId, ...(given as [Parameters<typeof newMember>[2]]));
const at = (path: string) => `/v1/${studio.accountId}${path}`;
const as = ({ bearer: headers }: Developer, method: string, path: string, body?: unknown) =>
  server.call(method, at(path), { headers, ...(body !== undefined && { body }) });
const patch = (by: Developer, { memberId }: TestMember, body: unknown) => as(by, 'PATCH', `/members/${memberId}`, body);
const remove = (by: Developer, { memberId }: TestMember) => as(by, 'DELETE', `/members/${memberId}`);
const invite = (by: Developer, body: unknown) => as(by, 'POST', '/invitations', body);

describe('members', () => {
  it('are listed with their roles, in the order of joining', async () => {
    const eve = await member('viewer');
    const bob = await newMember(server, studio.accountId, 'editor', ['staging']);
    const { json } = await as(eve, 'GET', '/members');
    const { items } = json as { items: { memberId: string }[] };
    expect(items.find(({ memberId }) => memberId === bob.memberId)).toEqual({
      memberId: bob.memberId,
      email: `${bob.subject}@example.com`,
      name: bob.subject,
      role: 'editor',
      environments: ['staging'],
      joinedAt: expect.any(String),
      lastSeenAt: expect.any(String),
    });
    expect(items[0]?.memberId).toBe(ada.memberId);
  });

  it('change role immediately, and lose powers above the new role', async () => {
    const bob = await member('admin');
    const created = await invite(bob, { role: 'admin' });
    expect(created.status).toBe(201);
    expect(await patch(ada, bob, { role: 'viewer' })).toMatchObject({
      status: 200,
      json: { memberId: bob.memberId, role: 'viewer', environments: null },
    });
    expect(await as(bob, 'GET', '/invitations')).toMatchObject({ status: 403, json: { error: 'forbidden' } });
    expect((await as(bob, 'GET', '')).status).toBe(200);
    const open = await as(ada, 'GET', '/invitations');
    expect(open.text).not.toContain((created.json as { id: string }).id);
    expect(await patch(ada, bob, { environments: ['staging'], role: 'editor' })).toMatchObject({
      json: { role: 'editor', environments: ['staging'] },
    });
    expect(await patch(ada, bob, { environments: null })).toMatchObject({ json: { role: 'editor', environments: null } });
  });

  it.each([
    [{}, /role or environments/],
    [{ role: 'king' }, /role/],
    [{ role: 'server' }, /role/],
    [{ role: null }, /role/],
    [{ environments: [] }, /environments/],
    [{ environments: ['moon'] }, /environments/],
    [{ environments: ['staging', 'staging'] }, /environments/],
    [{ role: 'owner', environments: ['staging'] }, /an owner has all environments/],
  ])('are not changed by %j: 400', async (body, message) => {
    const bob = await member('viewer');
    const answer = await patch(ada, bob, body);
    expect(answer).toMatchObject({ status: 400, json: { error: 'validation_error' } });
    expect(answer.text).toMatch(message);
  });

  it('are changed by nobody above their own role and environments: 403', async () => {
    const admin = await member('admin');
    const narrow = await newMember(server, studio.accountId, 'admin', ['staging']);
    const bob = await member('viewer');
    for (const [by, whom, body] of [
      [admin, ada, { role: 'viewer' }],
      [admin, bob, { role: 'owner' }],
      [admin, admin, { role: 'owner' }],
      [narrow, bob, { role: 'editor' }],
      [narrow, narrow, { environments: null }],
    ] as const) {
      expect(await patch(by, whom, body)).toMatchObject({ status: 403, json: { error: 'forbidden' } });
    }
    expect(await remove(admin, ada)).toMatchObject({ status: 403, json: { error: 'forbidden' } });
    expect(await remove(bob, admin)).toMatchObject({ status: 403, json: { error: 'forbidden' } });
    expect((await patch(narrow, bob, { role: 'editor', environments: ['staging'] })).status).toBe(403);
  });

  it('are 404 if unknown, and 400 if their id is malformed', async () => {
    const none = { ...ada, memberId: 'mem_none' };
    expect(await patch(ada, none, { role: 'viewer' })).toMatchObject({ status: 404, json: { error: 'not_found' } });
    expect(await remove(ada, none)).toMatchObject({ status: 404, json: { error: 'not_found' } });
    expect(await remove(ada, { ...ada, memberId: '7' })).toMatchObject({
      status: 400,
      json: { error: 'validation_error' },
    });
  });

  it('may leave with any role, but the last owner can neither leave nor step down: 409', async () => {
    const { accountId } = await server.newDeveloper();
    const [first, second] = [await newMember(server, accountId, 'owner'), await newMember(server, accountId, 'owner')];
    const viewer = await newMember(server, accountId, 'viewer', ['staging']);
    const one = (by: Developer, method: string, whom: TestMember, body?: unknown) =>
      server.call(method, `/v1/${accountId}/members/${whom.memberId}`, {
        headers: by.bearer,
        ...(body !== undefined && { body }),
      });
    expect((await one(viewer, 'DELETE', viewer)).status).toBe(204);
    expect((await one(second, 'DELETE', second)).status).toBe(204);
    const operator = await server.running.accessTokens.signDeveloperToken({
      accountId,
      subject: 'operator',
      actsAs: 'operator',
      seconds: 900,
    });
    for (const by of [first, { ...first, bearer: { Authorization: `Bearer ${operator}` } }]) {
      expect(await one(by, 'DELETE', first)).toMatchObject({ status: 409, json: { error: 'last_owner' } });
      expect(await one(by, 'PATCH', first, { role: 'admin' })).toMatchObject({
        status: 409,
        json: { error: 'last_owner' },
      });
    }
    expect((await one(first, 'PATCH', first, { role: 'owner' })).status).toBe(200);
  });

  it('are signed out immediately when removed, and their streams end within a second', async () => {
    const project = await server.newProject(studio);
    const bob = await member('viewer');
    const stream = await readEvents(server.baseUrl, `${project.path}/public-state/staging/changes`, bob.bearer);
    onTestFinished(() => stream.close());
    expect((await stream.next()).type).toBe('snapshot');
    expect((await remove(ada, bob)).status).toBe(204);
    const answer = await as(bob, 'GET', '');
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/error="invalid_token".*not a member/);
    expect(await stream.next()).toMatchObject({ type: 'goodbye', data: { reason: 'revoked' } });
    expect((await remove(ada, bob)).status).toBe(404);
  });
});

describe('invitations', () => {
  it('are created, shown once, listed and withdrawn', async () => {
    const created = await invite(ada, { role: 'editor', environments: ['staging'] });
    expect(created).toMatchObject({
      status: 201,
      headers: { 'cache-control': 'no-store' },
      json: { id: expect.stringMatching(/^inv_/), role: 'editor', environments: ['staging'], email: null },
    });
    const { id, url, expiresAt } = created.json as { id: string; url: string; expiresAt: string };
    expect(url).toMatch(new RegExp(`^${server.baseUrl}/console/join#[0-9A-Za-z]{43}$`));
    const token = url.split('#')[1] ?? '';
    const listed = await as(ada, 'GET', '/invitations');
    expect((listed.json as { items: unknown[] }).items[0]).toEqual({
      id,
      role: 'editor',
      environments: ['staging'],
      email: null,
      inviter: ada.subject,
      createdAt: expect.any(String),
      expiresAt,
    });
    expect(listed.text).not.toContain(token);
    const read = () =>
      server.call('POST', '/v1/auth/invitation', {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: `invitation=${token}`,
      });
    expect(await read()).toMatchObject({
      status: 200,
      json: {
        accountName: 'Lanternfish <b>Games</b>',
        role: 'editor',
        environments: ['staging'],
        inviter: ada.subject,
        expiresAt,
      },
    });
    expect((await as(ada, 'DELETE', `/invitations/${id}`)).status).toBe(204);
    expect(await as(ada, 'DELETE', `/invitations/${id}`)).toMatchObject({ status: 404, json: { error: 'not_found' } });
    expect((await as(ada, 'DELETE', '/invitations/7')).status).toBe(400);
    expect((await read()).status).toBe(404);
  });

  it.each([
    [{}, /role/],
    [{ role: 'king' }, /role/],
    [{ role: 'server' }, /role/],
    [{ role: 'owner', environments: ['staging'] }, /an owner has all environments/],
    [{ role: 'editor', environments: [] }, /environments/],
    [{ role: 'editor', environments: ['Staging'] }, /environments/],
    [{ role: 'editor', email: 'nobody' }, /email/],
    [{ role: 'editor', email: 'a@b.example\nBcc: c@d.example' }, /email/],
    [{ role: 'editor', email: `${'a'.repeat(250)}@b.example` }, /email/],
    [{ role: 'editor', email: 7 }, /email/],
    [{ role: 'editor', email: 'gro\u00df@b.example' }, /a letter before the .+ looks like another one/],
  ])('with %j are refused: 400', async (body, message) => {
    const answer = await invite(ada, body);
    expect(answer).toMatchObject({ status: 400, json: { error: 'validation_error' } });
    expect(answer.text).toMatch(message);
  });

  it('cannot be addressed to oneself: 400', async () => {
    expect(await invite(ada, { role: 'admin', email: `${ada.subject}@EXAMPLE.com` })).toMatchObject({
      status: 400,
      json: { error: 'validation_error', message: expect.stringMatching(/your own/) },
    });
  });

  it('cannot grant more than their inviter has: 403', async () => {
    const admin = await member('admin');
    const narrow = await newMember(server, studio.accountId, 'admin', ['staging']);
    for (const [by, body] of [
      [admin, { role: 'owner' }],
      [narrow, { role: 'editor' }],
      [narrow, { role: 'editor', environments: ['staging', 'production'] }],
      [await member('editor'), { role: 'viewer' }],
    ] as const) {
      expect(await invite(by, body)).toMatchObject({ status: 403, json: { error: 'forbidden' } });
    }
    expect((await invite(narrow, { role: 'support', environments: ['staging'] })).status).toBe(403);
    expect(await remove(narrow, await member('viewer'))).toMatchObject({ status: 403, json: { error: 'forbidden' } });
  });

  it('are mailed in the service’s words, with names that cannot mislead; 20 mails a day: 429', async () => {
    const owner = await newMember(
      server,
      (await server.newDeveloper('<b>Evil</b>\r\nBcc: x@y.example')).accountId,
      'owner',
    );
    const send = (email: string, headers = {}) =>
      server.call('POST', `/v1/${owner.accountId}/invitations`, {
        headers: { ...owner.bearer, ...headers },
        body: { role: 'viewer', email },
      });
    const { json } = await send('guest@example.com');
    const mail = await mailTo(server.place.dataDir, 'guest@example.com');
    expect(mail.subject).toMatch(/^member-\d+ invited you to an account$/);
    // The name of the account could pass for an address.
    expect(mail.text).not.toContain('y.example');
    expect(mail.link).toBe((json as { url: string }).url);
    await send('gast@example.com', { 'Accept-Language': 'de' });
    const german = (await mailTo(server.place.dataDir, 'gast@example.com')).text;
    expect(german).toContain('lädt Sie ein, einem Konto beizutreten.');
    const answers = [];
    for (let i = 0; i < 19; i++) answers.push(await send(`guest-${i}@example.com`));
    expect(answers.map(({ status }) => status)).toEqual([...Array(18).fill(201), 429]);
    expect(answers.at(-1)).toMatchObject({
      headers: { 'retry-after': expect.any(String) },
      json: { error: 'rate_limited', message: expect.stringMatching(/leave "email" out/) },
    });
    const listed = await server.call('GET', `/v1/${owner.accountId}/invitations`, { headers: owner.bearer });
    expect((listed.json as { items: unknown[] }).items).toHaveLength(20);
    await vi.waitFor(() => mailTo(server.place.dataDir, 'guest-17@example.com'), { timeout: 60_000 });
  });

  it('end with their account', async () => {
    const owner = await newMember(server, (await server.newDeveloper()).accountId, 'owner');
    const created = await server.call('POST', `/v1/${owner.accountId}/invitations`, {
      headers: owner.bearer,
      body: { role: 'viewer' },
    });
    await server.call('DELETE', `/v1/${owner.accountId}`, { headers: owner.bearer });
    const token = (created.json as { url: string }).url.split('#')[1];
    const read = await server.call('POST', '/v1/auth/invitation', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `invitation=${token}`,
    });
    expect(read.status).toBe(404);
  });
});

describe('the accounts of a developer', () => {
  it('are those of all their memberships; for the operator, the account of the token', async () => {
    const read = ({ bearer: headers }: Developer) => server.call('GET', '/v1/developer/accounts', { headers });
    expect(await read(ada)).toMatchObject({
      status: 200,
      json: { items: [{ accountId: studio.accountId, name: 'Lanternfish <b>Games</b>', role: 'owner' }] },
    });
    expect((await read(studio)).json).toEqual({
      items: [{ accountId: studio.accountId, name: 'Lanternfish <b>Games</b>', role: 'owner' }],
    });
    expect((await server.call('GET', '/v1/developer/accounts')).status).toBe(401);
    const project = await server.newProject(studio);
    const claims = {
      accountId: studio.accountId,
      slug: project.slug,
      environment: 'staging',
      userId: 'u',
      seconds: 900,
    } as const;
    const player = await server.running.accessTokens.signPlayerToken(claims);
    expect((await read({ ...ada, bearer: { Authorization: `Bearer ${player}` } })).status).toBe(403);
  });
});
