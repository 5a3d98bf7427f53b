/** A running OpenID Connect provider with a page on which a person agrees or cancels. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { answeringWith } from '../../tooling/answering.ts';

export interface Upstream {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  stop(): Promise<void>;
}

export interface UpstreamOptions {
  readonly redirectUri?: string;
  readonly redirectUris?: readonly string[];
  readonly clientId?: string;
  /** The person who agrees; Ada by default. */
  readonly subject?: () => string;
  /** Claims for every person. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Called with the parameters of every authorization request. */
  readonly onRequest?: (parameters: Readonly<Record<string, string>>) => void;
}

/** Starts the provider. */
export async function startUpstream(options: UpstreamOptions): Promise<Upstream> {
  const { redirectUri, redirectUris = [redirectUri ?? ''], clientId = 'holdfast-at-upstream', claims = {} } = options;
  const clientSecret = 'a secret of thirty-two characters';
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'upstream', alg: 'RS256', use: 'sig' };
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [...redirectUris] }],
    jwks: { keys: [key] },
    claims: { openid: ['sub', ...Object.keys(claims)], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['cookies of the upstream provider'] },
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 3600, Interaction: 60, Session: 60 },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, email: 'ada@upstream.example', email_verified: true, name: 'Ada', ...claims }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const toProvider = provider.callback();
  const toPerson = answeringWith((request, response) => interact(provider, request, response, options));
  handle = (request, response) => (request.url?.startsWith('/interaction/') ? toPerson : toProvider)(request, response);
  return {
    issuer,
    clientId,
    clientSecret,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  { onRequest, subject = () => 'ada' }: UpstreamOptions,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  if (request.method === 'GET') {
    onRequest?.(params);
    response.setHeader('Content-Type', 'text/html');
    response.end(
      '<form method="post"><button name="choice" value="agree">Agree</button><button name="choice" value="cancel">Cancel</button></form>',
    );
    return;
  }
  let body = '';
  for await (const piece of request) body += piece;
  const isAgreed = body.includes('agree');
  const result = isAgreed
    ? { login: { accountId: subject() } }
    : { error: 'access_denied', error_description: 'cancelled' };
  await provider.interactionFinished(request, response, result as { login: { accountId: string } });
}
