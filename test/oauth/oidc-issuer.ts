/** A real OpenID Connect provider on a free loopback port, and a login page's path to its ID tokens. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import Provider from 'oidc-provider';
import * as client from 'openid-client';
import { answeringWith } from '../../tooling/answering.ts';

/** The provider's client ID for the service, and the audience of ID tokens. */
export const audience = 'holdfast';
const loginPageUri = 'https://login.example/return';

/** The person who signs in, with the provider's data. */
export interface Person {
  readonly subject: string;
  readonly tenant?: string;
  readonly provider?: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly name?: string;
}

export interface OidcIssuer {
  readonly issuer: string;
  /** Runs an authorization code flow at the provider and returns the ID token. */
  signIn(person: Person): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the provider. */
export async function startOidcIssuer(): Promise<OidcIssuer> {
  const people = new Map<string, Person>();
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer((request, response) => handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const provider = newProvider(issuer, await newKey(), people);
  const toProvider = provider.callback();
  const toPerson = answeringWith((request, response) => logIn(provider, request, response));
  handle = (request, response) => (request.url?.startsWith('/interaction/') ? toPerson : toProvider)(request, response);

  let configuration: Promise<client.Configuration> | undefined;
  return {
    issuer,
    async signIn(person) {
      people.set(person.subject, person);
      configuration ??= client.discovery(new URL(issuer), audience, undefined, client.None(), {
        execute: [client.allowInsecureRequests],
      });
      return idTokenOf(await configuration, person.subject);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: 'provider-key', alg: 'RS256', use: 'sig' };
}

function newProvider(issuer: string, key: JWK, people: ReadonlyMap<string, Person>): Provider {
  return new Provider(issuer, {
    clients: [{ client_id: audience, redirect_uris: [loginPageUri], token_endpoint_auth_method: 'none' }],
    jwks: { keys: [key] },
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

function claimsOf({ subject, tenant, provider, email, emailVerified = true, name }: Person) {
  const firebase = {
    ...(tenant !== undefined && { tenant }),
    ...(provider !== undefined && { sign_in_provider: provider }),
  };
  return {
    sub: subject,
    firebase,
    ...(email !== undefined && { email, email_verified: emailVerified }),
    ...(name !== undefined && { name }),
  };
}

/** The provider's own login page, which signs in the person from the hint. */
async function logIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  await provider.interactionFinished(request, response, { login: { accountId: params.login_hint as string } });
}

async function idTokenOf(configuration: client.Configuration, subject: string): Promise<string> {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const start = client.buildAuthorizationUrl(configuration, {
    redirect_uri: loginPageUri,
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    login_hint: subject,
  });
  const returned = await browse(start);
  const tokens = await client.authorizationCodeGrant(configuration, returned, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
  return tokens.id_token as string;
}

/** Follows redirects with cookies, as a browser does, until they leave the provider. */
async function browse(start: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  for (let url = start; ; ) {
    if (url.origin !== start.origin) return url;
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
