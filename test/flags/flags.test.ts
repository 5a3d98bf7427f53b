/** Feature flags over HTTP. flagd defines what rules mean; these tests cover everything around them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const onOff = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'off' };
const path = (project: Project) => `${project.path}/public-state/production/ofrep/v1/evaluate/flags`;

/** Creates a project with a document. `ask` evaluates its flags. */
async function newFlags(document: unknown | undefined) {
  const project = await server.newProject();
  const { bearer, accountId } = project.developer;
  if (document !== undefined) {
    const headers = { ...bearer, 'If-None-Match': '*' };
    const written = await server.call('PUT', `${project.path}/public-state/production`, {
      headers,
      body: { state: document },
    });
    expect(written.status, written.text).toBe(200);
  }
  const ask = (key: string | undefined, body: unknown = { context: {} }, headers: Record<string, string> = bearer) =>
    server.call('POST', path(project) + (key === undefined ? '' : `/${encodeURIComponent(key)}`), { headers, body });
  return { project, accountId, bearer, ask };
}

const itemsOf = ({ json }: Answer) =>
  Object.fromEntries((json as { flags: { key: string }[] }).flags.map((flag) => [flag.key, flag]));

describe('flags of a document', () => {
  const document = {
    title: 'what else the document holds',
    metadata: { set: 'shop', version: 3, list: [] },
    $evaluators: { staff: { ends_with: [{ var: 'email' }, '@studio.example'] } },
    flags: {
      'new-shop': { ...onOff, targeting: { if: [{ $ref: 'staff' }, 'on', null] }, metadata: { team: 'ui', version: 4 } },
      gold: { state: 'ENABLED', variants: { few: 10, many: 25.5 }, defaultVariant: 'many' },
      banner: { state: 'ENABLED', variants: { a: { text: 'Hi', size: [1, 2] } }, defaultVariant: 'a' },
      'in code': { state: 'ENABLED', variants: { a: 'x' } },
      gone: { ...onOff, state: 'DISABLED' },
      half: {
        ...onOff,
        targeting: {
          fractional: [
            ['on', 50],
            ['off', 50],
          ],
        },
      },
    },
  };
  const metadata = { set: 'shop', version: 3 };

  test('are evaluated one by one and all together', async () => {
    const { ask } = await newFlags(document);
    const context = { email: 'ada@studio.example', targetingKey: 'ada' };
    const expected = {
      'new-shop': {
        value: true,
        variant: 'on',
        reason: 'TARGETING_MATCH',
        metadata: { set: 'shop', team: 'ui', version: 4 },
      },
      gold: { value: 25.5, variant: 'many', reason: 'STATIC', metadata },
      banner: { value: { text: 'Hi', size: [1, 2] }, variant: 'a', reason: 'STATIC', metadata },
      'in code': { reason: 'DEFAULT', variant: '', metadata },
      gone: { reason: 'DISABLED', variant: '', metadata },
      half: { value: expect.any(Boolean), variant: expect.any(String), reason: 'TARGETING_MATCH', metadata },
    };
    const all = await ask(undefined, { context });
    expect(all.status).toBe(200);
    expect(all.json).toMatchObject({ metadata });
    expect(Object.keys(itemsOf(all))).toEqual(Object.keys(expected));
    for (const [key, flag] of Object.entries(expected)) {
      expect(itemsOf(all)[key]).toEqual({ key, ...flag });
      const one = await ask(key, { context });
      expect([one.status, one.json]).toEqual([200, { key, ...flag }]);
    }
    expect((await ask('new-shop', {})).json).toMatchObject({ value: false, reason: 'DEFAULT' });
    expect(one(await ask('nope'))).toEqual([404, 'not_found', 'FLAG_NOT_FOUND', 'nope']);
    expect(one(await ask('__proto__'))).toEqual([404, 'not_found', 'FLAG_NOT_FOUND', '__proto__']);
    expect(one(await ask('x'.repeat(8_000)))).toEqual([404, 'not_found', 'FLAG_NOT_FOUND', 'x'.repeat(8_000)]);
  });

  const one = ({ status, json }: Answer) => {
    const { error, errorCode, key } = json as { error: string; errorCode: string; key?: string };
    return [status, error, errorCode, key];
  };

  test('belong to the current version; before the first there are none', async () => {
    const { project, bearer, ask } = await newFlags(undefined);
    expect((await ask(undefined)).json).toEqual({ flags: [] });
    expect((await ask('a')).status).toBe(404);
    const put = (precondition: Record<string, string>, state: unknown) =>
      server.call('PUT', `${project.path}/public-state/production`, {
        headers: { ...bearer, ...precondition },
        body: { state },
      });
    await put({ 'If-None-Match': '*' }, { flags: { a: { ...onOff, defaultVariant: 'on' } } });
    expect((await ask('a')).json).toMatchObject({ value: true });
    await put({ 'If-Match': '"1"' }, { flags: { a: onOff } });
    expect((await ask('a')).json).toMatchObject({ value: false });
    await put({ 'If-Match': '"2"' }, { other: 1 });
    expect((await ask(undefined)).json).toEqual({ flags: [] });
  });

  test('have an entity tag, and are not sent again to clients with a current copy', async () => {
    const { ask, bearer } = await newFlags(document);
    const first = await ask(undefined, { context: { targetingKey: 'a' } });
    const etag = first.headers.etag as string;
    expect(first.headers['cache-control']).toBe('private, no-cache, no-transform');
    const again = await ask(undefined, { context: { targetingKey: 'a' } }, { ...bearer, 'If-None-Match': etag });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    const staff = { context: { targetingKey: 'a', email: 'a@studio.example' } };
    expect((await ask(undefined, staff, { ...bearer, 'If-None-Match': etag })).status).toBe(200);
  });

  test('are for developers, keys of both kinds, and players, whose targetingKey is always their own id', async () => {
    const flag = { ...onOff, targeting: { if: [{ '==': [{ var: 'targetingKey' }, 'player-7'] }, 'on', 'off'] } };
    const { project, accountId, ask } = await newFlags({ flags: { mine: flag } });
    const playerToken = (userId: string, environment: 'production' | 'staging') =>
      server.running.accessTokens.signPlayerToken({
        accountId,
        slug: project.slug,
        environment,
        userId,
        seconds: 900,
      });
    const spoofed = { context: { targetingKey: 'player-7' } };
    const asPlayer = async (userId: string, body: unknown) =>
      ask('mine', body, { Authorization: `Bearer ${await playerToken(userId, 'production')}` });
    expect((await asPlayer('player-7', {})).json).toMatchObject({ value: true });
    expect((await asPlayer('player-8', spoofed)).json).toMatchObject({ value: false });
    for (const kind of ['secret', 'publishable']) {
      const { apiKey } = await server.newApiKey(project, { kind, access: 'read' });
      expect((await ask('mine', spoofed, { Authorization: `ApiKey ${apiKey}` })).json).toMatchObject({ value: true });
    }
    const elsewhere = { Authorization: `Bearer ${await playerToken('player-7', 'staging')}` };
    expect((await ask('mine', {}, elsewhere)).status).toBe(403);
  });
});

