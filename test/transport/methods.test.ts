import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectCommonHeaders, expectRefusal, jsonLine, openWorld, requestText, type World, writeLines } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await world.exchange(requestText(`PUT ${world.statePath}`, writeLines(world.keyLine), '{"state":{"a":1}}'));
});
afterAll(() => world.stop());

const listed = (allow: string | undefined) => (allow ?? '').split(', ').sort();

describe('methods', () => {
  test.each([
    ['DELETE', '/healthz', ['GET', 'HEAD', 'OPTIONS']],
    ['TRACE', '/healthz', ['GET', 'HEAD', 'OPTIONS']],
    ['POST', '/v1/acc_1/projects/p/public-state/development', ['GET', 'HEAD', 'OPTIONS', 'PATCH', 'PUT']],
    ['PUT', '/v1/acc_1/projects', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['GET', '/v1/acc_1/projects/p/api-keys/key_1', ['DELETE', 'OPTIONS']],
    ['HEAD', '/v1/acc_1/projects/p/api-keys/key_1', ['DELETE', 'OPTIONS']],
  ])('405 for %s %s, which allows %j', async (method, path, expected) => {
    const answer = await world.exchange(requestText(`${method} ${path}`), { toHead: method === 'HEAD' });
    expect(answer.status).toBe(405);
    expectCommonHeaders(answer);
    expect(listed(answer.headers.get('allow'))).toEqual(expected);
    if (method !== 'HEAD') expectRefusal(answer, 405, 'method_not_allowed');
  });

  test.each(['', '/versions', '/versions/1', '?x=1', '/nothing'])(
    'HEAD answers like GET, at the state%s',
    async (suffix) => {
      const target = `${world.statePath}${suffix}`;
      const get = await world.exchange(requestText(`GET ${target}`, [world.keyLine]));
      const connection = await world.connect();
      connection.send(requestText(`HEAD ${target}`, [world.keyLine, 'X-Request-Id: head']));
      const head = await connection.answer({ toHead: true });
      expect(await connection.unreadAfter(50)).toBe('');
      connection.close();
      expect(head.status).toBe(get.status);
      const varying = new Set(['date', 'x-request-id', 'transfer-encoding']); // RFC 9110 §9.3.2 lets HEAD omit the last
      const shown = (headers: ReadonlyMap<string, string>) => [...headers].filter(([name]) => !varying.has(name));
      expect(shown(head.headers)).toEqual(shown(get.headers));
    },
  );

  test('HEAD leaves its connection usable', async () => {
    const connection = await world.connect();
    connection.send(requestText('HEAD /healthz') + requestText('GET /healthz'));
    expect((await connection.answer({ toHead: true })).body.length).toBe(0);
    expect((await connection.answer()).body.toString()).toBe('{"status":"ok"}');
    connection.close();
  });

  test('OPTIONS names the methods of a path and of the server, and is 404 for unknown paths', async () => {
    const path = await world.exchange(requestText(`OPTIONS ${world.statePath}`));
    expect(path.status).toBe(204);
    expect(listed(path.headers.get('allow'))).toEqual(['GET', 'HEAD', 'OPTIONS', 'PATCH', 'PUT']);
    const all = await world.exchange(requestText('OPTIONS *'));
    expect(all.status).toBe(204);
    expect(listed(all.headers.get('allow'))).toContain('PATCH');
    expectCommonHeaders(all);
    expectRefusal(await world.exchange(requestText('OPTIONS /nothing')), 404, 'not_found');
    expectRefusal(await world.exchange(requestText('GET *')), 404, 'not_found');
  });

  test('an unsupported Upgrade is ignored', async () => {
    const lines = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='];
    const answer = await world.exchange(requestText('GET /healthz', lines));
    expect(answer.status).toBe(200);
  });

  test('417 for an expectation other than 100-continue', async () => {
    expectRefusal(await world.exchange(requestText('GET /healthz', ['Expect: miracles'])), 417, 'expectation_failed');
  });
});

describe('targets', () => {
  test('the absolute form is read as the origin form', async () => {
    const lines = [world.keyLine];
    for (const authority of ['http://localhost', 'https://elsewhere.example:8443', 'HTTP://[::1]']) {
      const answer = await world.exchange(requestText(`GET ${authority}${world.statePath}`, lines));
      expect(answer.status, authority).toBe(200);
    }
    expectRefusal(await world.exchange(requestText('GET http://localhost')), 404, 'not_found');
    expectRefusal(await world.exchange(requestText('GET http://localhost?x=1')), 404, 'not_found');
  });

  test('a query is ignored on routes without parameters', async () => {
    for (const query of ['?', '?a=b', '?env=production&%zz', `?${'q'.repeat(8_000)}`]) {
      expect((await world.exchange(requestText(`GET ${world.statePath}${query}`, [world.keyLine]))).status).toBe(200);
    }
  });

  test('segments are decoded once', async () => {
    const encoded = world.statePath.replace('development', '%64evelopment').replace('acc_', 'acc%5F');
    expect((await world.exchange(requestText(`GET ${encoded}`, [world.keyLine]))).status).toBe(200);
    const twice = world.statePath.replace('development', '%2564evelopment');
    expectRefusal(await world.exchange(requestText(`GET ${twice}`, [world.keyLine])), 400, 'validation_error');
  });

  test.each(['%', '%4', '%zz', '%ff', '%C0%AF', '%ED%A0%80', '%00', 'development%2F', 'Development', '..', '.'])(
    '400 for the environment %s',
    async (segment) => {
      const path = world.statePath.replace('development', segment);
      expectRefusal(await world.exchange(requestText(`GET ${path}`, [world.keyLine])), 400, 'validation_error');
    },
  );

  test.each([
    ['a slash at the end', (path: string) => `${path}/`],
    ['two slashes', (path: string) => path.replace('/projects', '//projects')],
    ['an encoded slash', (path: string) => path.replace('/projects/', '/projects%2F')],
    ['a literal in another case', (path: string) => path.replace('/projects', '/Projects')],
    ['an encoded literal', (path: string) => path.replace('/projects', '/%70rojects')],
    ['a path that leads upwards', (path: string) => `/v1/..${path}`],
  ])('404 for %s', async (_what, change) => {
    expectRefusal(await world.exchange(requestText(`GET ${change(world.statePath)}`, [world.keyLine])), 404, 'not_found');
  });
});

describe('versions of HTTP', () => {
  test('HTTP/1.0 needs no Host, and its connection is closed', async () => {
    const connection = await world.connect();
    connection.send('GET /healthz HTTP/1.0\r\n\r\n');
    const answer = await connection.answer();
    expect(answer.status).toBe(200);
    expectCommonHeaders(answer);
    expect(await connection.ended()).toEqual({ by: 'end', unread: '' });
    connection.close();
  });

  test('HTTP/1.0 with chunks is refused, and its connection closed', async () => {
    const connection = await world.connect();
    const lines = [world.keyLine, jsonLine, 'If-Match: "1"', 'Connection: keep-alive', 'Transfer-Encoding: chunked'];
    connection.send(`PUT ${world.statePath} HTTP/1.0\r\n${lines.join('\r\n')}\r\n\r\nc\r\n{"state":{}}\r\n0\r\n\r\n`);
    const answer = await connection.answer();
    expectRefusal(answer, 400, 'validation_error');
    expect(answer.headers.get('connection')).toBe('close');
    expect(await connection.ended()).toEqual({ by: 'end', unread: '' });
    connection.close();
  });

  test('HTTP/1.0 never gets a chunked response', async () => {
    const connection = await world.connect();
    connection.send(`GET ${world.statePath}/versions HTTP/1.0\r\n${world.keyLine}\r\n\r\n`);
    const { unread } = await connection.ended();
    expect(unread).toMatch(/^HTTP\/1\.1 200 OK\r\nAPI-Version: 1\r\n/);
    expect(unread).not.toMatch(/transfer-encoding/i);
    expect(unread.slice(unread.indexOf('\r\n\r\n') + 4)).toMatch(/^\[\{"version":1,.*\}\]$/);
    connection.close();
  });

  test('HTTP/1.0 can write', async () => {
    const { path, keyLine } = await world.newDocument();
    const head = `PUT ${path} HTTP/1.0\r\n${keyLine}\r\n${jsonLine}\r\nIf-None-Match: *\r\nContent-Length: 12\r\n\r\n`;
    expect((await world.exchange(`${head}{"state":{}}`)).status).toBe(200);
  });
});
