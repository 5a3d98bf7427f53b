/** A real OpenID Connect provider with this service as a client, and a browser's steps to it and back. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { answeringWith } from '../../tooling/answering.ts';

interface UpstreamPerson {
  readonly subject: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly name?: string;
  /** Further claims of the ID token, such as `firebase`. */
  readonly firebase?: Readonly<Record<string, unknown>>;
}

export interface UpstreamClientSettings {
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
  readonly redirectUri: string;
  readonly authentication?: 'client_secret_basic' | 'client_secret_post' | 'none';
}

export interface UpstreamProvider {
  readonly issuer: string;
  /** The next person to sign in; null declines. */
  person: UpstreamPerson | null;
  /** Makes the provider sign with a new key from now on, and publish only that one. */
  rotate(): Promise<void>;
  /** Number of requests for its keys. */
  readonly asked: { keys: number };
  /** Follows redirects from an address of the provider until they leave it, and returns the final address. */
  browse(start: string): Promise<URL>;
  stop(): Promise<void>;
}

/** Starts a provider that knows these clients. */
export async function startUpstreamProvider(clients: readonly UpstreamClientSettings[]): Promise<UpstreamProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer((request, response) => handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, UpstreamPerson>();
  const upstream: UpstreamProvider = {
    issuer,
    person: null,
    asked: { keys: 0 },
    browse,
    async rotate() {
      rotations += 1;
      provider = await newProvider(issuer, clients, people, `upstream-key-${rotations}`);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  let rotations = 0;
  let provider = await newProvider(issuer, clients, people, 'upstream-key');
  const toPerson = answeringWith((request, response) => {
    const { person } = upstream;
    if (person !== null) people.set(person.subject, person);
    const result = person === null ? { error: 'access_denied' } : { login: { accountId: person.subject } };
    return provider.interactionFinished(request, response, result as { login: { accountId: string } });
  });
  handle = (request, response) => {
    if (request.url?.startsWith('/jwks')) upstream.asked.keys += 1;
    if (request.url?.startsWith('/interaction/')) toPerson(request, response);
    else provider.callback()(request, response);
  };
  return upstream;
}

async function newProvider(
  issuer: string,
  clients: readonly UpstreamClientSettings[],
  people: ReadonlyMap<string, UpstreamPerson>,
  kid: string,
): Promise<Provider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return new Provider(issuer, {
    clients: clients.map(({ clientId, clientSecret, redirectUri, authentication }) => ({
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: authentication ?? (clientSecret === undefined ? 'none' : 'client_secret_basic'),
    })),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }] },
    claims: { openid: ['sub', 'firebase'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['cookies of the test'] },
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 3600, Interaction: 60, Session: 60 },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, subject) => {
      const person = people.get(subject);
      return person && { accountId: subject, claims: () => claimsOf(person) };
    },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
}

function claimsOf({ subject, email, emailVerified = true, name, firebase }: UpstreamPerson) {
  return {
    sub: subject,
    ...(firebase && { firebase }),
    ...(email !== undefined && { email, email_verified: emailVerified }),
    ...(name !== undefined && { name }),
  };
}

/** Each call acts as a new browser, without cookies. */
async function browse(start: string): Promise<URL> {
  const cookies = new Map<string, string>();
  const { origin } = new URL(start);
  for (let url = new URL(start); ; ) {
    if (url.origin !== origin) return url;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { Cookie: cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) as unknown as [string, string, string];
      cookies.set(name, value);
    }
    const location = response.headers.get('Location');
    if (location === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
    url = new URL(location, url);
  }
}
