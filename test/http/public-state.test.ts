/** Public state over HTTP. @see docs/contract.md §4 and §5 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, CallOptions } from '../support/client.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

interface Document {
  readonly project: Project;
  readonly path: string;
  call(method: string, options?: CallOptions, suffix?: string): Promise<Answer>;
  /** PUT with `If-Match: "version"`, or creating when version is null. */
  put(version: number | null, state: unknown, more?: Readonly<Record<string, unknown>>): Promise<Answer>;
  patch(version: number | null, ops: unknown, more?: Readonly<Record<string, unknown>>): Promise<Answer>;
}

async function newDocument(environment = 'development'): Promise<Document> {
  const project = await server.newProject();
  const { apiKey } = await server.newApiKey(project);
  const path = `${project.path}/public-state/${environment}`;
  const authorization = { Authorization: `ApiKey ${apiKey}` };
  const precondition = (version: number | null) =>
    version === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
  const send = (method: string, { headers, ...rest }: CallOptions = {}, suffix = '') =>
    server.call(method, path + suffix, { headers: { ...authorization, ...headers }, ...rest });
  return {
    project,
    path,
    call: send,
    put: (version, state, more) => send('PUT', { headers: precondition(version), body: { state, ...more } }),
    patch: (version, ops, more) => send('PATCH', { headers: precondition(version), body: { ops, ...more } }),
  };
}

const error = (answer: Answer) => (answer.json as { error: string }).error;

describe('reading', () => {
  test('absent: 204 without a body, and an empty list of versions', async () => {
    const document = await newDocument();
    const read = await document.call('GET');
    expect([read.status, read.text]).toEqual([204, '']);
    const versions = await document.call('GET', {}, '/versions');
    expect([versions.status, versions.json]).toEqual([200, []]);
  });

  test('present: the record, its entity tag and cache headers', async () => {
    const document = await newDocument();
    await document.put(null, { a: 1 }, { comment: 'first' });
    const read = await document.call('GET');
    expect(read.status).toBe(200);
    expect(read.json).toEqual({ version: 1, state: { a: 1 }, comment: 'first', stateSizeBytes: 7 });
    expect(read.headers).toMatchObject({
      etag: '"1"',
      'content-type': 'application/json',
      'cache-control': 'private, no-cache, no-transform',
      vary: 'Authorization, Origin',
      'api-version': '1',
    });
  });

  test.each(['"1"', 'W/"1"', '"7", "1"', '*'])('If-None-Match %s of version 1: 304', async (ifNoneMatch) => {
    const document = await newDocument();
    await document.put(null, {});
    const read = await document.call('GET', { headers: { 'If-None-Match': ifNoneMatch } });
    expect([read.status, read.text, read.headers.etag]).toEqual([304, '', '"1"']);
  });

  test.each(['"2"', '1', '"01"', 'nonsense'])('If-None-Match %s of version 1: 200', async (ifNoneMatch) => {
    const document = await newDocument();
    await document.put(null, {});
    expect((await document.call('GET', { headers: { 'If-None-Match': ifNoneMatch } })).status).toBe(200);
  });

  test('HEAD answers like GET without a body', async () => {
    const document = await newDocument();
    await document.put(null, { a: 'ä' });
    const [get, head] = [await document.call('GET'), await document.call('HEAD')];
    expect([head.status, head.text]).toEqual([200, '']);
    const same = ({ headers }: Answer) => ({ ...headers, date: '', 'x-request-id': '' });
    expect(same(head)).toEqual(same(get));
  });

  test('environments are separate', async () => {
    const project = await server.newProject();
    const { apiKey } = await server.newApiKey(project);
    const headers = { Authorization: `ApiKey ${apiKey}` };
    await server.call('PUT', `${project.path}/public-state/staging`, {
      headers: { ...headers, 'If-None-Match': '*' },
      body: { state: { only: 'here' } },
    });
    const statuses = ['development', 'staging', 'production'].map(
      async (env) => (await server.call('GET', `${project.path}/public-state/${env}`, { headers })).status,
    );
    expect(await Promise.all(statuses)).toEqual([204, 200, 204]);
  });
});

