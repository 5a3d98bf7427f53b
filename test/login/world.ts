/** A server with its built-in identity provider, an app that receives the redirects, and the mails to its users. */

import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import type { ServeOptions } from '../../packages/server/src/main.ts';
import { type Mail, mailCount, mailTo } from '../../tooling/outbox.ts';
import type { Place } from '../support/place.ts';
import { type Developer, startServer, type TestServer } from '../support/server.ts';

const verifier = randomBytes(32).toString('base64url');
const challenge = hash('sha256', verifier, 'base64url');

export interface LoginClient {
  readonly clientId: string;
  readonly developer: Developer;
  readonly scope: string | undefined;
}

export interface LoginWorld {
  readonly server: TestServer;
  readonly baseUrl: string;
  /** The address where the app receives the code. */
  readonly appUri: string;
  /** Moves the clock of the server. */
  pass(milliseconds: number): void;
  /** A project with sign-in. */
  newClient(settings?: Readonly<Record<string, unknown>>, name?: string): Promise<LoginClient>;
  /** Configures an identity provider of the account. */
  putProvider(client: LoginClient, providerId: string, body: Readonly<Record<string, unknown>>): Promise<void>;
  /** The authorization URL of an app; without a client, that of the developers. */
  authorizeUrl(client?: LoginClient, changes?: Readonly<Record<string, string>>, path?: string): string;
  /** The newest mail to an address. Waits for it, since mails leave after the answer. */
  mailTo(address: string, after?: number): Promise<Mail>;
  mailCount(address: string): number;
  /** Redeems the code in the redirect, and returns the claims of the access token. */
  redeem(returned: string, client?: LoginClient): Promise<Readonly<Record<string, unknown>>>;
  stop(): Promise<void>;
}

/** Starts the server under the name `localhost`, since browsers do not accept passkeys for an IP address. */
export async function openLoginWorld(
  settings: Readonly<Record<string, string>> = {},
  place?: Place,
  hashing: Pick<ServeOptions, 'argon2id'> = {},
): Promise<LoginWorld> {
  const app = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(request.url?.startsWith('/callback') ? '<!doctype html><title>The app</title><h1>The app</h1>' : '');
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  const appUri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
  const port = Number(settings.SVC_PORT ?? (await freePort()));
  let passed = 0;
  const server = await startServer({
    now: () => Date.now() + passed,
    ...hashing,
    ...(place && { place }),
    settings: {
      SVC_PORT: String(port),
      SVC_BASE_URL: `http://localhost:${port}`,
      SVC_DEVELOPER_REDIRECT_URIS: appUri,
      SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0',
      SVC_IDP_PRIVATE_ADDRESSES: 'allowed',
      ...settings,
    },
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  const { dataDir } = server.place;
  return {
    server,
    baseUrl: server.baseUrl,
    appUri,
    pass: (milliseconds) => {
      passed += milliseconds;
    },
    ...clientSteps(server, baseUrl, appUri),
    mailCount: (address) => mailCount(dataDir, address),
    mailTo: (address, after) => mailTo(dataDir, address, after),
    async stop() {
      await server.stop();
      app.closeAllConnections();
      app.close();
    },
  };
}

function clientSteps(server: TestServer, baseUrl: string, appUri: string) {
  const send = async (method: string, path: string, developer: Developer, body: unknown) => {
    const headers = { ...developer.bearer, 'Content-Type': 'application/json' };
    const answer = await fetch(`${baseUrl}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  };
  const newClient: LoginWorld['newClient'] = async (settings = {}, name = 'Sea of Glass') => {
    const developer = await server.newDeveloper();
    const slug = 'game';
    await send('POST', `/v1/${developer.accountId}/projects`, developer, { slug, name });
    await send('PUT', `/v1/${developer.accountId}/projects/${slug}/auth/end-user/config`, developer, {
      enabled: true,
      redirectUris: [appUri],
      allowedIdps: ['password'],
      logoData: null,
      logoMediaType: null,
      primaryColor: '#3b5bdb',
      surfaceColor: null,
      bgColor: null,
      ...settings,
    });
    return { clientId: `${developer.accountId}.${slug}`, developer, scope: 'env:production' };
  };
  const putProvider: LoginWorld['putProvider'] = ({ developer }, providerId, body) =>
    send('PUT', `/v1/${developer.accountId}/identity-providers/${providerId}`, developer, body);
  const authorizeUrl: LoginWorld['authorizeUrl'] = (client, changes = {}, path = '/authorize') => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client?.clientId ?? 'svc-developer',
      redirect_uri: appUri,
      state: 'state of the app',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...(client?.scope !== undefined && { scope: client.scope }),
      ...changes,
    });
    return `${server.baseUrl}${path}?${query}`;
  };
  const redeem: LoginWorld['redeem'] = async (returned, client) => {
    const { searchParams } = new URL(returned);
    const isBack = returned.startsWith(appUri) && searchParams.get('state') === 'state of the app';
    if (!isBack) throw new Error(`the browser is not back at the app, but at ${returned}`);
    const answer = await fetch(`${baseUrl}/v1/auth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: client?.clientId ?? 'svc-developer',
        code: searchParams.get('code') ?? `none: ${searchParams.get('error_description')}`,
        code_verifier: verifier,
        redirect_uri: appUri,
      }),
    });
    const { access_token } = (await answer.json()) as { readonly access_token?: string };
    if (access_token === undefined) throw new Error(`${answer.status} for the code of ${returned}`);
    const [, payload = ''] = access_token.split('.');
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Readonly<Record<string, unknown>>;
  };
  return { newClient, putProvider, authorizeUrl, redeem };
}