describe('a fault', () => {
  test.each<[string, unknown, string]>([
    ['not an object', [], 'PARSE_ERROR'],
    ['a context that is not an object', { context: [] }, 'INVALID_CONTEXT'],
    ['a targetingKey that is not a string', { context: { targetingKey: 7 } }, 'INVALID_CONTEXT'],
    ['invalid JSON', '{', 'PARSE_ERROR'],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'PARSE_ERROR'],
  ])('in a request: %s', async (_, body, errorCode) => {
    const { ask, bearer } = await newFlags({ flags: { a: onOff } });
    const headers = { ...bearer, 'Content-Type': 'application/json' };
    for (const key of [undefined, 'a']) {
      const { status, json } = await ask(key, body, headers);
      expect([status, json]).toMatchObject([400, { error: 'validation_error', errorCode, ...(key && { key }) }]);
    }
  });

  test('in the content type: 415, but without a type it is JSON', async () => {
    const { ask, bearer } = await newFlags({ flags: { a: onOff } });
    for (const key of [undefined, 'a']) {
      expect((await ask(key, '{"context":{}}', bearer)).status).toBe(200);
      expect((await ask(key, '{"context":{}}', { ...bearer, 'Content-Type': 'text/plain' })).status).toBe(415);
    }
  });

  test('in the size of a context, over 16 KiB: 413', async () => {
    const { ask } = await newFlags({ flags: { a: onOff } });
    expect((await ask('a', { context: { a: 'x'.repeat(16_384) } })).status).toBe(413);
    expect((await ask('a', { context: { a: 'x'.repeat(16_000) } })).status).toBe(200);
  });

  test.each([{ flags: [] }, { flags: 'all' }, { flags: {}, metadata: { a: 'x'.repeat(5_000) } }])(
    'in a document: %#',
    async (document) => {
      const { ask } = await newFlags(document);
      for (const key of [undefined, 'a']) {
        const { status, json } = await ask(key);
        expect([status, json]).toMatchObject([400, { error: 'flag_error', errorCode: 'PARSE_ERROR' }]);
      }
    },
  );

  const bad: Readonly<Record<string, unknown>> = {
    'no object': 7,
    'without variants': { state: 'ENABLED', defaultVariant: 'on' },
    'without a state': { ...onOff, state: undefined },
    'of another default': { ...onOff, defaultVariant: 'none' },
    'with an unknown operator': { ...onOff, targeting: { iff: [true, 'on', 'off'] } },
    'with an inherited name': { ...onOff, targeting: { constructor: ['return process'] } },
    'with a name that changes others': { ...onOff, targeting: { __defineGetter__: ['if', { valueOf: [] }] } },
    'that prints': { ...onOff, targeting: { log: 'printed' } },
    'with two members': { ...onOff, targeting: { if: [true, 'on', 'off'], var: 'x' } },
    'with an unknown evaluator': { ...onOff, targeting: { if: [{ $ref: 'none' }, 'on', 'off'] } },
    'with an evaluator that refers to itself': { ...onOff, targeting: { $ref: 'loop' } },
    'with evaluators that grow without end': { ...onOff, targeting: { $ref: 'e0' } },
    'with rules that are a text': { ...onOff, targeting: 'on' },
  };
  const evaluators = {
    loop: { if: [{ $ref: 'loop' }, 'on', 'off'] },
    ...Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`e${n}`, { or: [{ $ref: `e${n + 1}` }, { $ref: `e${n + 1}` }] }]),
    ),
    e40: true,
  };

  test('in one flag is reported for that flag, and the others still work', async () => {
    const good = { ...onOff, targeting: { if: [{ '==': [{ var: 'a' }, 1] }, 'on', 'off'] } };
    const { ask } = await newFlags({ flags: { ...bad, good }, $evaluators: evaluators });
    const all = itemsOf(await ask(undefined, { context: { a: 1 } }));
    expect(all.good).toMatchObject({ value: true, variant: 'on' });
    for (const key of Object.keys(bad)) {
      expect(all[key], key).toEqual({
        key,
        errorCode: 'PARSE_ERROR',
        errorDetails: expect.stringMatching(/^the flag cannot be used: /),
      });
      const { status, json } = await ask(key);
      expect([status, json]).toMatchObject([400, { error: 'flag_error', key, errorCode: 'PARSE_ERROR' }]);
    }
    expect((await ask('with a name that changes others')).status).toBe(400);
    expect((await ask('good', { context: { a: 1 } })).json).toMatchObject({ value: true });
  });

  test('in the result of rules: no variant of this name', async () => {
    const flags = {
      other: { ...onOff, targeting: { cat: ['o', 'x'] } },
      list: { ...onOff, targeting: { merge: [['on'], ['off']] } },
      lists: { ...onOff, targeting: { map: [[1, 2], { merge: [[1], [2]] }] } },
      key: { ...onOff, targeting: { var: 'constructor' } },
      proto: { ...onOff, targeting: { var: '__proto__.x' } },
    };
    const { ask, bearer } = await newFlags({ flags });
    const headers = { ...bearer, 'Content-Type': 'application/json' };
    const all = itemsOf(await ask(undefined, '{"context":{"__proto__":{"x":"on"}}}', headers));
    for (const key of ['other', 'list', 'lists']) expect(all[key], key).toMatchObject({ errorCode: 'GENERAL' });
    expect(all.key).not.toHaveProperty('value', true);
    const fresh = itemsOf(await ask(undefined, { context: {} }));
    expect(fresh.proto).not.toHaveProperty('value', true); // values of one context do not reach the next evaluation
  });
});

