/** Follows the tutorials as a reader does: writes their code blocks to files, runs and opens them, and sends their requests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@holdfast/client';
import type { Browser } from 'playwright-core';
import { createServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { buildClient } from '../../scripts/build/client.ts';
import { launchBrowser } from '../../tooling/browser.ts';
import { createFormClient, signUpByForms } from '../../tooling/forms.ts';
import { fillSignIn, password } from '../login/stage.ts';
import { type LoginWorld, openLoginWorld } from '../login/world.ts';

const root = join(import.meta.dirname, '../..');
const page = (name: string) => readFileSync(join(root, 'docs/tutorials', `${name}.md`), 'utf8');

/** Code blocks of one language on a page. */
const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);

let world: LoginWorld;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-tutorials-'));
  mkdirSync(join(folder, 'node_modules/@holdfast'), { recursive: true });
  symlinkSync(join(root, 'node_modules/eventsource-parser'), join(folder, 'node_modules/eventsource-parser'), 'junction');
  [world] = await Promise.all([openLoginWorld(), buildClient(join(folder, 'node_modules/@holdfast/client'))]);
}, 60_000);
afterAll(async () => {
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Creates a project with the name from the tutorials, by sending a tutorial's requests. */
async function prepare(tutorial: string, redirectUri: string) {
  const { developer } = await world.newClient({}, 'Another');
  const send = async (method: string, path: string, body: unknown) => {
    const address = `/v1/${developer.accountId}/projects${path}`;
    const { status, json } = await world.server.call(method, address, { headers: developer.bearer, body });
    expect([200, 201]).toContain(status);
    return json as Record<string, string>;
  };
  await send('POST', '', { slug: 'hello' });
  const bodies = [...tutorial.matchAll(/-d '(\{.*\})' \\$/gm)].map(([, body = '']) => JSON.parse(body));
  await send('PATCH', '/hello/auth/end-user/config', { ...bodies[0], redirectUris: [redirectUri] });
  const { apiKey: publishableKey = '' } = await send('POST', '/hello/api-keys', bodies[1]);
  const { apiKey = '' } = await send('POST', '/hello/api-keys', { name: 'server' });
  const state = `${world.baseUrl}/v1/${developer.accountId}/projects/hello/public-state/development`;
  const write = async (body: object, method = 'PUT', precondition: Record<string, string> = { 'If-None-Match': '*' }) => {
    const headers = { Authorization: `ApiKey ${apiKey}`, 'Content-Type': 'application/json', ...precondition };
    const response = await fetch(state, { method, headers, body: JSON.stringify(body) });
    expect(response.status).toBe(200);
  };
  return { developer, account: developer.accountId, publishableKey, apiKey, write };
}

const clientOf = (account: string) => `${account}.hello`;

describe.each(['godot', 'unity'])('%s: the requests of the page', (name) => {
  it('get the responses on the page', async () => {
    const text = page(name);
    const back = 'http://127.0.0.1:8976/callback';
    const { developer, account, publishableKey, write } = await prepare(text, back);
    await write({ state: { goldPerDig: 5 } });
    const verifier = randomBytes(32).toString('base64url');
    const changes = { redirect_uri: back, code_challenge: hash('sha256', verifier, 'base64url') };
    const client = { clientId: clientOf(account), developer, scope: 'env:development' };
    const wayThere = {
      ...world,
      authorizeUrl: (...[of, , path]: Parameters<LoginWorld['authorizeUrl']>) => world.authorizeUrl(of, changes, path),
    };
    const form = createFormClient(world.baseUrl);
    const next = await signUpByForms(wayThere, form, `${name}@mail.example`, password, client);
    const returned = await form.send(next, '/v1/auth/authorize/callback', {});
    const code = new URL(returned.location ?? '').searchParams.get('code') ?? '';
    const known: Record<string, string> = {
      account,
      project: 'hello',
      environment: 'development',
      publishableKey,
      code,
      verifier,
    };
    known.return = encodeURIComponent(back);
    const requests = blocks(page('unity'), 'http'); // the requests of both programs
    expect(requests).toHaveLength(7);
    for (const request of requests) {
      const answer = await sendBlock(request.replaceAll(/\{(\w+)\}/g, (whole, variable) => known[variable] ?? whole));
      if (typeof answer === 'object' && answer !== null) Object.assign(known, answer);
    }
  });

  it('are those of its program', () => {
    const text = page(name);
    const program = blocks(text, name === 'godot' ? 'gdscript' : 'cs')[0] ?? '';
    const words = [
      'public-state',
      'user-state',
      '/v1/auth/token',
      'If-None-Match',
      'If-Match',
      'ApiKey ',
      'Bearer ',
      '/save',
    ];
    for (const word of [...words, 'authorization_code', 'refresh_token', 'code_verifier', 'S256'])
      expect(program).toContain(word);
  });
});

/** Sends the request in a block, and expects the status in its last line. Returns the response body. */
async function sendBlock(block: string): Promise<unknown> {
  const [head = '', rest = ''] = block.trim().split('\n\n');
  const [line = '', ...fields] = head.split('\n');
  const [method = '', path = ''] = line.split(' ');
  const [, body = '', status = ''] = /^(.*?)\n?# (\d+)$/s.exec(rest) ?? [];
  const headers = Object.fromEntries(fields.map((field) => field.split(': ') as [string, string]));
  const response = await fetch(`${world.baseUrl}${path}`, { method, headers, ...(body !== '' && { body }) });
  const text = await response.text();
  expect(response.status, `${line}: ${text}`).toBe(Number(status));
  return text === '' ? undefined : JSON.parse(text);
}

describe('the game in the browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('works as the page promises: sign-in, saves, two tabs, and a live change', async () => {
    const text = page('browser-game');
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const { account, developer, publishableKey, write } = await prepare(text, `${origin}/`);
    const [index = ''] = blocks(text, 'html');
    const [main = ''] = blocks(text, 'js');
    const game = join(folder, 'game');
    mkdirSync(game);
    writeFileSync(join(game, 'index.html'), index);
    writeFileSync(join(game, 'main.js'), main.replace('http://127.0.0.1:8787', world.baseUrl));
    writeFileSync(join(game, '.env.local'), `VITE_ACCOUNT_ID=${account}\nVITE_KEY=${publishableKey}\n`);
    const cacheDir = join(folder, 'vite');
    const vite = await createServer({
      root: game,
      cacheDir,
      configFile: false,
      logLevel: 'warn',
      // Without prebundling, which could reload the page at any moment. The installed packages are links to another folder.
      optimizeDeps: { noDiscovery: true },
      server: { port, host: 'localhost', strictPort: true, fs: { strict: false } },
    });
    await vite.listen();
    try {
      const client = { clientId: clientOf(account), developer, scope: 'env:development' };
      const changes = { redirect_uri: `${origin}/` };
      const wayThere = {
        ...world,
        authorizeUrl: (...[of, , path]: Parameters<LoginWorld['authorizeUrl']>) => world.authorizeUrl(of, changes, path),
      };
      await signUpByForms(wayThere, createFormClient(world.baseUrl), 'digger@mail.example', password, client);

      const context = await browser.newContext({ locale: 'en-GB' });
      context.setDefaultTimeout(30_000);
      const one = await context.newPage();
      await one.goto(`${origin}/`);
      await one.click('#sign-in:visible');
      await fillSignIn(one, 'digger@mail.example');
      const skip = one.locator('#offer-skip:visible');
      await Promise.race([one.waitForURL(`${origin}/**`), skip.waitFor()]).catch(() => {});
      if (!one.url().startsWith(origin)) await skip.click();
      const gold = (tab: typeof one, amount: number) => tab.waitForSelector(`#gold:text-is("${amount} gold")`);
      await gold(one, 0);
      await one.click('#dig');
      await gold(one, 1);
      const two = await context.newPage();
      await two.goto(`${origin}/`);
      await gold(two, 1);
      await Promise.all([one.click('#dig'), two.click('#dig')]);
      await Promise.all([gold(one, 3), gold(two, 3)]);
      await write({ state: { goldPerDig: 5, title: 'Gold rush' } });
      await one.waitForSelector('#title:text-is("Gold rush")');
      await one.click('#dig');
      await gold(two, 8);
      await one.reload();
      await gold(one, 8);
      await context.setOffline(true);
      for (let dig = 0; dig < 5; dig++) await one.click('#dig');
      await one.waitForSelector('#gold:text-is("33 gold (5 not sent yet)")');
      await context.setOffline(false);
      await Promise.all([gold(one, 33), gold(two, 33)]);
      await context.close();
    } finally {
      await vite.close();
    }
  }, 90_000);
});

