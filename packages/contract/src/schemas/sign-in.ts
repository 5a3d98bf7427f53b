/** Records of the authorization server. */
import Type from 'typebox';

const clientId = Type.String({ description: '`svc-developer`, or `{accountId}.{slug}`.' });
export const AuthorizeCallbackForm = Type.Object({
  client_id: clientId,
  redirect_uri: Type.String({ description: 'A registered redirect URI of the client, exactly.' }),
  state: Type.String({ description: 'Opaque; comes back beside the code.' }),
  code_challenge: Type.String({ description: 'Base64url of the SHA-256 of the code verifier (RFC 7636).' }),
  code_challenge_method: Type.String({ description: 'Only `S256`.' }),
  idp_id_token: Type.String({ description: 'The ID token with which the identity provider answered the sign-in.' }),
  scope: Type.Optional(Type.String({ description: '`env:{environment}`; end-user clients only.' })),
});
export const TokenForm = Type.Object({
  grant_type: Type.String({ description: '`authorization_code` or `refresh_token`.' }),
  client_id: clientId,
  code: Type.Optional(Type.String({ description: 'With `authorization_code`: the code that the redirect carried.' })),
  code_verifier: Type.Optional(
    Type.String({ description: 'With `authorization_code`: what the challenge was made from (RFC 7636).' }),
  ),
  redirect_uri: Type.Optional(
    Type.String({ description: 'With `authorization_code`: the redirect URI that received the code.' }),
  ),
  refresh_token: Type.Optional(Type.String({ description: 'With `refresh_token`: the latest refresh token; works once.' })),
  scope: Type.Optional(Type.String({ description: 'With `refresh_token`: the scope that was granted, or nothing.' })),
  previous_access_token: Type.Optional(
    Type.String({
      description:
        'With `refresh_token`: an earlier access token of the same end user, from which `email` and `name` are taken over.',
    }),
  ),
});
export const TokenBody = Type.Object({
  access_token: Type.String({ description: 'A signed JWT for `Authorization: Bearer`.' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ minimum: 1, description: 'Seconds until the access token expires.' }),
  refresh_token: Type.String({ description: 'Good for one refresh, which answers with the next one.' }),
  scope: Type.String({ description: '`env:{environment}`, or `developer`.' }),
});
export const TokenErrorBody = Type.Object(
  {
    error: Type.String({ description: 'Stable code; branch on this.' }),
    error_description: Type.String({ description: 'For people; may change.' }),
  },
  { description: 'An error in the form of RFC 6749 §5.2.' },
);
export const LogoutBody = Type.Object({
  refreshToken: Type.String({ minLength: 1, description: 'Any refresh token of the family.' }),
});

export const JwksBody = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.Literal('EC'),
      crv: Type.Literal('P-256'),
      x: Type.String(),
      y: Type.String(),
      kid: Type.String(),
      alg: Type.Literal('ES256'),
      use: Type.Literal('sig'),
    }),
  ),
});
export const AuthorizationServerBody = Type.Object(
  {
    issuer: Type.String(),
    authorization_endpoint: Type.String(),
    token_endpoint: Type.String(),
    jwks_uri: Type.String(),
    response_types_supported: Type.Array(Type.String()),
    grant_types_supported: Type.Array(Type.String()),
    code_challenge_methods_supported: Type.Array(Type.String()),
  },
  { additionalProperties: true, description: 'Authorization server metadata (RFC 8414).' },
);

export const IdentityMetadataBody = Type.Object(
  {
    issuer: Type.String(),
    authorization_endpoint: Type.String(),
    jwks_uri: Type.String(),
    response_types_supported: Type.Array(Type.String()),
    subject_types_supported: Type.Array(Type.String()),
    id_token_signing_alg_values_supported: Type.Array(Type.String()),
    claims_supported: Type.Array(Type.String()),
  },
  { description: 'Metadata of the built-in identity provider (OpenID Connect Discovery 1.0).' },
);
