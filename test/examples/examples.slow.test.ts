/** The examples, as people run them: with the package as it is published, in a real browser or a process of their own. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createClient } from '@holdfast/client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildClient } from '../../scripts/build/client.ts';
import { launchBrowser } from '../../tooling/browser.ts';
import { createFormClient, signUpByForms } from '../../tooling/forms.ts';
import { fillSignIn, password } from '../login/stage.ts';
import { type LoginClient, type LoginWorld, openLoginWorld } from '../login/world.ts';

const root = join(import.meta.dirname, '../..');
const apps = ['web-game', 'react'] as const;
type App = (typeof apps)[number];

let folder: string;
let world: LoginWorld;
let browser: Browser;
let client: LoginClient;
let settings: Record<string, string>;
let served: Readonly<Record<App, Served>>;

interface Served {
  readonly origin: string;
  close(): void;
}

/** Serves what an example was built to. */
async function serveApp(name: App): Promise<Served> {
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
  const server = createServer(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1');
    const file = pathname === '/' ? 'index.html' : pathname.slice(1);
    try {
      const body = readFileSync(join(folder, 'examples', name, 'dist', file));
      response.setHeader('Content-Type', `${types[extname(file)]}; charset=utf-8`).end(body);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Runs a program in the folder of an example; its whole output is in the failure. */
async function run(cwd: string, command: string, ...args: readonly string[]): Promise<void> {
  const env = { ...process.env, ...settings, PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter) };
  await promisify(execFile)(command, args, { cwd, env, shell: process.platform === 'win32' }).catch((failure) => {
    throw new Error(`${command} ${args.join(' ')}: ${failure.stdout}${failure.stderr}`);
  });
}

/** Puts the examples beside the package as it is published, and beside the other packages that they name. */
async function install(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-examples-'));
  const isOurs = (path: string) => !/[\\/](?:dist|node_modules)$|\.env\.local$/.test(path);
  cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true, filter: isOurs });
  mkdirSync(join(folder, 'node_modules/@holdfast'), { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name.startsWith('.') || name === '@holdfast') continue;
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
  }
  await buildClient(join(folder, 'node_modules/@holdfast/client'));
}

beforeAll(async () => {
  [, world, browser] = await Promise.all([install(), openLoginWorld(), launchBrowser()]);
  served = { 'web-game': await serveApp('web-game'), react: await serveApp('react') };
  client = await world.newClient();
  const { developer } = client;
  const { apiKey } = await world.server.newApiKey({
    developer,
    slug: 'game',
    path: `/v1/${developer.accountId}/projects/game`,
  });
  settings = {
    HOLDFAST_URL: world.baseUrl,
    HOLDFAST_ACCOUNT_ID: developer.accountId,
    HOLDFAST_PROJECT: 'game',
    HOLDFAST_ENVIRONMENT: 'production',
    HOLDFAST_DEVELOPER_TOKEN: developer.bearer.Authorization.slice('Bearer '.length),
    HOLDFAST_API_KEY: apiKey,
    ORIGINS: Object.values(served)
      .map(({ origin }) => origin)
      .join(','),
  };
  await run(join(folder, 'examples'), process.execPath, 'prepare.mjs');
  for (const app of apps) {
    await run(join(folder, 'examples', app), 'tsc');
    await run(join(folder, 'examples', app), 'vite', 'build', '--logLevel', 'warn');
  }
});
afterAll(async () => {
  await browser?.close();
  for (const { close } of Object.values(served ?? {})) close();
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const developerClient = () =>
  createClient<{ publicState: { title: string; goldPerDig: number; color: string; visits?: number } }>({
    baseUrl: world.baseUrl,
    accountId: client.developer.accountId,
    project: 'game',
    environment: 'production',
    auth: { apiKey: settings.HOLDFAST_API_KEY ?? '' },
  });

const text = (page: Page, selector: string) => expect.poll(() => page.locator(selector).innerText());

/** A person with an account, and pages of one browser. What goes wrong in a page is a failure. */
async function newPlayer(address: string): Promise<{ context: BrowserContext; newPage(app: App): Promise<Page> }> {
  await signUpByForms(world, createFormClient(world.baseUrl), address, password, client);
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1000, height: 760 } });
  context.setDefaultTimeout(30_000);
  const errors: string[] = [];
  onTestFinished(async () => {
    await context.close();
    expect(errors).toEqual([]);
  });
  return {
    context,
    async newPage(app) {
      const page = await context.newPage();
      page.on('pageerror', (error) => errors.push(String(error)));
      await page.goto(`${served[app].origin}/`);
      return page;
    },
  };
}

/** Goes through the hosted login page, and is back in the app. */
async function signIn(page: Page, app: App, address: string): Promise<void> {
  await page.click('text=Sign in to');
  await fillSignIn(page, address);
  const skip = page.locator('#offer-skip:visible');
  await Promise.race([page.waitForURL(`${served[app].origin}/**`), skip.waitFor()]).catch(() => {});
  if (!page.url().startsWith(served[app].origin)) await skip.click();
  await page.waitForURL(`${served[app].origin}/**`);
}

