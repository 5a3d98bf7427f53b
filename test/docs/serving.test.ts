/** Serving the documentation: pages, Markdown, files, lists, and missing pages. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describedOperations } from '@holdfast/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { startServer, type TestServer } from '../support/server.ts';

const root = join(import.meta.dirname, '../..');
const site = JSON.parse(readFileSync(join(root, 'packages/site/dist/site.json'), 'utf8'));
const pages: readonly { slug: string; source: string; title: string }[] = site.groups.flatMap(
  ({ pages: own }: { pages: object[] }) => own,
);
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const get = async (path: string) => {
  const response = await fetch(new URL(path, server.baseUrl));
  return { status: response.status, headers: response.headers, text: await response.text() };
};

it('every page of docs is on the site', () => {
  const sources = [site.home, ...pages].map(({ source }) => source);
  const written = globSync('docs/**/*.md', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  expect(written.filter((path) => !sources.includes(path))).toEqual([]);
});

describe.each(['docs', ...[...pages.map(({ slug }) => slug), ...site.reference].map((slug) => `docs/${slug}`)])(
  '/%s',
  (path) => {
    it('is a page without inline script or style', async () => {
      const { status, headers, text } = await get(`/${path}`);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers.get('content-security-policy')).toBe(policy);
      expect(text).not.toMatch(/<script[^>]*>[^<]|<style|<[^>]*\s(?:style|on\w+)=/);
      expect(text.match(/<h1[\s>]/g)).toHaveLength(1);
    });

    it('links to existing pages, files and headings', async () => {
      const { text } = await get(`/${path}`);
      const links = [...text.matchAll(/\s(?:href|src)="([^"]+)"/g)].map(
        ([, link = '']) => new URL(link, `${server.baseUrl}/${path}`),
      );
      const own = links.filter(({ origin }) => origin === server.baseUrl);
      expect(own.length).toBeGreaterThan(20);
      for (const url of new Map(own.map((one) => [one.href, one])).values()) {
        const target = await pageAt(url.pathname);
        expect(target, url.href).toBeDefined();
        if (url.hash !== '' && target?.includes('<html')) expect(target, url.href).toContain(`id="${url.hash.slice(1)}"`);
      }
    });
  },
);

const known = new Map<string, Promise<string | undefined>>();
function pageAt(path: string): Promise<string | undefined> {
  const asked = known.get(path) ?? get(path).then(({ status, text }) => (status === 200 ? text : undefined));
  known.set(path, asked);
  return asked;
}

it('has its fonts, byte for byte', async () => {
  const fonts = site.assets.filter((name: string) => name.endsWith('.woff2'));
  expect(fonts).toHaveLength(4);
  for (const name of fonts) {
    const response = await fetch(new URL(`/docs/${name}`, server.baseUrl));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'font/woff2']);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.equals(readFileSync(join(root, 'packages/site/dist', name)))).toBe(true);
  }
});

it.each(pages)('/docs/$slug.md is $source', async ({ slug, source }) => {
  const { status, headers, text } = await get(`/docs/${slug}.md`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
  const written = readFileSync(join(root, source), 'utf8');
  expect(text).toBe(written.replaceAll(/http:\/\/127\.0\.0\.1:8787(?!\/readyz)/g, server.baseUrl));
});

it('examples have the address of this service, whatever host a request names', async () => {
  const host = { Host: 'elsewhere.example', 'X-Forwarded-Host': 'elsewhere.example', Forwarded: 'host=elsewhere.example' };
  for (const path of ['/docs/first-game', '/docs/first-game.md', '/llms-full.txt']) {
    const response = await fetch(new URL(path, server.baseUrl), { headers: host });
    const text = await response.text();
    expect(text, path).toContain(`${server.baseUrl}/client.js`);
    expect(text, path).not.toContain('http://127.0.0.1:8787/client.js');
    expect(text, path).not.toContain('elsewhere.example');
  }
});

it('the first page lists every route', async () => {
  const { text } = await get('/docs');
  for (const [id, { method }] of describedOperations)
    expect(text).toMatch(new RegExp(`href="docs/reference/[a-z-]+#${id}"><code>${method} /`));
});

it('/llms.txt lists the Markdown of every page, and /llms-full.txt has all of them', async () => {
  const [list, full] = await Promise.all([get('/llms.txt'), get('/llms-full.txt')]);
  expect(list.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  for (const { slug, title } of pages) {
    expect(list.text).toContain(`- [${title}](${server.baseUrl}/docs/${slug}.md): `);
    expect(full.text).toContain(`<!-- ${server.baseUrl}/docs/${slug}.md -->\n\n# `);
  }
});

it('files with hashed names may be cached for ever, pages for five minutes', async () => {
  for (const name of site.assets) {
    expect((await get(`/docs/${name}`)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
  expect((await get('/docs/state')).headers.get('cache-control')).toBe('public, max-age=300');
});

it('the search index names existing pages and headings', async () => {
  const places: string[][] = JSON.parse((await get('/docs/search.json')).text);
  expect(places.length).toBeGreaterThan(300);
  for (const [slug, anchor = ''] of places) {
    const page = await pageAt(slug === 'index' ? '/docs' : `/docs/${slug}`);
    expect(page, slug).toBeDefined();
    if (anchor !== '') expect(page, `${slug}#${anchor}`).toContain(`id="${anchor}"`);
  }
});

it('/docs/ redirects to /docs', async () => {
  const { status, headers } = await server.call('GET', '/docs/');
  expect([status, headers.location]).toEqual([303, `${server.baseUrl}/docs`]);
});

it.each([
  '/docs/none',
  '/docs/state.html',
  '/docs/site.json',
  '/docs/..%2fpackage.json',
  '/docs/assets/',
  '/docs/index',
  '/docs/__proto__',
])('%s is not found', async (path) => {
  const { status, json } = await server.call('GET', path);
  expect([status, json]).toMatchObject([404, { error: 'not_found' }]);
});

it('an unknown address shows browsers a page with links that work at any depth', async () => {
  for (const path of ['/docs/nothing-here', '/docs/a/b/c']) {
    const { status, headers, text } = await server.call('GET', path, { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      404,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(text).toContain('<h1>There is no such page</h1>');
    const links = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(20);
    for (const link of new Set(links)) expect((await server.call('GET', link)).status, link).toBeLessThan(400);
  }
});

it('the site works below a path: no link begins with a slash', async () => {
  const port = String(await freePort());
  const below = await startServer({ settings: { SVC_BASE_URL: 'https://games.example/holdfast', SVC_PORT: port } });
  for (const path of ['/docs', '/docs/state']) {
    const text = await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    expect(text).not.toMatch(/\s(?:href|src)="\//);
  }
  expect(await (await fetch(`http://127.0.0.1:${port}/llms.txt`)).text()).toContain(
    '(https://games.example/holdfast/docs/state.md)',
  );
  await below.stop();
});

it('all served files are in the repository, and in the image', () => {
  const inImage = readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => `${line.slice(1)}/`);
  for (const path of [site.home.source, ...pages.map(({ source }) => source), ...site.images]) {
    expect(existsSync(join(root, path)), path).toBe(true);
    expect(
      inImage.some((folder) => path.startsWith(folder)),
      path,
    ).toBe(true);
  }
});
