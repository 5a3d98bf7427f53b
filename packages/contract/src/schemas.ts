/**
 * Records of the wire. One declaration gives the TypeScript type, the validator and the OpenAPI schema; `$id`-like names
 * are given in `components` at the end.
 */
import Type, { type TSchema } from 'typebox';
import { accountIdPattern, apiKeyAccess, environments, slugPattern } from './identifiers.ts';
import {
  commentCharactersMax,
  endUserIdCharactersMax,
  nameCharactersMax,
  redirectUriCharactersMax,
  redirectUrisMax,
  slugCharactersMax,
} from './limits.ts';

/** A string of at most `charactersMax` UTF-16 code units. (JSON Schema counts code points, which are never more.) */
function text(charactersMax: number, options: { charactersMin?: number; description?: string } = {}) {
  const { charactersMin = 0, ...rest } = options;
  return Type.Refine(
    Type.String({ ...rest, maxLength: charactersMax, ...(charactersMin > 0 && { minLength: charactersMin }) }),
    (value) => value.length <= charactersMax,
    () => `must have at most ${charactersMax} UTF-16 code units`,
  );
}

/** An array without repetitions. (The keyword `uniqueItems` is left to no validator: it compares every pair of items.) */
function set<Item extends TSchema>(item: Item, options: { minItems?: number; maxItems: number; description: string }) {
  return Type.Refine(
    Type.Array(item, options),
    (items) => new Set(items).size === items.length,
    () => 'must not hold an item twice',
  );
}

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const Time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC, milliseconds.' });
const Name = text(nameCharactersMax, { charactersMin: 1, description: 'For people; never an identifier.' });
const Version = Type.Integer({
  minimum: 1,
  description: '1 on creation, one more with every successful write. Also the entity tag, quoted.',
});

export const AccountId = Type.String({ pattern: accountIdPattern.source, description: 'Identifier of an account.' });
export const Slug = Type.String({
  pattern: slugPattern.source,
  maxLength: slugCharactersMax,
  description: 'Name of a project, unique in its account; chosen at creation and permanent.',
});
export const EnvironmentName = Type.Enum([...environments], { description: 'One of the three environments of a project.' });

export const State = Type.Refine(
  Type.Unsafe<Record<string, unknown>>(
    Type.Object(
      {},
      { additionalProperties: true, description: 'The document: any JSON object. Numbers keep their digits.' },
    ),
  ),
  (value) => !Array.isArray(value) && !JSON.isRawJSON(value),
  () => 'must be an object',
);

export const Comment = nullable(text(commentCharactersMax, { description: 'What the writer said about this version.' }));

export const PublicStateBody = Type.Object({
  version: Version,
  state: State,
  comment: Comment,
  stateSizeBytes: Type.Integer({ minimum: 2, description: 'UTF-8 bytes of the compact JSON text of `state`.' }),
});

export const CreateConfigBody = Type.Object(
  { state: State, comment: Type.Optional(Comment) },
  {
    description:
      'Full replacement of the document. Unknown members are ignored, so a record that was read can be sent back.',
  },
);

const pointer = Type.String({ description: 'JSON Pointer (RFC 6901); the empty string is the document root.' });
const anyValue = Type.Unknown({ description: 'Any JSON value, null included.' });
export const PatchOperationBody = Type.Union([
  Type.Object({ op: Type.Enum(['add', 'replace']), path: pointer, value: anyValue }),
  Type.Object({ op: Type.Literal('remove'), path: pointer }),
]);
export const PatchStateBody = Type.Object(
  {
    ops: Type.Array(PatchOperationBody, { minItems: 1, description: 'Applied in order, all or none (RFC 6902).' }),
    comment: Type.Optional(Comment),
  },
  { description: 'A JSON Patch restricted to `add`, `remove` and `replace`. `comment` is read on public state only.' },
);

export const UserStateBody = Type.Object({ version: Version, state: State });

