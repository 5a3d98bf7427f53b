/** Servers of one store that are killed repeatedly, an identity provider, and a project that allows guests. */

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { startPostgres } from '../../packages/server/src/storage/postgres/fixtures/cluster.fixture.ts';
import { createAccount, projectPath, signInSettings } from '../../tooling/credentials.ts';
import type { Engine } from '../../tooling/database.ts';
import type { GuestClient } from '../../tooling/guest.ts';
import { type IssuerKey, newIssuerKey, signIdToken, startLoopbackIssuer } from '../../tooling/loopback-issuer.ts';
import {
  runCommand,
  type ServerProcess,
  startedDespiteDatabase,
  startServerProcess,
} from '../../tooling/server-process.ts';

const audience = 'holdfast-torture';
export const redirectUri = 'https://app.example/signed-in';
/** A verifier and its challenge. @see RFC 7636 appendix B */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
/** Pause between two attempts at a request without a response. */
const againMilliseconds = 15;
const patienceMilliseconds = 180_000;

export interface Answer {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
  /** Whether an earlier attempt got no response, and may therefore have been applied. */
  readonly isRepeated: boolean;
}

interface Sent {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly form?: Readonly<Record<string, string>>;
}

export interface PlayerStage {
  /** The environment of the guests. */
  readonly place: GuestClient;
  /** The path of the project. */
  readonly project: string;
  readonly developerToken: string;
  /** Sends a request, to any of the servers, until one responds; rejects if none does for three minutes. */
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
  /** Sends a request once. Undefined: there was no response. */
  sendOnce(method: string, path: string, sent?: Sent): Promise<Answer | undefined>;
  readonly baseUrls: readonly string[];
  /** How many requests have been answered. */
  answered(): number;
  /** Signs an identity in for an app's request, like the login page, and returns the address that leads back to the app. */
  signIn(subject: string, request?: Readonly<Record<string, string>>): Promise<string>;
  /** Signs an identity in and returns its code. */
  codeOf(subject: string): Promise<string>;
  /** The form that exchanges a code. */
  exchange(code: string): Record<string, string>;
  /** Stops and restarts a server. Resolves when it is ready. */
  restart(index: number, how: 'stop' | 'kill'): Promise<void>;
  /** Runs an operator command beside the servers. */
  command(...args: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Starts everything: one server with the embedded engine, or two over PostgreSQL. */
export async function openPlayerStage(engine: Engine, folder: string): Promise<PlayerStage> {
  const ends: (() => unknown)[] = [];
  const close = async () => {
    for (const end of ends.reverse()) await end();
  };
  try {
    return { ...(await open(engine, folder, ends)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(engine: Engine, folder: string, ends: (() => unknown)[]): Promise<Omit<PlayerStage, 'close'>> {
  const key = await newIssuerKey('ES256', 'provider-key');
  const provider = await startLoopbackIssuer([key.publicJwk]);
  ends.push(() => provider.stop());
  const ports = await Promise.all(Array.from({ length: engine === 'embedded' ? 1 : 2 }, freePort));
  const baseUrl = `http://127.0.0.1:${ports[0]}`;
  const env: Record<string, string> = {
    SVC_BASE_URL: baseUrl,
    SVC_SECRET_KEY: randomBytes(32).toString('base64'),
    SVC_IDP_ISSUER: provider.issuer,
    SVC_IDP_AUDIENCE: audience,
    SVC_GUESTS_PER_HOUR: '0',
    SVC_REFRESH_REPLAY_GRACE_SECONDS: '0',
    SVC_LOG_LEVEL: 'error',
  };
  if (engine === 'postgresql') {
    const cluster = await startPostgres();
    ends.push(() => cluster.dispose());
    env.SVC_DATABASE_URL = await cluster.createDatabase();
  }
  const start = (port: number) => startedDespiteDatabase(() => startServerProcess({ dataDir: folder, port, env }));
  const servers: ServerProcess[] = [];
  ends.push(() => Promise.all(servers.map((server) => server.kill())));
  for (const port of ports) servers.push(await start(port));

  const { accountId, slug, developerToken } = await createAccount(folder, { baseUrl }, env);
  const project = projectPath({ accountId, slug });
  const clientId = `${accountId}.${slug}`;
  const baseUrls = servers.map((server) => server.baseUrl);
  const requests = requestsTo(baseUrls);
  await setUp(requests.send, project, developerToken);
  const account = await requests.send('GET', `/v1/${accountId}`, { token: developerToken });
  const people = { key, issuer: provider.issuer, tenant: account.json.idpTenantId, clientId, send: requests.send };
  const signIn: PlayerStage['signIn'] = (subject, request = {}) => signInAs(people, subject, request);
  return {
    ...requests,
    place: { baseUrl, clientId, scope: 'env:production' },
    project,
    developerToken,
    baseUrls,
    signIn,
    async codeOf(subject) {
      const code = new URL(await signIn(subject)).searchParams.get('code');
      if (code === null) throw new Error(`no code for ${subject}`);
      return code;
    },
    exchange: (code) => ({
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    }),
    async restart(index, how) {
      const code = await servers[index]?.[how]();
      if (how === 'stop' && code !== 0) throw new Error(`a server ended with ${code}: ${servers[index]?.output()}`);
      servers[index] = await start(ports[index] as number);
    },
    async command(...args) {
      await runCommand(args, folder, env);
    },
  };
}

interface People {
  readonly key: IssuerKey;
  readonly issuer: string;
  readonly tenant: unknown;
  readonly clientId: string;
  readonly send: PlayerStage['send'];
}

/** Posts an identity like the login page, and returns the address that it redirects to. */
async function signInAs(people: People, subject: string, request: Readonly<Record<string, string>>): Promise<string> {
  const { key, issuer, tenant, clientId, send } = people;
  const iat = Math.floor(Date.now() / 1000);
  const firebase = { tenant, sign_in_provider: 'password' };
  const email = `${subject}@example.com`;
  const claims = { iss: issuer, aud: audience, sub: subject, iat, exp: iat + 600, firebase, email };
  const form = {
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'state',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    scope: 'env:production',
    ...request,
    idp_id_token: await signIdToken(key, claims),
  };
  const { status, headers, json } = await send('POST', '/v1/auth/authorize/callback', { form });
  const location = headers.get('location');
  if (location === null) throw new Error(`${subject} cannot sign in: ${status} ${JSON.stringify(json)}`);
  return location;
}

/** Allows guests, and keeps every version of every user state. */
async function setUp(send: PlayerStage['send'], project: string, token: string): Promise<void> {
  const body = signInSettings({
    redirectUris: [redirectUri],
    allowedIdps: ['password', 'anonymous'],
    userStateHistory: { versions: 1000, days: 400 },
  });
  const { status, json } = await send('PUT', `${project}/auth/end-user/config`, { token, body });
  if (status !== 200) throw new Error(`cannot set sign-in up: ${status} ${JSON.stringify(json)}`);
}

/** A request to a killed or unavailable server is sent to the next one. */
function requestsTo(baseUrls: readonly string[]): Pick<PlayerStage, 'send' | 'sendOnce' | 'answered'> {
  let next = 0;
  let answered = 0;
  const sendOnce: PlayerStage['sendOnce'] = async (method, path, { token, headers = {}, body, form } = {}) => {
    const init: RequestInit = {
      method,
      redirect: 'manual',
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(form !== undefined && { body: new URLSearchParams(form) }),
    };
    try {
      const response = await fetch(`${baseUrls[next++ % baseUrls.length]}${path}`, init);
      const text = await response.text();
      if (response.status === 503) return undefined;
      answered++;
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      return {
        status: response.status,
        json: isJson ? JSON.parse(text) : {},
        headers: response.headers,
        isRepeated: false,
      };
    } catch {
      return undefined;
    }
  };
  return {
    sendOnce,
    answered: () => answered,
    async send(method, path, sent) {
      const deadline = performance.now() + patienceMilliseconds;
      for (let attempt = 0; performance.now() < deadline; attempt++) {
        const answer = await sendOnce(method, path, sent);
        if (answer !== undefined) return { ...answer, isRepeated: attempt > 0 };
        await sleep(againMilliseconds);
      }
      throw new Error(`${method} ${path} has had no answer for three minutes`);
    },
  };
}
