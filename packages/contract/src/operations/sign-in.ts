/** Sign-in for programs. */
import type { Operation } from '../operation.ts';
import { form, json, noContent, reading } from './shared.ts';

export const signInOperations = {
  readAuthorizeContext: {
    method: 'GET',
    path: '/v1/auth/authorize/context',
    tag: 'Sign-in',
    summary: 'Read the login page settings of a client',
    description:
      'For login pages: the name and colours of the project, and its allowed sign-in methods. Stores nothing and does not sign anyone in.',
    access: [],
    query: {
      client_id: {
        type: 'string',
        required: true,
        description: '`svc-developer`, or `{accountId}.{slug}`.',
        example: 'acc_4Zt9QmX2vKc7RbY1nLs8Wd.hello',
      },
      redirect_uri: {
        type: 'string',
        required: true,
        description: 'A registered redirect URI of the client.',
        example: 'https://hello.example.com/signed-in',
      },
      scope: {
        type: 'text',
        description: '`env:{environment}`; required for end-user clients.',
        example: 'env:production',
      },
    },
    success: { 200: { description: 'The context.', schema: 'AuthorizeContextBody' } },
    codes: ['validation_error', 'forbidden', 'not_found', 'rate_limited', 'service_unavailable'],
  },
  completeAuthorize: {
    method: 'POST',
    path: '/v1/auth/authorize/callback',
    tag: 'Sign-in',
    summary: 'Finish a hosted login and return to the client',
    description:
      'The login page sends the ID token of the identity provider here. The response redirects the browser to the redirect URI, with `code` and `state`, or with `error`; without a known client and redirect URI, it is an error page for the user.',
    access: [],
    audit: 'member.join',
    body: form('AuthorizeCallbackForm'),
    success: { 303: { description: 'Back to the redirect URI with `code` and `state`, or with `error`.' } },
    codes: ['forbidden', ...reading, 'rate_limited', 'service_unavailable'],
    otherErrors: { 400: 'page', 403: 'page' },
  },
  readInvitation: {
    method: 'POST',
    path: '/v1/auth/invitation',
    tag: 'Sign-in',
    summary: 'Read what an invitation offers',
    description:
      'For the page that an invitation link opens, before sign-in. The invitation is not used up. The token is in the body, so it appears in no address or log.',
    access: [],
    body: form('InvitationForm'),
    success: { 200: { description: 'The invitation, which is valid.', schema: 'InvitationBody' } },
    codes: ['validation_error', 'not_found', ...reading, 'rate_limited', 'service_unavailable'],
  },
  exchangeToken: {
    method: 'POST',
    path: '/v1/auth/token',
    tag: 'Sign-in',
    summary: 'Exchange a code, a refresh token, a guest assertion or a client secret for tokens',
    description: `The token endpoint of OAuth 2.0 (RFC 6749, with PKCE: RFC 7636).

- \`authorization_code\`: the code from the redirect, once, for an access token and a refresh token. With \`link_assertion\`, a guest signs up: the signed-in identity becomes the guest's.
- \`refresh_token\`: a refresh token, once, for the next access token and refresh token. Keep the new one; presenting one that was used before ends the whole session. With \`Idempotency-Key\`, an exchange whose response was lost can be repeated.
- \`urn:ietf:params:oauth:grant-type:jwt-bearer\` (RFC 7523): a guest assertion, once, for an access token. Its nonce is the \`Auth-Nonce\` of any response from this endpoint, or of \`GET /v1/auth/nonce\`.
- \`client_credentials\`: the id and a secret of a service account, for an access token that acts in its account. The secret comes in the form, or by HTTP Basic.

All errors have the form of RFC 6749: \`error\` and \`error_description\`.`,
    access: [],
    repeatable: 'refresh',
    namesClient: true,
    countsLate: true,
    body: form('TokenForm'),
    success: { 200: { description: 'The tokens.', schema: 'TokenBody', nonce: true } },
    codes: ['rate_limited', 'service_unavailable'],
    otherErrors: {
      400: 'token',
      401: 'token',
      403: 'token',
      409: 'token',
      417: 'token',
      429: 'token',
      500: 'token',
      503: 'token',
    },
  },
  readNonce: {
    method: 'GET',
    path: '/v1/auth/nonce',
    tag: 'Sign-in',
    summary: 'Get a nonce for the first guest assertion',
    description:
      'The response has the header `Auth-Nonce`. Every response of the token endpoint has it too, so a device needs this only for its first assertion.',
    access: [],
    success: { 204: { description: 'The nonce is in the header.', nonce: true } },
    codes: ['rate_limited', 'service_unavailable'],
  },
  revokeToken: {
    method: 'POST',
    path: '/v1/auth/revoke',
    tag: 'Sign-in',
    summary: 'Revoke a token',
    description:
      "Revocation of OAuth 2.0 (RFC 7009). A refresh token ends its session with all access tokens and change streams; an access token ends alone. For a token that is unknown, expired or another client's, the response is also 200, and nothing happens. A service account sends its secret, as at the token endpoint. Errors have the form of RFC 6749.",
    access: [],
    countsLate: true,
    body: form('RevocationForm'),
    success: { 200: { description: 'Revoked, or unknown. The body is empty.' } },
    codes: ['rate_limited', 'service_unavailable'],
    otherErrors: {
      400: 'token',
      401: 'token',
      417: 'token',
      429: 'token',
      500: 'token',
      503: 'token',
    },
  },
  logOut: {
    method: 'POST',
    path: '/v1/auth/logout',
    tag: 'Sign-in',
    summary: 'Revoke a refresh token and its whole family',
    description:
      'Ends the session: the given refresh token, and every one before and after it. Its access tokens and change streams end too, immediately on the answering node and within a second on others. For an unknown token, the response is also 204.',
    access: [],
    body: json('LogoutBody'),
    success: noContent('Revoked, or unknown.'),
    codes: ['validation_error', ...reading, 'rate_limited', 'service_unavailable'],
  },
  readPublicAuthConfig: {
    method: 'GET',
    path: '/v1/readonly/{accountId}/projects/{slug}/auth/end-user/config',
    tag: 'Sign-in',
    summary: 'Branding and sign-in methods of a project',
    description:
      'Settings that an application needs to offer sign-in: the client id, the branding, and the sign-in methods. Anyone may read them. 404 if the project has no end-user sign-in.',
    access: [],
    success: { 200: { description: 'The public settings.', schema: 'PublicAuthConfigBody' } },
    codes: ['validation_error', 'forbidden', 'not_found', 'rate_limited', 'service_unavailable'],
  },
  readAuthorizationServer: {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    tag: 'Sign-in',
    summary: 'Authorization server metadata',
    description: 'Addresses and capabilities of the endpoints, for OAuth client libraries.',
    access: [],
    success: { 200: { description: 'The metadata (RFC 8414).', schema: 'AuthorizationServerBody' } },
    codes: [],
  },
  readJwks: {
    method: 'GET',
    path: '/.well-known/jwks.json',
    tag: 'Sign-in',
    summary: 'Public keys that verify access tokens',
    description:
      'Servers verify access tokens with these keys, without calling this service. Keys change every 30 days; the previous key stays until its tokens have expired.',
    access: [],
    success: { 200: { description: 'The keys (RFC 7517).', schema: 'JwksBody' } },
    codes: ['service_unavailable'],
  },
  readIdentityMetadata: {
    method: 'GET',
    path: '/identity/.well-known/openid-configuration',
    tag: 'Sign-in',
    summary: 'Metadata of the built-in identity provider',
    description:
      'For libraries that verify its ID tokens. Not available if the service accepts the ID tokens of another issuer.',
    access: [],
    success: { 200: { description: 'The metadata (OpenID Connect Discovery).', schema: 'IdentityMetadataBody' } },
    codes: [],
  },
  readIdentityJwks: {
    method: 'GET',
    path: '/identity/jwks.json',
    tag: 'Sign-in',
    summary: 'Public keys that verify ID tokens of the built-in identity provider',
    description:
      'ID tokens are signed with separate keys, never used for access tokens. Not available if the service accepts the ID tokens of another issuer.',
    access: [],
    success: { 200: { description: 'The keys (RFC 7517).', schema: 'JwksBody' } },
    codes: ['service_unavailable'],
  },
} as const satisfies Record<string, Operation>;
