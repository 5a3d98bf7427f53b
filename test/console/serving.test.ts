/** Serving the console: files, compression, caching, content security policy, and the setting that turns it off. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { compareCodings, names } from './serving.fixture.ts';

const some = names.filter((name, index) => index % 12 === 0 || !name.endsWith('.js'));

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

describe('the page of the console', () => {
  it.each(['/console/', '/console/p/hello/development/state', '/console/callback?code=a&state=b'])(
    'is at %s: never stored, in no frame, without inline script',
    async (path) => {
      const { status, headers, text } = await server.call('GET', path);
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['cache-control']).toBe('no-store');
      const policy = String(headers['content-security-policy']);
      const [, nonce = ''] = /style-src 'self' 'nonce-([\w-]{22})'/.exec(policy) ?? [];
      expect(policy.replace(nonce, 'N')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(text).toContain(`nonce="${nonce}"`);
      expect(text).toContain(`content="${server.baseUrl}"`);
      expect(text.match(/<script[^>]*>[^<]/g)).toBeNull();
      for (const [, file = ''] of text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
        expect((await server.call('GET', file)).status, file).toBe(200);
      }
    },
  );

  it('has a new nonce each time', async () => {
    const policies = await Promise.all([1, 2].map(() => server.call('GET', '/console/')));
    expect(policies[0]?.headers['content-security-policy']).not.toBe(policies[1]?.headers['content-security-policy']);
  });
});

describe('the files of the console', () => {
  it.each(some)('%s is the same in every coding, and may be cached for ever', (name) => compareCodings(server, name));

  it.each([
    '/console/assets/none.js',
    '/console/assets/',
    '/console/assets/..%2f..%2fpackage.json',
    '/console/assets/../index.html',
  ])('%s: 404', async (path) => {
    const { status, json } = await server.call('GET', path);
    expect([status, json]).toMatchObject([404, { error: 'not_found' }]);
  });

  it('are never read from outside their folder', async () => {
    for (const path of ['/console/../../package.json', '/console/%2e%2e/package.json']) {
      expect((await server.call('GET', path)).text).toContain('<div id="root">');
    }
  });
});

describe('the way to the console', () => {
  it('redirects browsers, and is 404 for programs', async () => {
    const page = await server.call('GET', '/', { headers: { Accept: 'text/html,application/xhtml+xml' } });
    expect([page.status, page.headers.location]).toEqual([303, `${server.baseUrl}/console/`]);
    const without = await server.call('GET', '/console');
    expect([without.status, without.headers.location]).toEqual([303, `${server.baseUrl}/console/`]);
    for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }] as Record<string, string>[]) {
      expect((await server.call('GET', '/', { headers })).status).toBe(404);
    }
    expect((await server.call('POST', '/')).status).toBe(405);
  });

  it('is a redirect URI of developers without any setting', async () => {
    const context = (uri: string) =>
      server.call('GET', `/v1/auth/authorize/context?client_id=svc-developer&redirect_uri=${encodeURIComponent(uri)}`);
    expect((await context(`${server.baseUrl}/console/callback`)).status).toBe(200);
    expect((await context(`${server.baseUrl}/console/elsewhere`)).status).toBe(400);
  });
});

describe('SVC_CONSOLE=off', () => {
  it('removes the console and every link to it', async () => {
    const off = await startServer({ settings: { SVC_CONSOLE: 'off' } });
    const statuses = await Promise.all(
      ['/', '/console', '/console/', `/console/assets/${names[0]}`].map(async (path) => {
        const answer = await off.call('GET', path, { headers: { Accept: 'text/html' } });
        return answer.status;
      }),
    );
    expect(statuses).toEqual([404, 404, 404, 404]);
    const uri = encodeURIComponent(`${off.baseUrl}/console/callback`);
    const context = `/v1/auth/authorize/context?client_id=svc-developer&redirect_uri=${uri}`;
    expect((await off.call('GET', context)).status).toBe(400);
    await off.stop();
  });
});

describe('a mail server', () => {
  it.each([
    ['true', { SVC_SMTP_URL: 'smtp://127.0.0.1:9' }],
    ['false', {}],
  ])('the page says whether there is one: %s', async (said, settings) => {
    const one = await startServer({ settings });
    const { text } = await one.call('GET', '/console/');
    expect(text).toContain(`name="holdfast-sends-mail" content="${said}"`);
    await one.stop();
  });
});

describe('a service below a path', () => {
  it('the page names its files below that path', async () => {
    const port = String(await freePort());
    const below = await startServer({ settings: { SVC_BASE_URL: 'https://games.example/holdfast', SVC_PORT: port } });
    const text = await (await fetch(`http://127.0.0.1:${port}/console/`)).text();
    expect(text).toContain('src="/holdfast/console/assets/');
    expect(text).not.toContain('"./assets/');
    expect(text).toContain('content="https://games.example/holdfast"');
    await below.stop();
  });
});