describe('versions', () => {
  test('are listed from newest to oldest, and each is read by its number', async () => {
    const document = await newDocument();
    await document.put(null, { n: 1 });
    await document.put(1, { n: 2 }, { comment: 'zwei' });
    await document.patch(2, [{ op: 'replace', path: '/n', value: 3 }], { comment: 'drei' });
    const versions = await document.call('GET', {}, '/versions');
    expect(versions.json).toEqual([
      { version: 3, state: { n: 3 }, comment: 'drei', stateSizeBytes: 7 },
      { version: 2, state: { n: 2 }, comment: 'zwei', stateSizeBytes: 7 },
      { version: 1, state: { n: 1 }, comment: null, stateSizeBytes: 7 },
    ]);
    const second = await document.call('GET', {}, '/versions/2');
    expect(second.json).toEqual({ version: 2, state: { n: 2 }, comment: 'zwei', stateSizeBytes: 7 });
    expect(second.headers.etag).toBe('"2"');
  });

  test('contain large states of any characters unchanged', async () => {
    const document = await newDocument();
    const texts = ['a', 'ab', 'ä€'].map((start) => start + '😀'.repeat(60_000));
    await document.put(null, { text: texts[0] });
    for (const [index, text] of texts.slice(1).entries()) await document.put(index + 1, { text });
    const versions = (await document.call('GET', {}, '/versions')).json as { state: { text: string } }[];
    expect(versions.map(({ state }) => state.text)).toEqual(texts.toReversed());
  });

  test.each(['0', '4', '99999999999999999999'])('have no number %s: 404', async (version) => {
    const document = await newDocument();
    await document.put(null, {});
    const answer = await document.call('GET', {}, `/versions/${version}`);
    expect([answer.status, error(answer)]).toEqual([404, 'not_found']);
  });

  test.each(['01', '-1', 'x', '1.0', '%31x'])('refuse the number %s: 400 naming the segment', async (version) => {
    const document = await newDocument();
    const answer = await document.call('GET', {}, `/versions/${version}`);
    expect([answer.status, error(answer)]).toEqual([400, 'validation_error']);
    expect((answer.json as { message: string }).message).toContain('version');
  });
});

describe('preconditions', () => {
  const writes = ['PUT', 'PATCH'] as const;
  const bodies = { PUT: { state: { b: 1 } }, PATCH: { ops: [{ op: 'add', path: '/b', value: 1 }] } };

  describe.each(writes)('%s', (method) => {
    const write = (document: Document, headers: Record<string, string>) =>
      document.call(method, { headers, body: bodies[method] });

    test('If-None-Match: * creates version 1', async () => {
      const document = await newDocument();
      const answer = await write(document, { 'If-None-Match': '*' });
      expect([answer.status, answer.headers.etag]).toEqual([200, '"1"']);
      expect(answer.json).toEqual({ version: 1, state: { b: 1 }, comment: null, stateSizeBytes: 7 });
    });

    test('If-Match of the current version writes the next', async () => {
      const document = await newDocument();
      await document.put(null, { a: 1 });
      const answer = await write(document, { 'If-Match': '"1"' });
      expect([answer.status, answer.headers.etag]).toEqual([200, '"2"']);
    });

    test.each([
      ['"1"', 'absent'],
      ['"0"', 'absent'],
    ])('If-Match %s while absent: 412, and still absent', async (ifMatch) => {
      const document = await newDocument();
      const answer = await write(document, { 'If-Match': ifMatch });
      expect(answer.status).toBe(412);
      expect(answer.json).toMatchObject({ error: 'version_conflict', currentVersion: null });
      expect(answer.headers.etag).toBeUndefined();
      expect((await document.call('GET')).status).toBe(204);
    });

    test.each(['"0"', '"2"', '"99999999999999999999"', `"1${'0'.repeat(400)}"`])(
      'If-Match %s of version 1: 412 with the current version',
      async (ifMatch) => {
        const document = await newDocument();
        await document.put(null, { a: 1 });
        const answer = await write(document, { 'If-Match': ifMatch });
        expect(answer.status).toBe(412);
        expect(answer.json).toMatchObject({ error: 'version_conflict', currentVersion: 1 });
        expect(answer.headers.etag).toBe('"1"');
        expect((await document.call('GET')).json).toMatchObject({ version: 1, state: { a: 1 } });
      },
    );

    test('If-None-Match: * of a present state: 412', async () => {
      const document = await newDocument();
      await document.put(null, { a: 1 });
      const answer = await write(document, { 'If-None-Match': '*' });
      expect([answer.status, error(answer), answer.headers.etag]).toEqual([412, 'version_conflict', '"1"']);
    });

    test.each([
      ['"1"', '*'],
      ['nonsense', 'nonsense'],
    ])('both headers (%s, %s): 412', async (ifMatch, ifNoneMatch) => {
      const document = await newDocument();
      await document.put(null, { a: 1 });
      const answer = await write(document, { 'If-Match': ifMatch, 'If-None-Match': ifNoneMatch });
      expect([answer.status, error(answer)]).toEqual([412, 'version_conflict']);
    });

    test.each([
      {},
      { 'If-Match': '1' },
      { 'If-Match': 'W/"1"' },
      { 'If-Match': '*' },
      { 'If-Match': '"01"' },
      { 'If-Match': '"1", "2"' },
      { 'If-Match': '' },
      { 'If-Match': '"-1"' },
      { 'If-Match': '"1.0"' },
      { 'If-Match': '"١"' },
      { 'If-None-Match': '"1"' },
      { 'If-None-Match': '"*"' },
      { 'If-None-Match': '' },
    ] as Record<string, string>[])('malformed or missing %j: 400', async (headers) => {
      const document = await newDocument();
      await document.put(null, { a: 1 });
      const latin1 = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
      );
      const answer = await write(document, latin1);
      expect([answer.status, error(answer)]).toEqual([400, 'validation_error']);
    });

    test('of 50 parallel writes over one version exactly one succeeds', async () => {
      const document = await newDocument();
      await document.put(null, { a: 1 });
      const answers = await Promise.all(Array.from({ length: 50 }, () => write(document, { 'If-Match': '"1"' })));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 412)]);
      expect((await document.call('GET', {}, '/versions')).json).toHaveLength(2);
    });
  });
});