async function picture(page: Page, name: string): Promise<void> {
  if (process.env.HOLDFAST_SCREENSHOTS)
    await page.screenshot({ path: join(process.env.HOLDFAST_SCREENSHOTS, `${name}.png`) });
}

test('the game: live configuration, two tabs, a cut connection, and sign-out', async () => {
  const player = await newPlayer('digger@mail.example');
  const page = await player.newPage('web-game');
  await text(page, '#title').toBe('Gold Creek');
  await picture(page, 'web-game-welcome');
  await signIn(page, 'web-game', 'digger@mail.example');
  await text(page, '#player').toBe('digger@mail.example');
  await text(page, '#gold').toBe('0');
  for (let n = 0; n < 3; n++) await page.click('#dig');
  await text(page, '#gold').toBe('15');

  await developerClient().publicState.update((draft) => ({ ...draft, goldPerDig: 7, title: 'Gold River' }));
  await text(page, '#title').toBe('Gold River');
  await text(page, '#reward').toBe('+7');

  const other = await player.newPage('web-game');
  await text(other, '#gold').toBe('15');
  await Promise.all([page.click('#dig'), other.click('#dig'), page.click('#dig')]);
  await Promise.all([text(page, '#gold').toBe('36'), text(other, '#gold').toBe('36')]);
  await Promise.all([text(page, '#saved').toBe('All saved'), text(other, '#saved').toBe('All saved')]);
  await picture(page, 'web-game');

  await player.context.setOffline(true);
  for (let n = 0; n < 2; n++) await other.click('#dig');
  await text(other, '#saved').toBe('2 to be saved');
  await Promise.all([text(page, '#gold').toBe('50'), text(other, '#gold').toBe('50')]);
  await picture(other, 'web-game-offline');
  await player.context.setOffline(false);
  await Promise.all([text(page, '#saved').toBe('All saved'), text(other, '#saved').toBe('All saved')]);
  await page.reload();
  await Promise.all([text(page, '#gold').toBe('50'), text(page, '#digs').toBe('8')]);

  await page.click('#sign-out');
  for (const each of [page, other]) await expect.poll(() => each.locator('#sign-in').isVisible()).toBe(true);
});

test('the page with React: notes appear immediately, in another tab too', async () => {
  const player = await newPlayer('writer@mail.example');
  const page = await player.newPage('react');
  await signIn(page, 'react', 'writer@mail.example');
  await text(page, '[role=status]').toBe('All saved');
  const other = await player.newPage('react');
  for (const note of ['Buy a shovel', 'Look under the bridge']) {
    await page.fill('input', note);
    await page.click('text=Add');
  }
  await expect.poll(() => other.locator('li').allInnerTexts()).toHaveLength(2);
  await picture(page, 'react');
  await other.click('[aria-label="Remove Buy a shovel"]');
  await expect.poll(() => page.locator('li').allInnerTexts()).toEqual([expect.stringContaining('Look under the bridge')]);
  await text(page, '[role=status]').toBe('All saved');
  await page.click('text=Sign out');
  await text(page, '.primary').toBe('Sign in to keep notes');
});

test('the server and the preparation name a missing setting, and where it comes from', () => {
  const started = (file: string, env: Readonly<Record<string, string>>) => {
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'examples', file)], { env, encoding: 'utf8' });
    return [status, stderr];
  };
  const advice = 'is missing: run `. data/dev.env` in the root of the repository first, in this terminal.\n';
  expect(started('node-server/main.mjs', {})).toEqual([1, `HOLDFAST_URL ${advice}`]);
  const { HOLDFAST_API_KEY: _, ...others } = settings;
  expect(started('node-server/main.mjs', others)).toEqual([1, `HOLDFAST_API_KEY ${advice}`]);
  expect(started('prepare.mjs', {})).toEqual([1, `HOLDFAST_DEVELOPER_TOKEN ${advice}`]);
});

test('the server: the newest configuration, and a counter that loses nothing', async () => {
  const server = spawn(process.execPath, ['main.mjs'], {
    cwd: join(folder, 'examples/node-server'),
    env: { ...process.env, ...settings, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void server.kill());
  const lines: string[] = [];
  createInterface({ input: server.stdout }).on('line', (line) => lines.push(line));
  await expect.poll(() => lines.find((line) => line.startsWith('version '))).toBeDefined();
  await expect.poll(() => lines.find((line) => line.startsWith('Listening'))).toBeDefined();
  const url =
    lines
      .find((line) => line.startsWith('Listening'))
      ?.split(' ')
      .at(-1) ?? '';
  const ask = async (method: string, path: string): Promise<unknown> => (await fetch(url + path, { method })).json();
  const { publicState } = developerClient();
  await publicState.update((draft) => ({ ...draft, goldPerDig: 9 }));
  await expect.poll(() => ask('GET', '/price')).toEqual({ goldPerDig: 9 });
  const before = (await publicState.get())?.state.visits ?? 0;
  await Promise.all(Array.from({ length: 10 }, () => ask('POST', '/visits')));
  expect((await publicState.get())?.state.visits).toBe(before + 10);
  server.kill('SIGTERM');
  const [status] = await once(server, 'exit');
  expect(status).toBe(0);
});
