/** The example app against a real service: sign-in by the page forms, refresh and logout by the app's buttons. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { createFormClient } from '../../tooling/forms.ts';
import { type LoginWorld, openLoginWorld } from './world.ts';

const program = join(import.meta.dirname, '../../examples/sign-in/main.mjs');
const password = 'correct horse battery';
let world: LoginWorld;
let home: string;
let port: number;
beforeAll(async () => {
  port = await freePort();
  home = `http://127.0.0.1:${port}`;
  world = await openLoginWorld({ SVC_DEVELOPER_REDIRECT_URIS: `${home}/callback` });
});
afterAll(() => world.stop());

/** Runs the app during `work`. */
async function withApp(env: Readonly<Record<string, string>>, options: readonly string[], work: () => Promise<void>) {
  const app: ChildProcess = spawn(process.execPath, [program, ...options], {
    env: { ...process.env, PORT: String(port), HOLDFAST_URL: world.baseUrl, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await Promise.race([once(app.stdout as NodeJS.ReadableStream, 'data'), once(app, 'exit')]);
    expect(String(line)).toBe(`Open ${home}\n`);
    await work();
  } finally {
    if (app.exitCode === null && app.kill()) await once(app, 'exit');
  }
}

const ask = async (path: string, method = 'GET') => {
  const answer = await fetch(`${home}${path}`, { method, redirect: 'manual' });
  return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
};

/** Completes the app's sign-in with a new user; returns the app's page that shows the tokens. */
async function signInAtApp(address: string): Promise<string> {
  const form = createFormClient(world.baseUrl);
  const { location } = await ask('/sign-in');
  const signUp = await form.get(location.replace('/authorize?', '/authorize/sign-up?'));
  const sent = await form.send(signUp, '/authorize/sign-up', { email: address, password });
  const confirmation = await form.get(sent.location ?? '');
  const { code = '' } = await world.mailTo(address);
  const next = await form.send(confirmation, '/authorize/confirm', { code });
  const back = await form.send(next, '/v1/auth/authorize/callback', {});
  expect(back.location?.startsWith(`${home}/callback?code=`), back.text).toBe(true);
  expect(await ask((back.location ?? '').slice(home.length))).toMatchObject({ status: 303, location: '/' });
  return (await ask('/')).text;
}

async function expectRound(address: string, role: string): Promise<void> {
  expect((await ask('/')).text).toContain('Nobody is signed in');
  const { location } = await ask('/sign-in');
  expect(location.startsWith(`${world.baseUrl}/authorize?`)).toBe(true);
  expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: `${home}/callback`,
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect((await ask('/callback?state=of-somebody-else&code=x')).status).toBe(400);
  const first = await signInAtApp(address);
  expect(first).toContain(`svc_role&#34;: &#34;${role}`);
  expect(await ask('/refresh', 'POST')).toMatchObject({ status: 303, location: '/' });
  const second = (await ask('/')).text;
  expect(second).toContain(`svc_role&#34;: &#34;${role}`);
  expect(second).not.toBe(first);
  expect((await ask('/log-out', 'POST')).status).toBe(303);
  expect((await ask('/')).text).toContain('Nobody is signed in');
}

describe('the example app', () => {
  it('signs a developer in, refreshes, and logs out', async () => {
    await withApp({}, [], () => expectRound('developer@mail.example', 'developer'));
  });

  it('switches sign-in on for a project, and signs a player in', async () => {
    const { developer } = await world.newClient({ enabled: false, allowedIdps: [] });
    const env = {
      HOLDFAST_ACCOUNT_ID: developer.accountId,
      HOLDFAST_PROJECT: 'game',
      HOLDFAST_DEVELOPER_TOKEN: developer.token,
    };
    await withApp(env, ['--player'], () => expectRound('player@mail.example', 'end_user'));
  });
});