describe('rules that take too long or too much memory', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
  const list = { var: 'list' };
  const above = { var: '../../list' };
  const hostile: Readonly<Record<string, unknown>> = {
    slow: { some: [list, { some: [above, { some: [{ var: '../../../../list' }, { '>': [{ var: '' }, 1e9] }] }] }] },
    large: { reduce: [numbers(60), { merge: [{ var: 'accumulator' }, { var: 'accumulator' }, list] }, [1]] },
    wide: { map: [list, { map: [numbers(20_000), { '+': [{ var: '' }, { var: '../../../../k' }] }] }] },
    text: { map: [list, { map: [numbers(2_000), { cat: [{ var: '' }, { var: '../../../../k' }, 'x'] }] }] },
    joined: { map: [numbers(20_000), { map: [numbers(3_000), { '+': [{ var: '' }, 1.5] }] }] },
  };
  const context = { list: numbers(3_000), k: 1 };
  const flagOf = (targeting: unknown) => ({ ...onOff, targeting });

  test.each(Object.entries(hostile))('%s: an error for this flag; the other flags have their values', async (_, rule) => {
    const { ask } = await newFlags({ flags: { before: onOff, bad: flagOf(rule), after: onOff } });
    const all = await ask(undefined, { context });
    expect(all.status).toBe(200);
    expect(itemsOf(all)).toMatchObject({
      before: { value: false },
      bad: { errorCode: 'GENERAL' },
      after: { value: false },
    });
    const { status, json } = await ask('bad', { context });
    expect([status, json]).toMatchObject([400, { error: 'flag_error', key: 'bad', errorCode: 'GENERAL' }]);
    expect((await ask('after', { context })).json).toMatchObject({ value: false });
  });
});
