import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpAnswer } from '../../tooling/http-answers.ts';
import { expectCommonHeaders, expectRefusal, jsonLine, openWorld, requestText, type World } from './world.ts';

const origin = 'https://game.example';
const originLine = `Origin: ${origin}`;
const exposed = [
  'ETag',
  'API-Version',
  'Retry-After',
  'WWW-Authenticate',
  'RateLimit',
  'RateLimit-Policy',
  'X-Request-Id',
  'Auth-Nonce',
];
const asksFor = (method: string) => [
  originLine,
  `Access-Control-Request-Method: ${method}`,
  'Access-Control-Request-Headers: authorization, content-type, if-match',
];
const list = (answer: HttpAnswer, name: string) => (answer.headers.get(name) ?? '').split(/, ?/).sort();

describe('any origin, the default', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.stop());

  test('a preflight is answered before the credential is checked', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await world.exchange(requestText(`OPTIONS ${world.statePath}`, asksFor(method)));
      expect(answer.status).toBe(204);
      expectCommonHeaders(answer);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-credentials')).toBeUndefined();
      expect(list(answer, 'access-control-allow-methods')).toEqual(
        expect.arrayContaining(['GET', 'PUT', 'PATCH', 'DELETE']),
      );
      expect(list(answer, 'access-control-allow-headers')).toEqual([
        'Authorization',
        'Content-Type',
        'Idempotency-Key',
        'If-Match',
        'If-None-Match',
        'Last-Event-ID',
      ]);
    }
  });

  test('a preflight needs neither a valid segment nor an existing path', async () => {
    for (const path of ['/v1/nonsense/projects/NO/public-state/nowhere', '/nothing']) {
      expect((await world.exchange(requestText(`OPTIONS ${path}`, asksFor('PUT')))).status).toBe(204);
    }
  });

  test.each([
    ['200', () => requestText(`GET /healthz`, [originLine]), 200],
    ['204', () => requestText(`GET ${world.statePath}`, [originLine, world.keyLine]), 204],
    ['401', () => requestText(`GET ${world.statePath}`, [originLine]), 401],
    ['400', () => requestText(`GET ${world.statePath}x`, [originLine, world.keyLine]), 400],
    ['404', () => requestText('GET /nothing', [originLine]), 404],
    ['405', () => requestText('DELETE /healthz', [originLine]), 405],
    [
      '412',
      () => requestText(`PUT ${world.statePath}`, [originLine, world.keyLine, jsonLine, 'If-Match: "7"'], '{"state":{}}'),
      412,
    ],
    [
      '413',
      () =>
        requestText(`PUT ${world.statePath}`, [
          originLine,
          world.keyLine,
          jsonLine,
          'If-Match: "7"',
          'Content-Length: 9999999',
        ]),
      413,
    ],
    ['415', () => requestText(`PUT ${world.statePath}`, [originLine, world.keyLine, 'If-Match: "7"'], '{}'), 415],
  ])('a page may read a response with %s and its headers', async (_name, request, status) => {
    const answer = await world.exchange(request());
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(list(answer, 'access-control-expose-headers')).toEqual([...exposed].sort());
  });

  test('responses to requests without an Origin have no CORS headers', async () => {
    const answer = await world.exchange(requestText('GET /healthz'));
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  test('a state response varies by origin and credential', async () => {
    const answer = await world.exchange(requestText(`GET ${world.statePath}`, [world.keyLine]));
    expect(list(answer, 'vary')).toEqual(['Authorization', 'Origin']);
    expect(answer.headers.get('cache-control')).toBe('private, no-cache, no-transform');
  });
});

describe('SVC_CORS_ORIGINS limits the origins', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ SVC_CORS_ORIGINS: `${origin},http://localhost:5173` });
  });
  afterAll(() => world.stop());

  test.each([origin, 'http://localhost:5173'])('%s is allowed', async (allowed) => {
    const lines = [`Origin: ${allowed}`, 'Access-Control-Request-Method: PUT'];
    const preflight = await world.exchange(requestText(`OPTIONS ${world.statePath}`, lines));
    expect(preflight.headers.get('access-control-allow-origin')).toBe(allowed);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT');
    const refusal = await world.exchange(requestText(`GET ${world.statePath}`, [`Origin: ${allowed}`]));
    expectRefusal(refusal, 401, 'unauthorized');
    expect(refusal.headers.get('access-control-allow-origin')).toBe(allowed);
  });

  test.each(['https://evil.example', `${origin}.evil.example`, 'http://game.example', `${origin}:8443`, 'null', ''])(
    '"%s" is not allowed',
    async (refused) => {
      const lines = [`Origin: ${refused}`, 'Access-Control-Request-Method: PUT'];
      const preflight = await world.exchange(requestText(`OPTIONS ${world.statePath}`, lines));
      const read = await world.exchange(requestText('GET /healthz', [`Origin: ${refused}`]));
      for (const answer of [preflight, read]) {
        expectCommonHeaders(answer);
        expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
      expect(preflight.status).toBe(204);
      expect(read.status).toBe(200);
    },
  );

  test('responses have Vary: Origin for caches', async () => {
    for (const line of ['GET /healthz', 'GET /nothing', `GET ${world.statePath}`]) {
      for (const lines of [[originLine], ['Origin: https://evil.example'], []]) {
        const answer = await world.exchange(requestText(line, lines));
        expect(list(answer, 'vary'), line).toContain('Origin');
      }
    }
  });
});
