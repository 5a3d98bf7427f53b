/** Records of the authorization server. */
import Type from 'typebox';
import { authorizeStateCharactersMax, guestAssertionBytesMax, guestGrantType } from '../limits.ts';
import { MemberRoleName, Name, nullable, RoleEnvironments } from './fields.ts';
import { pattern } from './patterns.ts';
import { AllowedIdps, branding } from './sign-in-settings.ts';

/** A parameter without a value counts as absent. @see RFC 6749 §3.1 and §3.2 */
const parameter = (description: string, options: { pattern?: string; maxLength?: number } = {}) =>
  Type.String({ minLength: 1, ...options, description });

export const AuthorizeContextBody = Type.Object({
  flow: Type.Enum(['developer', 'end_user'], { description: 'The kind of the client.' }),
  project_name: nullable(Name),
  logo_data: branding.logoData,
  logo_media_type: branding.logoMediaType,
  primary_color: branding.primaryColor,
  surface_color: branding.surfaceColor,
  bg_color: branding.bgColor,
  allowed_idps: AllowedIdps,
  idp_tenant_id: nullable(Type.String({ description: 'The tenant where the end user must sign in; null for developers.' })),
});

const clientId = parameter('`svc-developer`, or `{accountId}.{slug}`.');
export const AuthorizeCallbackForm = Type.Object(
  {
    client_id: clientId,
    redirect_uri: parameter('A registered redirect URI of the client, exactly.'),
    state: Type.Optional(
      Type.String({
        maxLength: authorizeStateCharactersMax,
        description: 'Opaque; returned with the code. Clients use it to recognise their own requests.',
      }),
    ),
    code_challenge: parameter(
      'Base64url of the SHA-256 of the code verifier (RFC 7636).',
      pattern('^[A-Za-z0-9_-]{43}$', '43 characters of base64url: the SHA-256 of the code verifier'),
    ),
    code_challenge_method: Type.Enum(['S256'], { description: 'Only `S256`.' }),
    idp_id_token: parameter('The ID token from the identity provider. No other operation accepts it.'),
    scope: Type.Optional(
      Type.String({ description: '`env:{environment}`, which end-user clients need; ignored for developers.' }),
    ),
    invitation: Type.Optional(
      Type.String({
        description:
          'For developers: the token of an invitation, the part after the `#` in its link. The developer joins that account. `access_denied` if it is invalid, or if the developer is already a member; then it stays valid.',
      }),
    ),
    account_id: Type.Optional(
      Type.String({
        description:
          'For developers: the account to sign in to; by default, the one they joined first. `access_denied` if they are not a member of it.',
      }),
    ),
  },
  {
    description:
      'The form that the login page sends. Without a known `client_id` and `redirect_uri`, the browser cannot return to the client; any other error is returned to the client as `error`.',
  },
);

/**
 * One object instead of a union, since generators do not support forms with variants. Each grant type ignores the parameters of the others,
 * whatever their values, so the rules depend on the grant type.
 */
