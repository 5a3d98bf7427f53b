/**
 * Tries `@holdfast/client` in pages: `node scripts/releases/try-bundlers.ts`. Packs it, installs the file in empty folders, and opens in
 * Chromium: a page that imports its modules directly, an application of Vite and React, and one of Next's app router with a server
 * component and a client component. Each shows public state of a real service, and then a change of it; the first two also a flag. Vite and
 * Next are installed outside the lockfile, without their scripts. Runs on Linux x64.
 */

import { strict as assert } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, extname, join, normalize } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import type { Api } from '../../tooling/api.ts';
import { createApi, expectStatus, writesAfter } from '../../tooling/api.ts';
import { launchBrowser } from '../../tooling/browser.ts';
import { outputOf } from '../../tooling/child-processes.ts';
import type { Credentials } from '../../tooling/credentials.ts';
import { createApiKey, publicStatePath } from '../../tooling/credentials.ts';
import { run } from '../../tooling/programs.ts';
import { installClient, withTrial } from '../build/client-trial.ts';

const versions = { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1', vite: '8.3.8' };

/** A service with public state, its key, and a function that changes the state. */
interface World {
  readonly baseUrl: string;
  readonly key: string;
  write(motd: string): Promise<void>;
}

async function openWorld(credentials: Credentials): Promise<World> {
  const { baseUrl } = credentials;
  const key = await createApiKey(credentials, { name: 'page', kind: 'publishable', environments: ['production'] });
  const api = createApi(baseUrl, `Bearer ${credentials.developerToken}`);
  // An idle connection may have been closed meanwhile. Repeating these requests is harmless.
  const send: Api['send'] = (...request) => api.send(...request).catch(() => api.send(...request));
  return {
    baseUrl,
    key: key.apiKey,
    async write(motd) {
      const path = publicStatePath(credentials, 'production');
      const { headers: current } = expectStatus(await send('GET', path), 200, 204);
      const headers = current.etag === undefined ? writesAfter(0) : { 'If-Match': current.etag };
      const flags = { motd: { state: 'ENABLED', variants: { text: motd }, defaultVariant: 'text' } };
      expectStatus(await send('PUT', path, { headers, body: { state: { motd, flags } } }), 200);
    },
  };
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Shows a flag as the title of the page. */
const followFlags = "flags.subscribe((values) => { document.title = values.value('motd', ''); }, { spreadMs: 50 });";

/** Opens a page, and waits until it shows the document and then a change. */
async function show(browser: Browser, world: World, name: string, url: string, hasFlags = true): Promise<void> {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await world.write(`first of ${name}`);
  await page.goto(url);
  for (const motd of [`first of ${name}`, `second of ${name}`]) {
    await world.write(motd);
    const places = ["document.getElementById('motd')?.textContent", ...(hasFlags ? ['document.title'] : [])];
    const isShown = places.map((place) => `${place} === ${JSON.stringify(motd)}`).join(' && ');
    await page.waitForFunction(isShown, undefined, { timeout: 60_000 });
  }
  await page.close();
  assert.deepEqual(errors, [], name);
  console.log(`${name}: shows the document${hasFlags ? ' and a flag' : ''}, and the change`);
}

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };

/** Serves the files of a folder. */
async function serve(folder: string): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(({ url = '/' }, response) => {
    const path = normalize(new URL(url, 'http://x').pathname);
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.setHeader('Content-Type', types[extname(file)] ?? 'text/plain');
    response.end(readFileSync(file));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

async function tryPlain(app: string, browser: Browser, world: World): Promise<void> {
  const imports = {
    '@holdfast/client': './node_modules/@holdfast/client/index.js',
    'eventsource-parser': './node_modules/eventsource-parser/dist/index.js',
  };
  const page = `<!doctype html><p id="motd"></p><script type="importmap">${JSON.stringify({ imports })}</script><script type="module">
import { createClient } from '@holdfast/client';
const { publicState, flags } = createClient(${JSON.stringify(world.baseUrl)}, ${JSON.stringify(world.key)});
${followFlags}
publicState.subscribe(({ state }) => { document.getElementById('motd').textContent = state?.motd; });
</script>`;
  writeFiles(app, { 'index.html': page });
  const { url, server } = await serve(app);
  await show(browser, world, 'modules as they are', url);
  server.closeAllConnections();
  server.close();
}

async function tryVite(app: string, browser: Browser, world: World): Promise<void> {
  const client = `createClient<{ publicState: { motd: string } }>(${JSON.stringify(world.baseUrl)}, ${JSON.stringify(world.key)})`;
  writeFiles(join(app, 'vite'), {
    'index.html': '<!doctype html><div id="root"></div><script type="module" src="/main.tsx"></script>',
    'main.tsx': `import { createClient } from '@holdfast/client';
import { createHooks } from '@holdfast/client/react';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
const client = ${client};
const { flags } = client;
${followFlags}
const { usePublicPart } = createHooks(client);
const Motd = () => <p id="motd">{usePublicPart((state) => state?.motd, { suspense: true })}</p>;
createRoot(document.getElementById('root')!).render(<StrictMode><Suspense fallback="…"><Motd /></Suspense></StrictMode>);`,
    'vite.config.js': "export default { oxc: { jsx: { runtime: 'automatic' } } };",
  });
  const built = run(join(app, 'node_modules/.bin/vite'), ['build'], join(app, 'vite'));
  console.log(
    built
      .split('\n')
      .filter((line) => line.includes('gzip'))
      .join('\n'),
  );
  const { url, server } = await serve(join(app, 'vite/dist'));
  await show(browser, world, 'Vite and React', url);
  server.closeAllConnections();
  server.close();
}

const nextFiles = {
  'package.json': '{"private":true,"type":"module"}',
  'app/layout.jsx': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;',
  'app/page.jsx': `import { createClient } from '@holdfast/client';
import { queryOptions } from '@holdfast/client/react';
import { Motd } from './motd.jsx';
export const dynamic = 'force-dynamic';
export default async function Page() {
  const client = createClient(process.env.NEXT_PUBLIC_URL, process.env.NEXT_PUBLIC_KEY);
  const { state, version } = await queryOptions(client, 'publicState').queryFn({});
  return <Motd initial={{ publicState: { state, version } }} />;
}`,
  'app/motd.jsx': `'use client';
import { createClient } from '@holdfast/client';
import { createHooks, HoldfastProvider } from '@holdfast/client/react';
const { usePublicPart } = createHooks(createClient(process.env.NEXT_PUBLIC_URL, process.env.NEXT_PUBLIC_KEY));
const Text = () => <p id="motd">{usePublicPart((state) => state?.motd, { suspense: true })}</p>;
export const Motd = ({ initial }) => <HoldfastProvider initial={initial}><Text /></HoldfastProvider>;`,
};

async function tryNext(app: string, browser: Browser, world: World): Promise<void> {
  const folder = join(app, 'next');
  writeFiles(folder, nextFiles);
  const next = join(app, 'node_modules/next/dist/bin/next');
  const env = { ...process.env, NEXT_PUBLIC_URL: world.baseUrl, NEXT_PUBLIC_KEY: world.key, NEXT_TELEMETRY_DISABLED: '1' };
  const started = (...words: string[]): ChildProcess => spawn(process.execPath, [next, ...words], { cwd: folder, env });
  const building = started('build');
  const output = outputOf(building);
  const [code] = await once(building, 'close');
  assert.equal(code, 0, output());
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}/`;
  const service = started('start', '-p', port);
  try {
    await world.write('from the server');
    let html = '';
    for (let n = 0; n < 100 && !html.includes('id="motd"'); n++) {
      await delay(300);
      html = await fetch(url)
        .then((response) => response.text())
        .catch(() => '');
    }
    assert.match(html, /<p id="motd">from the server<\/p>/);
    await show(browser, world, "Next's app router, rendered on the server first", url, false);
  } finally {
    service.kill();
  }
}

await withTrial('bundlers', async (at, _options, credentials) => {
  const browser = await launchBrowser();
  try {
    const others = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
    const app = await installClient(at, ...others);
    const world = await openWorld(credentials);
    await tryPlain(app, browser, world);
    await tryVite(app, browser, world);
    await tryNext(app, browser, world);
  } finally {
    await browser.close();
  }
});
