/** User state and the developer's view of it, over HTTP. @see docs/contract.md §6 */
import type { Environment } from '@holdfast/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { readEvents } from '../support/events.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

interface Page {
  items: { endUserId: string; version: number; state: unknown; updatedAt: string }[];
  cursor: string | null;
  hasMore: boolean;
}

const error = (answer: Answer) => (answer.json as { error: string }).error;
const add = (path: string, value: unknown) => ({ ops: [{ op: 'add', path, value }] });

async function player({ developer, slug, path }: Project, userId: string, environment: Environment = 'development') {
  const token = await server.running.accessTokens.signPlayerToken({
    accountId: developer.accountId,
    slug,
    environment,
    userId,
    seconds: 900,
  });
  const url = `${path}/user-state/${environment}`;
  const headers = { Authorization: `Bearer ${token}` };
  return {
    read: (more: Record<string, string> = {}) => server.call('GET', url, { headers: { ...headers, ...more } }),
    patch: (version: number | null, body: unknown) =>
      server.call('PATCH', url, {
        headers: { ...headers, ...(version === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` }) },
        body,
      }),
  };
}

const asDeveloper = ({ developer, path }: Project) => ({
  list: async (query = '', environment: Environment = 'development') =>
    server.call('GET', `${path}/user-states/${environment}${query}`, { headers: developer.bearer }),
  show: (id: string, environment: Environment = 'development', more: Record<string, string> = {}) =>
    server.call('GET', `${path}/user-states/${environment}/${id}`, { headers: { ...developer.bearer, ...more } }),
  remove: (id: string) => server.call('DELETE', `${path}/user-states/${id}`, { headers: developer.bearer }),
  patch: (id: string, version: number | null, body: unknown, more: Record<string, string> = {}) =>
    server.call('PATCH', `${path}/user-states/development/${id}`, {
      headers: {
        ...developer.bearer,
        ...(version === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` }),
        ...more,
      },
      body,
    }),
});

