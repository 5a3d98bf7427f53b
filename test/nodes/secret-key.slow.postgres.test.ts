/** Nodes that change their secret key one after the other, without downtime. @see docs/install.md "Changing the secret key" */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { leaseDatabase } from '../../packages/server/src/storage/postgres/fixtures/leases.fixture.ts';
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

const [old, next] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];

let key: IssuerKey;
let provider: LoopbackIssuer;
let database: Awaited<ReturnType<typeof leaseDatabase>>;
let folder: string;
let ports: readonly [number, number];
const nodes: ServerProcess[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-secret-key-'));
  key = await newIssuerKey('ES256', 'provider-key');
  provider = await startLoopbackIssuer([key.publicJwk]);
  database = await leaseDatabase();
  ports = [await freePort(), await freePort()];
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await provider?.stop();
  await database?.release();
  rmSync(folder, { recursive: true, force: true });
});

const settingsOf = (secretKey: string, other?: string) => ({
  SVC_DATABASE_URL: database.url,
  SVC_DATABASE_CONNECTIONS: '4',
  SVC_BASE_URL: `http://127.0.0.1:${ports[0]}`,
  SVC_IDP_ISSUER: provider.issuer,
  SVC_IDP_AUDIENCE: audience,
  SVC_SECRET_KEY: secretKey,
  ...(other !== undefined && { SVC_SECRET_KEY_OTHER: other }),
});

/** Restarts a node with these keys. */
async function start(index: 0 | 1, secretKey: string, other?: string): Promise<void> {
  await nodes[index]?.stop();
  const options = { dataDir: join(folder, String(index)), port: ports[index] };
  nodes[index] = await startServerProcess({ ...options, env: settingsOf(secretKey, other) });
}

async function run(settings: Readonly<Record<string, string>>, ...args: string[]): Promise<unknown> {
  const env = serverEnvironment({ SVC_DATA_DIR: join(folder, 'command'), ...settings });
  return JSON.parse((await promisify(execFile)(process.execPath, [holdfastCommand, ...args, '--json'], { env })).stdout);
}

const post = (node: ServerProcess | undefined, path: string, form: Readonly<Record<string, string>>, repeat?: string) =>
  call(node?.baseUrl ?? '', 'POST', path, {
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(repeat !== undefined && { 'Idempotency-Key': repeat }),
    },
    body: new URLSearchParams(form).toString(),
  });

async function signIn(): Promise<TokenSet> {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: provider.issuer, aud: audience, sub: 'ada', iat, exp: iat + 3_600 };
  const idToken = await signIdToken(key, { ...claims, firebase: { sign_in_provider: 'password' } });
  const answer = await post(nodes[0], '/v1/auth/authorize/callback', {
    client_id: 'svc-developer',
    redirect_uri: developerUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    idp_id_token: idToken,
  });
  const code = new URL(answer.headers.location ?? '').searchParams.get('code') ?? '';
  const form = { client_id: 'svc-developer', code_verifier: verifier, redirect_uri: developerUri };
  const tokens = await post(nodes[0], '/v1/auth/token', { grant_type: 'authorization_code', code, ...form });
  expect(tokens.status, tokens.text).toBe(200);
  return tokens.json as TokenSet;
}

test('two nodes change the secret key, one after the other, and no session ends', async () => {
  await start(0, old);
  await start(1, old, next);
  let { refresh_token: refreshToken } = await signIn();
  let refreshes = 0;

  /** One node's response to a refresh is lost. The other returns the same token, and the first accepts the access token. */
  async function refreshAtBoth(): Promise<void> {
    for (const [one, other] of [nodes, [...nodes].reverse()]) {
      const form = { grant_type: 'refresh_token', client_id: 'svc-developer', refresh_token: refreshToken };
      const repeat = `exchange-number-${++refreshes}`;
      const lost = await post(one, '/v1/auth/token', form, repeat);
      const again = await post(other, '/v1/auth/token', form, repeat);
      expect([lost.status, again.status], again.text).toEqual([200, 200]);
      const tokens = again.json as TokenSet;
      expect((lost.json as TokenSet).refresh_token).toBe(tokens.refresh_token);
      refreshToken = tokens.refresh_token;
      const headers = { Authorization: `Bearer ${tokens.access_token}` };
      expect((await call(one?.baseUrl ?? '', 'GET', '/v1/developer/accounts', { headers })).status).toBe(200);
    }
  }

  await start(0, next, old);
  await refreshAtBoth(); // the other node still seals with the old key
  await run(settingsOf(next, old), 'keys', 'rotate'); // sealed with the new key; the other node signs with it
  await refreshAtBoth();
  await start(1, next, old);
  await refreshAtBoth();
  const resealed = await run(settingsOf(next, old), 'secret-key', 'reseal');
  expect(resealed).toMatchObject({ resealed: 1, sealedByOther: 0, unopened: 0 });
  await start(0, next);
  await start(1, next);
  await refreshAtBoth();
});