export const EndUserId = text(endUserIdCharactersMax, {
  charactersMin: 1,
  description: 'Subject of the end user at the identity provider; trimmed, without control characters.',
});

const page = <Item extends TSchema>(item: Item) =>
  Type.Object({
    items: Type.Array(item),
    cursor: nullable(
      Type.String({ description: 'Opaque; send it back as `cursor` for the next page. Null on the last page.' }),
    ),
    hasMore: Type.Boolean({ description: 'Whether more items follow.' }),
  });

export const UserStateListBody = page(
  Type.Object({ endUserId: EndUserId, version: Version, state: State, updatedAt: Time }),
);

export const AccountBody = Type.Object({
  accountId: AccountId,
  name: Name,
  idpTenantId: Type.String({
    description: 'The tenant of the identity provider that holds the end users of this account.',
  }),
  createdAt: Time,
});
export const RenameBody = Type.Object({ name: Name });

const quota = Type.Object({
  used: Type.Integer({ minimum: 0 }),
  limit: nullable(Type.Integer({ minimum: 0, description: 'Null when unlimited.' })),
});
export const UsageBody = Type.Object({
  period: Type.Object({ start: Time, end: Time }),
  apiRequests: quota,
  projects: quota,
  endUsers: quota,
  storageBytes: quota,
});

export const ProjectBody = Type.Object({ accountId: AccountId, slug: Slug, name: Name, createdAt: Time });
export const CreateProjectBody = Type.Object({
  slug: Slug,
  name: Type.Optional(Name),
});
export const ProjectListBody = page(ProjectBody);

const Access = Type.Enum([...apiKeyAccess], { description: '`write` includes reading.' });
const Environments = set(EnvironmentName, {
  minItems: 1,
  maxItems: environments.length,
  description: 'Where the key works; each at most once.',
});

const apiKeyIdentity = {
  id: Type.String({ description: 'Identifier of the key; no secret.' }),
  name: Name,
  start: Type.String({ description: 'The first characters of the key, to tell keys apart.' }),
  access: Access,
  environments: Environments,
  createdAt: Time,
};
const expiresAt = nullable(Time);
export const ApiKeyBody = Type.Object({ ...apiKeyIdentity, lastUsedAt: nullable(Time), expiresAt });
export const CreatedApiKeyBody = Type.Object({
  ...apiKeyIdentity,
  lastUsedAt: nullable(Time),
  expiresAt,
  apiKey: Type.String({ description: 'The key itself: shown this once, stored only as a hash.' }),
});
export const CreateApiKeyBody = Type.Object({
  name: Name,
  access: Type.Optional(Access),
  environments: Type.Optional(Environments),
  expiresAt: Type.Optional(expiresAt),
});
export const ApiKeyListBody = Type.Object({ items: Type.Array(ApiKeyBody) });
export const ApiKeyInfoBody = Type.Object({ accountId: AccountId, projectSlug: Slug, ...apiKeyIdentity, expiresAt });

const Colour = nullable(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'An sRGB colour, `#rrggbb`.' }));
const AllowedIdps = set(
  Type.String({
    pattern: '^(?:password|google\\.com|apple\\.com|github\\.com|microsoft\\.com|oidc\\.[A-Za-z0-9._-]{1,64})$',
  }),
  { maxItems: 32, description: 'Ways to sign in that the project allows, in Identity Platform names.' },
);
const branding = {
  logoData: nullable(Type.String({ description: 'The logo, base64.' })),
  logoMediaType: nullable(Type.Enum(['image/png', 'image/jpeg', 'image/webp'])),
  primaryColor: Colour,
  surfaceColor: Colour,
  bgColor: Colour,
};
export const EndUserAuthConfigBody = Type.Object({
  enabled: Type.Boolean({ description: 'Whether end users can sign in to this project.' }),
  redirectUris: set(text(redirectUriCharactersMax, { charactersMin: 1 }), {
    maxItems: redirectUrisMax,
    description: 'Where sign-in may return to; compared exactly.',
  }),
  allowedIdps: AllowedIdps,
  ...branding,
});
export const PublicAuthConfigBody = Type.Object({
  clientId: Type.String({ description: 'The client id of the project: `{accountId}.{slug}`.' }),
  projectName: Name,
  ...branding,
  allowedIdps: AllowedIdps,
});

