/** Follows the tutorials as a reader does: writes their code blocks to files, runs and opens them, and sends their requests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@holdfast/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeBlocks } from '../../tooling/code-blocks.ts';
import { createFormClient, signUpByForms } from '../../tooling/forms.ts';
import { password } from '../login/stage.ts';
import { type LoginWorld, openLoginWorld } from '../login/world.ts';

const root = join(import.meta.dirname, '../..');
const page = (name: string) => readFileSync(join(root, 'docs/tutorials', `${name}.md`), 'utf8');

let world: LoginWorld;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-tutorials-'));
  cpSync(join(root, 'packages/client/bundle/client.js'), join(folder, 'client.mjs'));
  world = await openLoginWorld();
});
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
    const back = 'http://127.0.0.1:8976/callback';
    const { developer, account, publishableKey, write } = await prepare(page('unity'), back); // the setup of both
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
    const requests = codeBlocks(page('unity'), 'http'); // the requests of both programs
    expect(requests).toHaveLength(7);
    for (const request of requests) {
      const answer = await sendBlock(request.replaceAll(/\{(\w+)\}/g, (whole, variable) => known[variable] ?? whole));
      if (typeof answer === 'object' && answer !== null) Object.assign(known, answer);
    }
  });

  it('are those of its program', () => {
    const file = name === 'godot' ? 'examples/godot/holdfast.gd' : 'examples/unity/Holdfast.cs';
    expect(page(name)).toContain(file);
    const program = readFileSync(join(root, file), 'utf8');
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

describe('the game server', () => {
  const running: ChildProcess[] = [];
  afterAll(() => {
    for (const one of running) one.kill();
  });

  it('works as the page promises: a setting that changes, and a counter that loses nothing', async () => {
    const text = page('game-server');
    const { account, apiKey, write } = await prepare(page('unity'), 'http://127.0.0.1:8976/callback');
    await write({ state: {} });
    writeFileSync(join(folder, 'server.mjs'), codeBlocks(text, 'js')[0] ?? '');
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
  });

  it('gives gold to a player during play, and nothing is lost', async () => {
    const { account, developer } = await prepare(page('unity'), 'http://127.0.0.1:8976/callback');
    const text = page('game-server');
    writeFileSync(join(folder, 'give.mjs'), codeBlocks(text, 'js')[1] ?? '');
    const body = JSON.parse(/-d '(\{"name":"gifts".*\})'/.exec(text)?.[1] ?? '');
    const made = await world.server.call('POST', `/v1/${account}/service-accounts`, { headers: developer.bearer, body });
    expect(made.status).toBe(201);
    writeFileSync(join(folder, 'server.json'), made.text);
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
  });

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