describe('the game server', () => {
  const running: ChildProcess[] = [];
  afterAll(() => {
    for (const one of running) one.kill();
  });

  it('works as the page promises: a setting that changes, and a counter that loses nothing', async () => {
    const text = page('game-server');
    const { account, apiKey, write } = await prepare(page('godot'), 'http://127.0.0.1:8976/callback');
    await write({ state: {} });
    writeFileSync(join(folder, 'server.mjs'), blocks(text, 'js')[0] ?? '');
    const env = {
      ...process.env,
      HOLDFAST_URL: world.baseUrl,
      HOLDFAST_ACCOUNT_ID: account,
      HOLDFAST_PROJECT: 'hello',
      HOLDFAST_ENVIRONMENT: 'development',
      HOLDFAST_API_KEY: apiKey,
    };
    const addresses = await Promise.all([startOne(env), startOne(env)]);
    const patch = /-d '(\{"ops".*\})'/.exec(text)?.[1] ?? '';
    await write(JSON.parse(patch), 'PATCH', { 'If-Match': '"1"' });
    for (const address of addresses) {
      await expect.poll(async () => (await fetch(`${address}/motd`)).text()).toBe('Double gold today\n');
    }
    const counts = await Promise.all(
      Array.from({ length: 20 }, async (_, n) =>
        Number(await (await fetch(`${addresses[n % 2]}/bosses`, { method: 'POST' })).text()),
      ),
    );
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  }, 60_000);

  it('gives gold to a player during play, and nothing is lost', async () => {
    const { account, developer } = await prepare(page('godot'), 'http://127.0.0.1:8976/callback');
    writeFileSync(join(folder, 'give.mjs'), blocks(page('game-server'), 'js')[1] ?? '');
    const accessToken = await world.server.running.accessTokens.signPlayerToken({
      accountId: account,
      slug: 'hello',
      environment: 'development',
      userId: 'player 1',
      seconds: 900,
    });
    const place = { baseUrl: world.baseUrl, accountId: account, project: 'hello', environment: 'development' } as const;
    const { userState } = createClient<{ userState: { gold: number } }>({ ...place, auth: { accessToken } });
    await userState.update(() => undefined, { initial: { gold: 0 } });
    const env = {
      ...process.env,
      HOLDFAST_URL: world.baseUrl,
      HOLDFAST_ACCOUNT_ID: account,
      HOLDFAST_DEVELOPER_TOKEN: developer.token,
    };
    let isGiven = false;
    const given = once(
      spawn(process.execPath, ['give.mjs', 'player 1', '100'], { cwd: folder, env, stdio: 'inherit' }),
      'exit',
    );
    void given.then(() => {
      isGiven = true;
    });
    let earned = 0;
    for (; !isGiven; earned++) {
      await userState.update((draft) => {
        draft.gold += 1;
      });
    }
    expect((await given)[0]).toBe(0);
    expect((await userState.get())?.state.gold).toBe(100 + earned);
  }, 60_000);

  /** Starts the server of the page, and returns its address. */
  async function startOne(env: NodeJS.ProcessEnv): Promise<string> {
    const started = spawn(process.execPath, ['server.mjs'], {
      cwd: folder,
      env: { ...env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.push(started);
    const exited = once(started, 'exit').then(() => Promise.reject(new Error('the server ended')));
    exited.catch(() => {});
    const port = (async () => {
      for await (const line of createInterface({ input: started.stdout }))
        if (line.startsWith('port ')) return line.slice(5);
      return '';
    })();
    return `http://127.0.0.1:${await Promise.race([port, exited])}`;
  }
});