export const AuthorizeContextBody = Type.Object({
  flow: Type.Enum(['developer', 'end_user'], { description: 'Which of the two kinds of client asked.' }),
  project_name: nullable(Name),
  logo_data: branding.logoData,
  logo_media_type: branding.logoMediaType,
  primary_color: Colour,
  surface_color: Colour,
  bg_color: Colour,
  allowed_idps: AllowedIdps,
  idp_tenant_id: nullable(
    Type.String({ description: 'The tenant in which the end user has to sign in; null for developers.' }),
  ),
});
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

export const HealthBody = Type.Object({ status: Type.Enum(['ok', 'unavailable']) });

export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'Stable code; branch on this.' }),
    message: Type.String({ description: 'For people; may change.' }),
  },
  { description: 'The error envelope.' },
);
export const ConflictBody = Type.Object(
  {
    error: Type.Literal('version_conflict'),
    message: Type.String({ description: 'For people; may change.' }),
    currentVersion: nullable(
      Type.Integer({ minimum: 1, description: 'The version that is stored; null when there is none.' }),
    ),
  },
  { description: 'The precondition of a write failed. Read again, apply the change to what is there now, and retry.' },
);
export const QuotaBody = Type.Object(
  {
    code: Type.String({ description: 'Stable code; branch on this.' }),
    message: Type.String({ description: 'For people; may change.' }),
    limit: Type.Optional(Type.Integer({ minimum: 0, description: 'What the account may use.' })),
    used: Type.Optional(Type.Integer({ minimum: 0, description: 'What the account has used.' })),
    resetsAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the use counts from zero again; only where it does.' }),
    ),
  },
  { additionalProperties: true, description: 'A limit of the account is reached. There is no `error` member.' },
);

/** The records under the names that they have in the OpenAPI description. */
export const components = {
  PublicStateBody,
  CreateConfigBody,
  PatchStateBody,
  UserStateBody,
  UserStateListBody,
  AccountBody,
  RenameBody,
  UsageBody,
  ProjectBody,
  CreateProjectBody,
  ProjectListBody,
  ApiKeyBody,
  CreateApiKeyBody,
  CreatedApiKeyBody,
  ApiKeyListBody,
  ApiKeyInfoBody,
  EndUserAuthConfigBody,
  PublicAuthConfigBody,
  AuthorizeContextBody,
  AuthorizeCallbackForm,
  TokenForm,
  TokenBody,
  TokenErrorBody,
  LogoutBody,
  JwksBody,
  AuthorizationServerBody,
  HealthBody,
  ErrorBody,
  ConflictBody,
  QuotaBody,
} as const;
export type ComponentName = keyof typeof components;

export type PublicStateBody = Type.Static<typeof PublicStateBody>;
export type CreateConfigBody = Type.Static<typeof CreateConfigBody>;
export type UserStateBody = Type.Static<typeof UserStateBody>;
export type AccountBody = Type.Static<typeof AccountBody>;
export type ProjectBody = Type.Static<typeof ProjectBody>;
export type CreateProjectBody = Type.Static<typeof CreateProjectBody>;
export type ApiKeyBody = Type.Static<typeof ApiKeyBody>;
export type CreateApiKeyBody = Type.Static<typeof CreateApiKeyBody>;
export type CreatedApiKeyBody = Type.Static<typeof CreatedApiKeyBody>;
export type ApiKeyInfoBody = Type.Static<typeof ApiKeyInfoBody>;
export type EndUserAuthConfigBody = Type.Static<typeof EndUserAuthConfigBody>;