describe('PUT bodies', () => {
  test('unknown members are ignored, so a read record can be sent back', async () => {
    const document = await newDocument();
    const first = await document.put(null, { a: 1 }, { comment: 'kept' });
    const answer = await document.call('PUT', { headers: { 'If-Match': '"1"' }, body: first.json });
    expect(answer.json).toEqual({ version: 2, state: { a: 1 }, comment: 'kept', stateSizeBytes: 7 });
  });

  test.each([
    '{}',
    '[]',
    'null',
    '5',
    '"text"',
    '1e400',
    '{"state":null}',
    '{"state":[]}',
    '{"state":1e400}',
    '{"state":9007199254740993}',
    '{"state":"x"}',
    '{"state":{},"comment":5}',
    '{"state":{},"comment":1e400}',
    `{"state":{},"comment":"${'x'.repeat(1001)}"}`,
    '{"state":{}',
    '',
    '{"state":{}}x',
    '{"state":{"a":01}}',
    "{'state':{}}",
    '\ufeff{"state":{}}',
    `{"state":${'{"a":'.repeat(257)}1${'}'.repeat(257)}}`,
    `{"state":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
  ])('%.60s: 400 and nothing written', async (body) => {
    const document = await newDocument();
    const headers = { 'If-None-Match': '*', 'Content-Type': 'application/json' };
    const answer = await document.call('PUT', { headers, body });
    expect([answer.status, error(answer)]).toEqual([400, 'validation_error']);
    expect((await document.call('GET')).status).toBe(204);
  });

  test('1,000 characters of comment and 256 levels of nesting are accepted', async () => {
    const document = await newDocument();
    const headers = { 'If-None-Match': '*', 'Content-Type': 'application/json' };
    const state = `${'{"a":'.repeat(256)}1${'}'.repeat(256)}`;
    const answer = await document.call('PUT', { headers, body: `{"state":${state},"comment":"${'x'.repeat(1000)}"}` });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(state);
  });

  test('256,000 characters are accepted and one more is refused, however many bytes they take', async () => {
    const document = await newDocument();
    const text = (characters: number) => ({ s: '\u0001é'.repeat(1) + 'é'.repeat(characters - 8 - 7) });
    expect(JSON.stringify(text(256_000))).toHaveLength(256_000);
    const answer = await document.put(null, text(256_000));
    expect(answer.status).toBe(200);
    const refused = await document.put(1, text(256_001));
    expect([refused.status, error(refused)]).toEqual([400, 'validation_error']);
    const stale = await document.put(7, text(256_001));
    expect(stale.status).toBe(412);
    expect((await document.call('GET')).headers.etag).toBe('"1"');
  });

  test('a state of 256,000 characters is accepted even if each is sent as a six-character escape', async () => {
    const document = await newDocument();
    const state = `{"s":"${'\\u00e9'.repeat(255_992)}"}`;
    const headers = { 'If-None-Match': '*', 'Content-Type': 'application/json' };
    const answer = await document.call('PUT', { headers, body: `{"state":${state}}` });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ stateSizeBytes: 8 + 2 * 255_992 });
  });
});

describe('values', () => {
  const documents = [
    '{"n":9007199254740993}',
    '{"n":1e400,"m":-1e400}',
    '{"n":0.12345678901234567890123456789}',
    '{"n":-0}',
    '{"n":[123456789012345678901234567890,1]}',
    '{"__proto__":{"a":1},"constructor":2,"":3,"toString":4}',
    '{"s":"\\u0000\\ud800 \\udc00\\ud83d"}',
    '{"s":"\u2028\u2029😀ä€"}',
    '{"a":{"b":[[],{},null,true,false,"",0,-1.5]}}',
  ];
  test.each(documents)(
    '%s comes back unchanged from PUT, GET, PATCH of another member, and the list of versions',
    async (text) => {
      const document = await newDocument();
      const headers = { 'Content-Type': 'application/json' };
      const put = await document.call('PUT', { headers: { ...headers, 'If-None-Match': '*' }, body: `{"state":${text}}` });
      const record = (version: number, state: string) =>
        `{"version":${version},"state":${state},"comment":null,"stateSizeBytes":${Buffer.byteLength(state)}}`;
      expect(put.text).toBe(record(1, text));
      expect((await document.call('GET')).text).toBe(record(1, text));
      const patched = `${text.slice(0, -1)},"other":1}`;
      const patch = await document.patch(1, [{ op: 'add', path: '/other', value: 1 }]);
      expect(patch.text).toBe(record(2, patched));
      expect((await document.call('GET', {}, '/versions')).text).toBe(`[${record(2, patched)},${record(1, text)}]`);
    },
  );

  test('the last of duplicate member names counts', async () => {
    const document = await newDocument();
    const headers = { 'Content-Type': 'application/json', 'If-None-Match': '*' };
    const body = '{"state":{"x":1},"state":{"a":1,"a":9007199254740993,"a":2}}';
    expect((await document.call('PUT', { headers, body })).json).toMatchObject({ state: { a: 2 } });
  });

  test('numbers in a PATCH keep their digits', async () => {
    const document = await newDocument();
    const headers = { 'Content-Type': 'application/json', 'If-None-Match': '*' };
    const body = '{"ops":[{"op":"add","path":"/n","value":9007199254740993}]}';
    expect((await document.call('PATCH', { headers, body })).text).toContain('{"n":9007199254740993}');
  });
});

describe('PATCH', () => {
  const refusals: readonly [unknown, string][] = [
    [undefined, 'patch_invalid'],
    [null, 'patch_invalid'],
    [[], 'patch_invalid'],
    [{}, 'patch_invalid'],
    [['x'], 'patch_invalid'],
    [[{ op: 'remove', path: '' }], 'patch_invalid'],
    [[{ path: '/a', value: 1 }], 'patch_unsupported_operation'],
    [[{ op: 'Add', path: '/a', value: 1 }], 'patch_unsupported_operation'],
    [[{ op: 'test', path: '/a', value: 1 }], 'patch_unsupported_operation'],
    [[{ op: 'add', value: 1 }], 'patch_invalid_path'],
    [[{ op: 'add', path: 'a', value: 1 }], 'patch_invalid_path'],
    [[{ op: 'add', path: '/~2', value: 1 }], 'patch_invalid_path'],
    [[{ op: 'add', path: '/a~', value: 1 }], 'patch_invalid_path'],
    [[{ op: 'add', path: '/a' }], 'patch_missing_value'],
    [[{ op: 'replace', path: '/a' }], 'patch_missing_value'],
    [[{ op: 'remove', path: '/missing' }], 'patch_path_not_found'],
    [[{ op: 'replace', path: '/missing', value: 1 }], 'patch_path_not_found'],
    [[{ op: 'add', path: '/missing/b', value: 1 }], 'patch_path_not_found'],
    [[{ op: 'remove', path: '/toString' }], 'patch_path_not_found'],
    [[{ op: 'add', path: '/n/x', value: 1 }], 'patch_path_untraversable'],
    [[{ op: 'add', path: '/nil/x/y', value: 1 }], 'patch_path_untraversable'],
    [[{ op: 'add', path: '/list/01', value: 1 }], 'patch_invalid_array_index'],
    [[{ op: 'add', path: '/list/3', value: 1 }], 'patch_invalid_array_index'],
    [[{ op: 'remove', path: '/list/-' }], 'patch_invalid_array_index'],
    [[{ op: 'replace', path: '/list/2', value: 1 }], 'patch_invalid_array_index'],
    [[{ op: 'replace', path: '', value: [] }], 'patch_invalid_state_root'],
    [
      [
        { op: 'replace', path: '', value: 5 },
        { op: 'add', path: '/a', value: 1 },
      ],
      'patch_invalid_state_root',
    ],
    [[{ op: 'add', path: '/big', value: 'x'.repeat(256_000) }], 'patch_state_too_large'],
  ];
  test.each(refusals)('%.80j: 400 and nothing written', async (ops, code) => {
    const document = await newDocument();
    const start = { n: 1, nil: null, list: [1, 2], a: 1 };
    await document.put(null, start);
    const answer = await document.patch(1, ops);
    expect([answer.status, error(answer)]).toEqual([400, code]);
    expect((await document.call('GET')).json).toMatchObject({ version: 1, state: start });
  });

  test('operations apply in order, all or none', async () => {
    const document = await newDocument();
    await document.put(null, { list: [1, 2], keep: true });
    const answer = await document.patch(1, [
      { op: 'add', path: '/list/-', value: 3 },
      { op: 'add', path: '/list/3', value: 4 },
      { op: 'remove', path: '/list/0' },
      { op: 'add', path: '/a~1b~0c', value: { '': null } },
      { op: 'replace', path: '/a~1b~0c/', value: 1 },
    ]);
    expect(answer.json).toMatchObject({ version: 2, state: { list: [2, 3, 4], keep: true, 'a/b~c': { '': 1 } } });
    const failing = await document.patch(2, [
      { op: 'add', path: '/half', value: 1 },
      { op: 'remove', path: '/nowhere' },
    ]);
    expect([failing.status, error(failing)]).toEqual([400, 'patch_path_not_found']);
    expect((await document.call('GET')).json).toMatchObject({ version: 2, state: { list: [2, 3, 4], keep: true } });
  });

  test('its structure is checked before the precondition, its application afterwards', async () => {
    const document = await newDocument();
    await document.put(null, { a: 1 });
    const structural = await document.patch(9, [{ op: 'move', path: '/a' }]);
    expect([structural.status, error(structural)]).toEqual([400, 'patch_unsupported_operation']);
    const applied = await document.patch(9, [{ op: 'remove', path: '/missing' }]);
    expect([applied.status, error(applied)]).toEqual([412, 'version_conflict']);
  });

  test('a result nested deeper than 256 levels is refused', async () => {
    const document = await newDocument();
    const nest = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const headers = { 'Content-Type': 'application/json' };
    const body = (depth: number) => `{"ops":[{"op":"add","path":"/a","value":${nest(depth)}}]}`;
    await document.put(null, {});
    const fits = await document.call('PATCH', { headers: { ...headers, 'If-Match': '"1"' }, body: body(255) });
    expect(fits.status).toBe(200);
    const refused = await document.call('PATCH', { headers: { ...headers, 'If-Match': '"2"' }, body: body(256) });
    expect([refused.status, error(refused)]).toEqual([400, 'validation_error']);
  });
});
