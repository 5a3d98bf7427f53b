/** Machines whose clocks are wrong. @see docs/install.md "Clocks" */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { leaseDatabase } from '../../packages/server/src/storage/postgres/fixtures/leases.fixture.ts';
import { clockAhead } from '../../tooling/clock-ahead.ts';
import {
  type IssuerKey,
  type LoopbackIssuer,
  newIssuerKey,
  signIdToken,
  startLoopbackIssuer,
} from '../../tooling/loopback-issuer.ts';
import {
  holdfastCommand,
  type ServerProcess,
  serverEnvironment,
  startServerProcess,
} from '../../tooling/server-process.ts';
import { audience, challenge, developerUri, type TokenSet, verifier } from '../oauth/world.ts';
import { call } from '../support/client.ts';

let key: IssuerKey;
let provider: LoopbackIssuer;
let folder: string;
let port: number;
const nodes: ServerProcess[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-clocks-'));
  key = await newIssuerKey('ES256', 'provider-key');
  provider = await startLoopbackIssuer([key.publicJwk]);
  port = await freePort();
});
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
});
afterAll(async () => {
  await provider?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const common = () => ({
  SVC_BASE_URL: `http://127.0.0.1:${port}`,
  SVC_IDP_ISSUER: provider.issuer,
  SVC_IDP_AUDIENCE: audience,
});

async function start(name: string, env: Readonly<Record<string, string>>, at = port): Promise<ServerProcess> {
  const node = await startServerProcess({ dataDir: join(folder, name), port: at, env: { ...common(), ...env } });
  nodes.push(node);
  return node;
}

const post = (node: ServerProcess, path: string, form: Readonly<Record<string, string>>) =>
  call(node.baseUrl, 'POST', path, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });

async function signIn(node: ServerProcess, sub: string): Promise<TokenSet> {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: provider.issuer, aud: audience, sub, iat, exp: iat + 3_600 };
  const idToken = await signIdToken(key, { ...claims, firebase: { sign_in_provider: 'password' } });
  const answer = await post(node, '/v1/auth/authorize/callback', {
    client_id: 'svc-developer',
    redirect_uri: developerUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    idp_id_token: idToken,
  });
  const code = new URL(answer.headers.location ?? '').searchParams.get('code') ?? '';
  const form = { client_id: 'svc-developer', code_verifier: verifier, redirect_uri: developerUri };
  const tokens = await post(node, '/v1/auth/token', { grant_type: 'authorization_code', code, ...form });
  expect(tokens.status, tokens.text).toBe(200);
  return tokens.json as TokenSet;
}

/** Refreshes at a node. Returns the next tokens, or undefined if the node rejects the refresh token. */
async function refresh(node: ServerProcess, { refresh_token }: TokenSet): Promise<TokenSet | undefined> {
  const form = { grant_type: 'refresh_token', client_id: 'svc-developer', refresh_token };
  const answer = await post(node, '/v1/auth/token', form);
  return answer.status === 200 ? (answer.json as TokenSet) : undefined;
}

interface Seen {
  readonly accountId: string;
  readonly createdAt: string;
  readonly audit: number;
}

/** Reads a developer's account, its audit trail, and a new project. */
async function see(node: ServerProcess, { access_token }: TokenSet): Promise<Seen> {
  const headers = { Authorization: `Bearer ${access_token}` };
  const accounts = await call(node.baseUrl, 'GET', '/v1/developer/accounts', { headers });
  expect(accounts.status, accounts.text).toBe(200);
  const [{ accountId }] = (accounts.json as { items: { accountId: string }[] }).items as [{ accountId: string }];
  const slug = `p-${randomBytes(4).toString('hex')}`;
  const created = await call(node.baseUrl, 'POST', `/v1/${accountId}/projects`, { headers, body: { slug } });
  expect(created.status, created.text).toBe(201);
  const trail = await call(node.baseUrl, 'GET', `/v1/${accountId}/audit?limit=100`, { headers });
  const { createdAt } = created.json as { createdAt: string };
  return { accountId, createdAt, audit: (trail.json as { items: unknown[] }).items.length };
}

test('over PostgreSQL a node with a clock 400 days ahead serves like the others, and removes nothing', {
  timeout: 180_000,
}, async () => {
  const database = await leaseDatabase();
  try {
    const env = {
      SVC_DATABASE_URL: database.url,
      SVC_SECRET_KEY: randomBytes(32).toString('base64'),
      SVC_METRICS_PORT: '0',
    };
    const right = await start('right', env);
    let tokens = await signIn(right, 'ada');
    const before = await see(right, tokens);
    const wrong = await start('ahead', { ...env, ...clockAhead(400) }, await freePort());
    await sleep(2_500); // for two of its sweeps
    for (const node of [wrong, right]) {
      const next = await refresh(node, tokens);
      expect(next, node === wrong ? 'the wrong node' : 'the right node').toBeDefined();
      tokens = next as TokenSet;
      const { createdAt, audit } = await see(node, tokens);
      expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(60_000);
      expect(audit).toBeGreaterThan(before.audit);
    }
    expect(wrong.output()).toContain('the clock of the database is ahead');
  } finally {
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
    await database.release();
  }
});

test('with the embedded store a clock that is ahead removes nothing until an operator confirms it', {
  timeout: 180_000,
}, async () => {
  const right = await start('embedded', clockAhead(0));
  let tokens = await signIn(right, 'bob');
  const { accountId } = await see(right, tokens);
  await sleep(2_500); // until the time is recorded
  await right.stop();
  const wrong = await start('embedded', clockAhead(400));
  await expect.poll(() => wrong.output()).toContain('the clock is more than a day ahead');
  expect(await refresh(wrong, tokens)).toBeUndefined();
  await wrong.stop();
  const again = await start('embedded', clockAhead(0));
  const next = await refresh(again, tokens);
  expect(next).toBeDefined();
  tokens = next as TokenSet;
  const seen = await see(again, tokens);
  expect([seen.accountId, seen.audit > 1]).toEqual([accountId, true]);
  await again.stop();

  const env = { SVC_DATA_DIR: join(folder, 'embedded'), ...common(), ...clockAhead(400) };
  const doctor = (...args: string[]) =>
    promisify(execFile)(process.execPath, [holdfastCommand, 'doctor', '--quick', ...args], {
      env: serverEnvironment(env),
    }).catch((error: { stdout: string }) => error);
  expect((await doctor()).stdout).toContain('the clock is 400 days ahead');
  expect((await doctor('--accept-clock')).stdout).not.toContain('days ahead');
  const believed = await start('embedded', clockAhead(400));
  await sleep(2_500);
  await believed.stop();
  const late = await start('embedded', clockAhead(0));
  expect(await refresh(late, tokens)).toBeUndefined();
});