describe('a player', () => {
  test('creates, reads and patches their own state, and sees only version and state', async () => {
    const user = await player(await server.newProject(), 'player-1');
    const absent = await user.read();
    expect([absent.status, absent.text]).toEqual([204, '']);
    const created = await user.patch(null, { ...add('/coins', 3), comment: 'ignored' });
    expect([created.status, created.headers.etag, created.json]).toEqual([200, '"1"', { version: 1, state: { coins: 3 } }]);
    const patched = await user.patch(1, add('/level', 9007199254740993n.toString()));
    expect(patched.headers.etag).toBe('"2"');
    const read = await user.read();
    expect(read.json).toEqual({ version: 2, state: { coins: 3, level: '9007199254740993' } });
    expect(read.headers).toMatchObject({ etag: '"2"', 'cache-control': 'private, no-cache, no-transform' });
    expect((await user.read({ 'If-None-Match': '"2"' })).status).toBe(304);
  });

  test('gets the same precondition and patch codes as for public state', async () => {
    const user = await player(await server.newProject(), 'player-1');
    expect((await user.patch(1, add('/a', 1))).status).toBe(412);
    expect((await user.patch(0, add('/a', 1))).status).toBe(412);
    await user.patch(null, add('/a', 1));
    const stale = await user.patch(7, add('/a', 1));
    expect([stale.status, error(stale), stale.headers.etag]).toEqual([412, 'version_conflict', '"1"']);
    expect((await user.patch(null, add('/a', 1))).status).toBe(412);
    for (const [body, code] of [
      [{ ops: [] }, 'patch_invalid'],
      [add('/x/y', 1), 'patch_path_not_found'],
      [add('', 5), 'patch_invalid_state_root'],
      [add('/big', 'x'.repeat(256_000)), 'patch_state_too_large'],
    ] as const) {
      const answer = await user.patch(1, body);
      expect([answer.status, error(answer)]).toEqual([400, code]);
    }
    expect((await user.read()).json).toEqual({ version: 1, state: { a: 1 } });
  });

  test('sees no other player’s state, and none of their own in another environment', async () => {
    const project = await server.newProject();
    await (await player(project, 'player-1')).patch(null, add('/mine', true));
    expect((await (await player(project, 'player-2')).read()).status).toBe(204);
    expect((await (await player(project, 'player-1', 'staging')).read()).status).toBe(204);
  });

  test('has no PUT', async () => {
    const { path, developer } = await server.newProject();
    const answer = await server.call('PUT', `${path}/user-state/development`, { headers: developer.bearer, body: {} });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, PATCH, HEAD, OPTIONS']);
  });

  test('makes 50 parallel patches over one version, of which exactly one succeeds', async () => {
    const user = await player(await server.newProject(), 'player-1');
    await user.patch(null, add('/a', 1));
    const answers = await Promise.all(Array.from({ length: 50 }, () => user.patch(1, add('/b', 1))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(49);
  });
});

describe('the developer', () => {
  test('reads one player’s state, or gets 204 if there is none', async () => {
    const project = await server.newProject();
    const developer = asDeveloper(project);
    await (await player(project, 'a/b c%')).patch(null, add('/a', 1));
    const shown = await developer.show(encodeURIComponent('a/b c%'));
    expect([shown.status, shown.headers.etag, shown.json]).toEqual([200, '"1"', { version: 1, state: { a: 1 } }]);
    expect((await developer.show('%20a%2Fb%20c%25%09')).status).toBe(200); // trimmed
    expect((await developer.show(encodeURIComponent('a/b c%'), 'production')).status).toBe(204);
    expect((await developer.show('unknown')).status).toBe(204);
    const same = await developer.show(encodeURIComponent('a/b c%'), 'development', { 'If-None-Match': '"1"' });
    expect(same.status).toBe(304);
  });

  test.each(['%20', '%00', '%7F', '%C2%85', 'x'.repeat(513), '%FF', '%ZZ', '%ED%A0%80'])(
    'gets 404 for the invalid player id %.20s, to read and to delete',
    async (id) => {
      const developer = asDeveloper(await server.newProject());
      for (const answer of [await developer.show(id), await developer.remove(id)]) {
        expect([answer.status, error(answer)]).toEqual([404, 'not_found']);
      }
    },
  );

  test('uses ids of 512 UTF-16 units, and distinguishes lookalikes', async () => {
    const project = await server.newProject();
    const developer = asDeveloper(project);
    const long = '😀'.repeat(256);
    await (await player(project, long)).patch(null, add('/long', true));
    await (await player(project, 'é')).patch(null, add('/composed', true));
    expect((await developer.show(encodeURIComponent(long))).json).toMatchObject({ state: { long: true } });
    expect((await developer.show(encodeURIComponent('e\u0301'))).status).toBe(204);
    expect((await developer.show(encodeURIComponent('É'))).status).toBe(204);
  });

  test('deletes a player in every environment immediately; the next record starts above', async () => {
    const project = await server.newProject();
    const developer = asDeveloper(project);
    const environments = ['development', 'staging', 'production'] as const;
    for (const environment of environments) {
      const user = await player(project, 'player-1', environment);
      await user.patch(null, add('/a', 1));
      await user.patch(1, add('/a', 2));
    }
    await (await player(project, 'player-2')).patch(null, add('/kept', true));
    expect((await developer.remove('player-1')).status).toBe(204);
    for (const environment of environments) expect((await developer.show('player-1', environment)).status).toBe(204);
    expect((await developer.show('player-2')).status).toBe(200);
    expect((await developer.remove('player-1')).status).toBe(204);
    const user = await player(project, 'player-1');
    expect((await user.patch(2, add('/a', 1))).status).toBe(412);
    expect((await user.patch(null, add('/a', 1))).json).toMatchObject({ version: 3 });
    const page = (await developer.list()).json as Page;
    expect(page.items.map(({ endUserId }) => endUserId)).toEqual(['player-1', 'player-2']);
  });

  test('lists states by creation, newest first, even during writes', async () => {
    const project = await server.newProject();
    for (const id of ['a', 'b', 'c']) await (await player(project, id)).patch(null, add('/id', id));
    await (await player(project, 'a')).patch(1, add('/again', true));
    const page = (await asDeveloper(project).list()).json as Page;
    expect(page).toEqual({
      items: [
        { endUserId: 'c', version: 1, state: { id: 'c' }, updatedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) },
        { endUserId: 'b', version: 1, state: { id: 'b' }, updatedAt: expect.any(String) },
        { endUserId: 'a', version: 2, state: { id: 'a', again: true }, updatedAt: expect.any(String) },
      ],
      cursor: null,
      hasMore: false,
    });
    expect((await asDeveloper(project).list('', 'staging')).json).toEqual({ items: [], cursor: null, hasMore: false });
  });

  test.each([
    ['?limit=2', 2],
    ['?limit=0', 1],
    ['?limit=-5', 1],
    ['?limit=-2147483648', 1],
    ['?limit=2147483647', 3],
    ['?limit=007', 3],
  ])('%s: %i items', async (query, count) => {
    const project = await server.newProject();
    for (const id of ['a', 'b', 'c']) await (await player(project, id)).patch(null, add('/id', id));
    const page = (await asDeveloper(project).list(query)).json as Page;
    expect(page.items).toHaveLength(count);
    expect(page.hasMore).toBe(count < 3);
  });

  test.each(['?limit=', '?limit=%2B5', '?limit=1.5', '?limit=2147483648', '?limit=1&limit=2', '?cursor=x', '?cursor='])(
    '%s: 400',
    async (query) => {
      const answer = await asDeveloper(await server.newProject()).list(query);
      expect([answer.status, error(answer)]).toEqual([400, 'validation_error']);
    },
  );

  test('reads large states whole, on pages sent in portions', async () => {
    const project = await server.newProject();
    const texts = ['€'.repeat(85_000), 'x'.repeat(250_000), '😀'.repeat(60_000), 'é"\\\n', '', '€'.repeat(100_000)];
    for (const [n, text] of texts.entries()) {
      expect((await (await player(project, `user-${n}`)).patch(null, add('/text', text))).status).toBe(200);
    }
    const newestFirst = texts.map((text, n) => ({ endUserId: `user-${n}`, version: 1, state: { text } })).reverse();
    const whole = await asDeveloper(project).list();
    expect(whole.headers['transfer-encoding']).toBe('chunked');
    expect(whole.json).toMatchObject({ items: newestFirst, cursor: null, hasMore: false });
    for (const limit of [1, 2, 4, 5]) {
      const items: unknown[] = [];
      for (let query = `?limit=${limit}`; ; ) {
        const answer = await asDeveloper(project).list(query);
        const page = answer.json as Page;
        items.push(...page.items);
        expect([answer.status, page.hasMore]).toEqual([200, page.cursor !== null]);
        if (page.cursor === null) break;
        expect(page.items).toHaveLength(limit);
        query = `?limit=${limit}&cursor=${page.cursor}`;
      }
      expect(items).toMatchObject(newestFirst);
      expect(items).toHaveLength(newestFirst.length);
    }
  });

  test('gets 400 for a changed cursor, or one from another environment or project', async () => {
    const [project, other] = [await server.newProject(), await server.newProject()];
    for (const id of ['a', 'b']) await (await player(project, id)).patch(null, add('/id', id));
    const { cursor } = (await asDeveloper(project).list('?limit=1')).json as { cursor: string };
    expect((await asDeveloper(project).list(`?limit=1&cursor=${cursor}`)).status).toBe(200);
    expect((await asDeveloper(project).list(`?cursor=${cursor}`, 'staging')).status).toBe(400);
    expect((await asDeveloper(other).list(`?cursor=${cursor}`)).status).toBe(400);
    expect((await asDeveloper(project).list(`?cursor=${cursor.slice(0, -2)}`)).status).toBe(400);
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('"b"');
  });

  test('finds nothing in a deleted project, and higher versions in a recreated one', async () => {
    const project = await server.newProject();
    const user = await player(project, 'player-1');
    await user.patch(null, add('/a', 1));
    await user.patch(1, add('/a', 2));
    const { bearer: headers, accountId } = project.developer;
    await server.call('DELETE', project.path, { headers });
    expect((await user.read()).status).toBe(404);
    await server.call('POST', `/v1/${accountId}/projects`, { headers, body: { slug: project.slug } });
    // A token of the deleted project may be refused, since its issue time has whole seconds.
    const next = await player(project, 'player-1');
    expect((await next.read()).status).toBe(204);
    expect((await next.patch(2, add('/a', 1))).status).toBe(412);
    const again = (await next.patch(null, add('/a', 1))).json as { version: number };
    expect(again.version).toBeGreaterThan(2);
  });
});

describe('a game server', () => {
  test('writes a user state, which the player can read and change, and creates one', async () => {
    const project = await server.newProject();
    const developer = asDeveloper(project);
    const user = await player(project, 'player-1');
    await user.patch(null, add('/gold', 1));
    const given = await developer.patch('player-1', 1, {
      ops: [{ op: 'replace', path: '/gold', value: 101 }],
      comment: 'daily gift',
    });
    expect([given.status, given.headers.etag, given.json]).toEqual([200, '"2"', { version: 2, state: { gold: 101 } }]);
    expect((await user.patch(1, add('/gold', 2))).status).toBe(412);
    expect((await user.patch(2, add('/level', 1))).json).toEqual({ version: 3, state: { gold: 101, level: 1 } });
    const created = await developer.patch('a%2Fb', null, add('/gold', 5));
    expect(created.json).toEqual({ version: 1, state: { gold: 5 } });
    expect((await (await player(project, 'a/b')).read()).json).toEqual({ version: 1, state: { gold: 5 } });
    expect((await (await player(project, 'a/b', 'staging')).read()).status).toBe(204);
  });

  test('gets the same precondition and patch codes as the player', async () => {
    const developer = asDeveloper(await server.newProject());
    await developer.patch('p', null, add('/a', 1));
    for (const [version, body, status, code] of [
      [null, add('/a', 1), 412, 'version_conflict'],
      [7, add('/a', 1), 412, 'version_conflict'],
      [1, { ops: [] }, 400, 'patch_invalid'],
      [1, add('/x/y', 1), 400, 'patch_path_not_found'],
      [1, add('/big', 'x'.repeat(256_000)), 400, 'patch_state_too_large'],
      [1, { ...add('/a', 1), comment: 7 }, 400, 'validation_error'],
      [1, { ...add('/a', 1), comment: 'x'.repeat(1_001) }, 400, 'validation_error'],
    ] as const) {
      const answer = await developer.patch('p', version, body);
      expect([answer.status, error(answer)]).toEqual([status, code]);
    }
    for (const id of ['%20', '%00', '%FF', 'x'.repeat(513)]) {
      const answer = await developer.patch(id, null, add('/a', 1));
      expect([answer.status, error(answer)]).toEqual([404, 'not_found']);
    }
    const both = await developer.patch('p', 1, add('/a', 2), { 'If-None-Match': '*' });
    expect(both.status).toBe(412);
    expect((await developer.show('p')).json).toEqual({ version: 1, state: { a: 1 } });
  });

  test('needs one precondition, and is neither a player nor an API key', async () => {
    const project = await server.newProject();
    const path = `${project.path}/user-states/development/p`;
    const call = (headers: Record<string, string>) => server.call('PATCH', path, { headers, body: add('/a', 1) });
    expect((await call(project.developer.bearer)).status).toBe(400);
    const { apiKey } = await server.newApiKey(project);
    expect((await call({ Authorization: `ApiKey ${apiKey}`, 'If-None-Match': '*' })).status).toBe(401);
    const token = await server.running.accessTokens.signPlayerToken({
      accountId: project.developer.accountId,
      slug: project.slug,
      environment: 'development',
      userId: 'p',
      seconds: 900,
    });
    expect((await call({ Authorization: `Bearer ${token}`, 'If-None-Match': '*' })).status).toBe(403);
    expect((await asDeveloper(project).show('p')).status).toBe(204);
  });

  test('writes once with an idempotency key, which is separate from the player’s keys', async () => {
    const project = await server.newProject();
    const developer = asDeveloper(project);
    const user = await player(project, 'p');
    await developer.patch('p', null, add('/gold', 1));
    const key = { 'Idempotency-Key': 'gift-1' };
    const gift = { ops: [{ op: 'replace', path: '/gold', value: 2 }] };
    for (let i = 0; i < 2; i++) {
      const answer = await developer.patch('p', 1, gift, key);
      expect([answer.status, answer.json]).toEqual([200, { version: 2, state: { gold: 2 } }]);
    }
    await user.patch(2, add('/level', 1));
    const overtaken = await developer.patch('p', 1, gift, key);
    expect([overtaken.status, overtaken.json]).toMatchObject([412, { appliedVersion: 2, currentVersion: 3 }]);
    expect((await developer.patch('p', 3, add('/gold', 9), key)).status).toBe(422);
  });

  test('appears in the audit trail with each successful write, until the player is erased', async () => {
    const project = await server.newProject();
    const developer = asDeveloper(project);
    const trail = async () => {
      const { accountId, bearer: headers } = project.developer;
      const answer = await server.call('GET', `/v1/${accountId}/audit`, { headers });
      const { items } = answer.json as { items: { action: string; target: string; detail: unknown }[] };
      return items
        .filter(({ action }) => action.startsWith('user_state.'))
        .map(({ action, target, detail }) => [action, target, detail]);
    };
    const key = { 'Idempotency-Key': 'gift' };
    const gift = { ...add('/gold', 100), comment: 'daily gift' };
    for (let i = 0; i < 2; i++) await developer.patch('player-1', null, gift, key);
    await developer.patch('player-1', 7, gift);
    await developer.patch('player-1', 1, { ops: [{ op: 'remove', path: '/none' }] });
    await (await player(project, 'player-1')).patch(1, add('/gold', 3));
    const target = `projects/${project.slug}/players/player-1`;
    const detail = { environment: { to: 'development' }, version: { to: 1 }, comment: { to: 'daily gift' } };
    expect(await trail()).toEqual([['user_state.write', target, detail]]);
    await developer.remove('player-1');
    const erased = expect.stringMatching(/\/players\/erased-/);
    expect(await trail()).toEqual([
      ['user_state.delete', erased, {}],
      ['user_state.write', erased, detail],
    ]);
  });

  test("sends changes to the player's open stream", async () => {
    const project = await server.newProject();
    const developer = asDeveloper(project);
    const token = await server.running.accessTokens.signPlayerToken({
      accountId: project.developer.accountId,
      slug: project.slug,
      environment: 'development',
      userId: 'p',
      seconds: 900,
    });
    await developer.patch('p', null, add('/gold', 1));
    const path = `${project.path}/user-state/development/changes`;
    const events = await readEvents(server.baseUrl, path, { Authorization: `Bearer ${token}` });
    expect(await events.next()).toMatchObject({ type: 'snapshot', id: 1, data: { version: 1, state: { gold: 1 } } });
    await developer.patch('p', 1, { ops: [{ op: 'replace', path: '/gold', value: 101 }], comment: 'gift' });
    expect(await events.next()).toMatchObject({
      type: 'change',
      id: 2,
      data: { version: 2, from: 1, ops: [{ op: 'replace', path: '/gold', value: 101 }] },
    });
    events.close();
  });
});
