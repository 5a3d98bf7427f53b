/** An OpenID Connect issuer with any chosen fault: discovery and keys over real HTTP, arbitrary signed tokens. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

export interface IssuerKey {
  readonly algorithm: string;
  readonly publicJwk: JWK;
  readonly privateKey: CryptoKey;
}

export interface LoopbackIssuer {
  readonly issuer: string;
  /** Published keys; change the list to rotate. */
  readonly keys: JWK[];
  /** Number of requests for discovery and keys. */
  readonly asked: { discovery: number; jwks: number };
  /** Metadata members that are added to, or replace, the correct ones. */
  metadata: Readonly<Record<string, unknown>>;
  /** Sends another response, or returns false for the correct one. */
  disturb: (path: string, response: ServerResponse) => boolean;
  stop(): Promise<void>;
}

/** Starts an issuer on a free loopback port. */
export async function startLoopbackIssuer(keys: JWK[]): Promise<LoopbackIssuer> {
  const server = createServer((request, response) => answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const asked = { discovery: 0, jwks: 0 };
  const state: LoopbackIssuer = {
    issuer,
    keys,
    asked,
    metadata: {},
    disturb: () => false,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const isDiscovery = request.url === '/.well-known/openid-configuration';
    asked[isDiscovery ? 'discovery' : 'jwks'] += 1;
    if (state.disturb(request.url ?? '', response)) return;
    const body = isDiscovery ? { issuer, jwks_uri: `${issuer}/jwks`, ...state.metadata } : { keys: state.keys };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
  }

  return state;
}

/** Makes a key pair with a key id. */
export async function newIssuerKey(algorithm: string, kid: string): Promise<IssuerKey> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return { algorithm, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' }, privateKey };
}

/** Signs any claims. Members of `header` are added to, or replace, the correct ones. */
export function signIdToken(
  key: IssuerKey,
  claims: JWTPayload,
  header: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.algorithm, kid: key.publicJwk.kid as string, ...header })
    .sign(key.privateKey);
}

/** Returns a token with any header and signature. */
export function unsignedToken(header: object, claims: object, signature = ''): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(claims)}.${signature}`;
}