export const TokenForm = Type.Object(
  {
    grant_type: Type.Enum(['authorization_code', 'refresh_token', 'client_credentials', guestGrantType], {
      description: 'The kind of credential exchanged for tokens.',
    }),
    client_id: Type.Optional(
      Type.String({
        description:
          '`svc-developer`, or `{accountId}.{slug}`; with `client_credentials` the id of a service account, unless given by HTTP Basic.',
      }),
    ),
    client_secret: Type.Optional(
      Type.String({
        description: 'With `client_credentials`: a secret of the service account, unless given by HTTP Basic.',
      }),
    ),
    code: Type.Optional(Type.String({ description: 'With `authorization_code`: the code from the redirect.' })),
    code_verifier: Type.Optional(
      Type.String({
        description:
          'With `authorization_code`: the secret that the challenge was made from (RFC 7636); 43 to 128 letters, digits, `.`, `_`, `~` and `-`.',
      }),
    ),
    redirect_uri: Type.Optional(
      Type.String({ description: 'With `authorization_code`: the redirect URI that received the code.' }),
    ),
    refresh_token: Type.Optional(
      Type.String({ description: 'With `refresh_token`: the latest refresh token; works once.' }),
    ),
    scope: Type.Optional(
      Type.String({
        description:
          'With `refresh_token` and `client_credentials`: the granted scope, or nothing. For a guest: `env:{environment}`, as in the assertion.',
      }),
    ),
    assertion: Type.Optional(
      Type.String({
        description: `For a guest: a JWT of at most ${guestAssertionBytesMax.toLocaleString('en-US')} bytes that the device signs with its own key.`,
      }),
    ),
    link_assertion: Type.Optional(
      Type.String({
        description:
          'With `authorization_code`: the assertion of a guest who signs up, with the claim `link_code`, the base64url of the SHA-256 of the code.',
      }),
    ),
    previous_access_token: Type.Optional(
      Type.String({
        description:
          'With `refresh_token`: an earlier access token of the same end user, whose `email` and `name` the new token keeps.',
      }),
    ),
  },
  {
    if: { properties: { grant_type: { const: 'client_credentials' } } },
    else: {
      if: { properties: { grant_type: { const: 'authorization_code' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: {
        properties: {
          client_id: { minLength: 1 },
          code: { minLength: 1 },
          code_verifier: { pattern: '^[A-Za-z0-9._~-]{43,128}$' },
          redirect_uri: { minLength: 1 },
        },
        required: ['client_id', 'code', 'code_verifier', 'redirect_uri'],
      },
      else: {
        if: { properties: { grant_type: { const: guestGrantType } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: {
          properties: { client_id: { minLength: 1 }, assertion: { minLength: 1 }, scope: { minLength: 1 } },
          required: ['client_id', 'assertion', 'scope'],
        },
        else: {
          properties: { client_id: { minLength: 1 }, refresh_token: { minLength: 1 } },
          required: ['client_id', 'refresh_token'],
        },
      },
    },
    description:
      '`authorization_code` needs `client_id`, `code`, `code_verifier` and `redirect_uri`; `refresh_token` needs `client_id` and `refresh_token`; a guest needs `client_id`, `assertion` and `scope`; `client_credentials` needs a service account and its secret, here or by HTTP Basic. No parameter may be repeated.',
  },
);
export const TokenBody = Type.Object({
  access_token: Type.String({ description: 'A signed JWT for `Authorization: Bearer`.' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ minimum: 1, description: 'Seconds until the access token expires.' }),
  refresh_token: Type.Optional(
    Type.String({
      description:
        'Valid for one refresh, which returns the next one. Not for guests, who sign a new assertion, and not with `client_credentials`.',
    }),
  ),
  scope: Type.String({ description: '`env:{environment}`, or `developer`.' }),
  link: Type.Optional(
    Type.Enum(['linked', 'in_use'], {
      description:
        'With `link_assertion`. `linked`: the tokens belong to the guest, who now signs in with this identity. `in_use`: the identity already belongs to another player, whose tokens these are; nothing has changed.',
    }),
  ),
});
export const TokenErrorBody = Type.Object(
  {
    error: Type.String({ description: 'Stable code; branch on this.' }),
    error_description: Type.String({ description: 'For people; may change.' }),
  },
  { description: 'An error in the form of RFC 6749 §5.2.' },
);
export const InvitationForm = Type.Object({
  invitation: parameter('The token of an invitation: the part after the `#` in its link.'),
});
export const InvitationBody = Type.Object({
  accountName: Name,
  role: MemberRoleName,
  environments: RoleEnvironments,
  inviter: nullable(Type.String({ description: 'The name of the inviter; null for the operator of the service.' })),
  expiresAt: Type.String({ format: 'date-time', description: 'When the invitation expires.' }),
});
export type InvitationBody = Type.Static<typeof InvitationBody>;
export const RevocationForm = Type.Object(
  {
    token: parameter(
      'A refresh token, whose session ends; or an access token, even of a guest, service account or operator, which ends alone.',
    ),
    client_id: Type.Optional(
      Type.String({
        description: 'The client that the token was issued to, or the id of a service account, unless given by HTTP Basic.',
      }),
    ),
    client_secret: Type.Optional(
      Type.String({ description: 'For a service account: its secret, unless given by HTTP Basic.' }),
    ),
    token_type_hint: Type.Optional(Type.String({ description: 'Ignored: the service recognises the kind of token.' })),
  },
  { description: 'A token that a client revokes (RFC 7009 §2.1). No parameter may be repeated.' },
);
export const LogoutBody = Type.Object({
  refreshToken: Type.String({ minLength: 1, description: 'Any refresh token of the family.' }),
});

export const JwkBody = Type.Object(
  {
    kty: Type.Literal('EC'),
    crv: Type.Literal('P-256'),
    x: Type.String({ description: 'Base64url of the x coordinate.' }),
    y: Type.String({ description: 'Base64url of the y coordinate.' }),
    kid: Type.String({ description: 'The id of the key; the header of a token has the id of its signing key.' }),
    alg: Type.Literal('ES256'),
    use: Type.Literal('sig'),
  },
  { description: 'A public key (RFC 7517).' },
);
export const JwksBody = Type.Object({
  keys: Type.Array(JwkBody, { description: 'The keys in use, newest first.' }),
});
export const AuthorizationServerBody = Type.Object(
  {
    issuer: Type.String(),
    authorization_endpoint: Type.String(),
    token_endpoint: Type.String(),
    revocation_endpoint: Type.String(),
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
