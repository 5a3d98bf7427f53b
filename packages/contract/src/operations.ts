/**
 * The table of contents of the service: one entry for every route. The router, the ordered checks, the OpenAPI
 * description, the reference page and the tests all read this table, so a route exists here or nowhere.
 *
 * @see interface 4
 */
import type { ErrorCode, QuotaCode } from './errors.ts';
import type { ComponentName } from './schemas.ts';

/** The kinds of credential that a route can accept. None accepted means that the route is anonymous. */
export type CredentialKind = 'developer' | 'end_user' | 'api_key';

export type Method = 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';

export type MediaType = 'application/json' | 'application/x-www-form-urlencoded' | 'text/html' | 'text/plain';

export interface SuccessResponse {
  readonly description: string;
  /** Name of the schema of the body; `array` says that the body is a JSON array of such records. Absent: no body. */
  readonly schema?: ComponentName;
  readonly array?: true;
  /** Media type of a body without a schema, such as a page. */
  readonly mediaType?: MediaType;
  /** Whether the answer carries the entity tag of the record. */
  readonly entityTag?: true;
}

export interface QueryParameter {
  readonly description: string;
  readonly type: 'integer' | 'string';
  readonly required?: true;
  readonly example?: string;
}

export interface Operation {
  readonly method: Method;
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly access: readonly CredentialKind[];
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** Whether the request carries `If-Match` or `If-None-Match: *`. @see interface 4.2 */
  readonly precondition?: true;
  readonly body?: { readonly mediaType: MediaType; readonly schema: ComponentName };
  readonly success: Readonly<Record<number, SuccessResponse>>;
  /** Codes of the envelope, without those that every route can give (`transportCodes`). */
  readonly codes: readonly ErrorCode[];
  readonly quotaCodes?: readonly QuotaCode[];
  /** Statuses whose body is something else than the envelope: empty, or the errors of RFC 6749, or a page. */
  readonly otherErrors?: Readonly<Record<number, 'empty' | 'token' | 'page'>>;
}

export const tags = {
  'Public state': 'One JSON document for each environment of a project, with every version kept.',
  'User state': "An end user's own JSON object.",
  'End users': "The developer's view of end-user state.",
  'Sign-in': 'OAuth 2.0 authorization code with PKCE, refresh rotation, logout.',
  Accounts: 'The account of a developer.',
  Projects: 'Projects, their settings and their API keys.',
  Service: 'Health, keys and descriptions of the service itself.',
} as const;
export type Tag = keyof typeof tags;

/** Codes that the transport can give on every route, before the operation is reached. */
export const transportCodes = [
  'validation_error',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'payload_too_large',
  'expectation_failed',
  'headers_too_large',
  'rate_limited',
  'internal_error',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];

const patchCodes = [
  'patch_invalid',
  'patch_unsupported_operation',
  'patch_invalid_path',
  'patch_missing_value',
  'patch_path_not_found',
  'patch_path_untraversable',
  'patch_invalid_array_index',
  'patch_invalid_state_root',
  'patch_state_too_large',
] as const;
/** What every route of a project can answer to a credential. */
const admission = [
  'validation_error',
  'unauthorized',
  'forbidden',
  'not_found',
  'rate_limited',
  'service_unavailable',
] as const;
const reading = ['request_timeout', 'payload_too_large', 'unsupported_media_type'] as const;
const metered = { quotaCodes: ['QUOTA_API_REQUESTS'] } as const;
const keyOfOtherProject = { otherErrors: { 403: 'empty' } } as const;

const project = '/v1/{accountId}/projects/{slug}';
const json = (schema: ComponentName) => ({ mediaType: 'application/json', schema }) as const;
const form = (schema: ComponentName) => ({ mediaType: 'application/x-www-form-urlencoded', schema }) as const;
const noContent = (description: string) => ({ 204: { description } }) as const;
const paging = {
  limit: {
    type: 'integer',
    description: 'Items on the page, 1 to 50; 50 by default, and other numbers are moved into that range.',
  },
  cursor: { type: 'string', description: 'The `cursor` of the page before; none starts at the newest.' },
} as const;

export const operations = {
  readPublicState: {
    method: 'GET',
    path: `${project}/public-state/{env}`,
    tag: 'Public state',
    summary: 'Read the document',
    description: 'With `If-None-Match: "N"` the answer is 304 as long as version N is the current one.',
    access: ['developer', 'api_key'],
    success: {
      200: { description: 'The current version.', schema: 'PublicStateBody', entityTag: true },
      204: { description: 'Nothing has been written to this environment.' },
      304: { description: 'The version named in `If-None-Match` is the current one.', entityTag: true },
    },
    codes: admission,
    ...metered,
    ...keyOfOtherProject,
  },
  replacePublicState: {
    method: 'PUT',
    path: `${project}/public-state/{env}`,
    tag: 'Public state',
    summary: 'Replace the document',
    access: ['developer', 'api_key'],
    precondition: true,
    body: json('CreateConfigBody'),
    success: { 200: { description: 'The version that was written.', schema: 'PublicStateBody', entityTag: true } },
    codes: [...admission, ...reading, 'version_conflict'],
    quotaCodes: ['QUOTA_API_REQUESTS', 'QUOTA_STORAGE'],
    ...keyOfOtherProject,
  },
  patchPublicState: {
    method: 'PATCH',
    path: `${project}/public-state/{env}`,
    tag: 'Public state',
    summary: 'Patch the document',
    description: 'Applies `add`, `remove` and `replace` in order, all or none. A patch that creates starts from `{}`.',
    access: ['developer', 'api_key'],
    precondition: true,
    body: json('PatchStateBody'),
    success: { 200: { description: 'The version that was written.', schema: 'PublicStateBody', entityTag: true } },
    codes: [...admission, ...reading, 'version_conflict', ...patchCodes],
    quotaCodes: ['QUOTA_API_REQUESTS', 'QUOTA_STORAGE'],
    ...keyOfOtherProject,
  },
  listPublicStateVersions: {
    method: 'GET',
    path: `${project}/public-state/{env}/versions`,
    tag: 'Public state',
    summary: 'List every version, newest first',
    access: ['developer', 'api_key'],
    success: {
      200: { description: 'All versions; an empty array before the first.', schema: 'PublicStateBody', array: true },
    },
    codes: admission,
    ...metered,
    ...keyOfOtherProject,
  },
  readPublicStateVersion: {
    method: 'GET',
    path: `${project}/public-state/{env}/versions/{version}`,
    tag: 'Public state',
    summary: 'Read one version',
    access: ['developer', 'api_key'],
    success: { 200: { description: 'The version asked for.', schema: 'PublicStateBody', entityTag: true } },
    codes: admission,
    ...metered,
    ...keyOfOtherProject,
  },

  readUserState: {
    method: 'GET',
    path: `${project}/user-state/{env}`,
    tag: 'User state',
    summary: 'Read your own state',
    access: ['end_user'],
    success: {
      200: { description: 'Your state.', schema: 'UserStateBody', entityTag: true },
      204: { description: 'You have no state yet.' },
      304: { description: 'The version named in `If-None-Match` is the current one.', entityTag: true },
    },
    codes: admission,
    ...metered,
  },
  patchUserState: {
    method: 'PATCH',
    path: `${project}/user-state/{env}`,
    tag: 'User state',
    summary: 'Patch your own state',
    access: ['end_user'],
    precondition: true,
    body: json('PatchStateBody'),
    success: { 200: { description: 'The version that was written.', schema: 'UserStateBody', entityTag: true } },
    codes: [...admission, ...reading, 'version_conflict', ...patchCodes],
    quotaCodes: ['QUOTA_API_REQUESTS', 'QUOTA_STORAGE', 'QUOTA_END_USERS'],
  },

  listUserStates: {
    method: 'GET',
    path: `${project}/user-states/{env}`,
    tag: 'End users',
    summary: 'List the states of an environment, newest end user first',
    access: ['developer'],
    query: paging,
    success: { 200: { description: 'A page.', schema: 'UserStateListBody' } },
    codes: admission,
    ...metered,
  },
  showUserState: {
    method: 'GET',
    path: `${project}/user-states/{env}/{endUserId}`,
    tag: 'End users',
    summary: 'Read the state of an end user',
    access: ['developer'],
    success: {
      200: { description: 'The state.', schema: 'UserStateBody', entityTag: true },
      204: { description: 'This end user has no state.' },
      304: { description: 'The version named in `If-None-Match` is the current one.', entityTag: true },
    },
    codes: admission,
    ...metered,
  },
  deleteUserState: {
    method: 'DELETE',
    path: `${project}/user-states/{endUserId}`,
    tag: 'End users',
    summary: 'Delete the state of an end user in every environment',
    access: ['developer'],
    success: noContent('Nothing of this end user is left.'),
    codes: admission,
    ...metered,
  },

  readAuthorizeContext: {
    method: 'GET',
    path: '/v1/auth/authorize/context',
    tag: 'Sign-in',
    summary: 'What the login page shows for a client',
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
        type: 'string',
        description: '`env:{environment}`; required for end-user clients.',
        example: 'env:production',
      },
    },
    success: { 200: { description: 'The context.', schema: 'AuthorizeContextBody' } },
    codes: ['validation_error', 'not_found', 'rate_limited', 'service_unavailable'],
  },
  completeAuthorize: {
    method: 'POST',
    path: '/v1/auth/authorize/callback',
    tag: 'Sign-in',
    summary: 'Finish a hosted login and return to the client',
    access: [],
    body: form('AuthorizeCallbackForm'),
    success: { 303: { description: 'Back to the redirect URI with `code` and `state`, or with `error`.' } },
    codes: [...reading, 'rate_limited', 'service_unavailable'],
    otherErrors: { 400: 'page' },
  },
  exchangeToken: {
    method: 'POST',
    path: '/v1/auth/token',
    tag: 'Sign-in',
    summary: 'Exchange a code or refresh token for tokens',
    access: [],
    body: form('TokenForm'),
    success: { 200: { description: 'The tokens.', schema: 'TokenBody' } },
    codes: ['rate_limited', 'service_unavailable'],
    otherErrors: { 400: 'token', 401: 'token' },
  },
  logOut: {
    method: 'POST',
    path: '/v1/auth/logout',
    tag: 'Sign-in',
    summary: 'Revoke a refresh token and its whole family',
    access: [],
    body: json('LogoutBody'),
    success: noContent('Revoked, or never known.'),
    codes: ['validation_error', ...reading, 'rate_limited', 'service_unavailable'],
  },
  readPublicAuthConfig: {
    method: 'GET',
    path: '/v1/readonly/{accountId}/projects/{slug}/auth/end-user/config',
    tag: 'Sign-in',
    summary: 'Branding and sign-in ways of a project',
    access: [],
    success: { 200: { description: 'The public settings.', schema: 'PublicAuthConfigBody' } },
    codes: ['validation_error', 'not_found', 'rate_limited', 'service_unavailable'],
  },
  readAuthorizationServer: {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    tag: 'Sign-in',
    summary: 'Authorization server metadata',
    access: [],
    success: { 200: { description: 'The metadata (RFC 8414).', schema: 'AuthorizationServerBody' } },
    codes: [],
  },
  readJwks: {
    method: 'GET',
    path: '/.well-known/jwks.json',
    tag: 'Sign-in',
    summary: 'Public keys that verify access tokens',
    access: [],
    success: { 200: { description: 'The keys (RFC 7517).', schema: 'JwksBody' } },
    codes: ['service_unavailable'],
  },

  readAccount: {
    method: 'GET',
    path: '/v1/{accountId}',
    tag: 'Accounts',
    summary: 'Read the account',
    access: ['developer'],
    success: { 200: { description: 'The account.', schema: 'AccountBody' } },
    codes: admission,
    ...metered,
  },
  renameAccount: {
    method: 'PATCH',
    path: '/v1/{accountId}',
    tag: 'Accounts',
    summary: 'Rename the account',
    access: ['developer'],
    body: json('RenameBody'),
    success: { 200: { description: 'The account.', schema: 'AccountBody' } },
    codes: [...admission, ...reading],
    ...metered,
  },
  deleteAccount: {
    method: 'DELETE',
    path: '/v1/{accountId}',
    tag: 'Accounts',
    summary: 'Delete the account and everything in it',
    access: ['developer'],
    success: noContent('Gone; its tokens and keys are rejected from now on.'),
    codes: admission,
    ...metered,
  },
  listProjects: {
    method: 'GET',
    path: '/v1/{accountId}/projects',
    tag: 'Projects',
    summary: 'List projects, newest first',
    access: ['developer'],
    query: paging,
    success: { 200: { description: 'A page.', schema: 'ProjectListBody' } },
    codes: admission,
    ...metered,
  },
  createProject: {
    method: 'POST',
    path: '/v1/{accountId}/projects',
    tag: 'Projects',
    summary: 'Create a project',
    access: ['developer'],
    body: json('CreateProjectBody'),
    success: { 201: { description: 'The project.', schema: 'ProjectBody' } },
    codes: [...admission, ...reading, 'already_exists'],
    quotaCodes: ['QUOTA_API_REQUESTS', 'QUOTA_PROJECTS'],
  },
  readProject: {
    method: 'GET',
    path: project,
    tag: 'Projects',
    summary: 'Read a project',
    access: ['developer'],
    success: { 200: { description: 'The project.', schema: 'ProjectBody' } },
    codes: admission,
    ...metered,
  },
  renameProject: {
    method: 'PATCH',
    path: project,
    tag: 'Projects',
    summary: 'Rename a project',
    access: ['developer'],
    body: json('RenameBody'),
    success: { 200: { description: 'The project.', schema: 'ProjectBody' } },
    codes: [...admission, ...reading],
    ...metered,
  },
  deleteProject: {
    method: 'DELETE',
    path: project,
    tag: 'Projects',
    summary: 'Delete a project with its state, keys and end users',
    access: ['developer'],
    success: noContent('Gone.'),
    codes: admission,
    ...metered,
  },
  listApiKeys: {
    method: 'GET',
    path: `${project}/api-keys`,
    tag: 'Projects',
    summary: 'List API keys',
    access: ['developer'],
    success: { 200: { description: 'All keys, newest first, without their secrets.', schema: 'ApiKeyListBody' } },
    codes: admission,
    ...metered,
  },
  createApiKey: {
    method: 'POST',
    path: `${project}/api-keys`,
    tag: 'Projects',
    summary: 'Create an API key',
    access: ['developer'],
    body: json('CreateApiKeyBody'),
    success: { 201: { description: 'The key; its secret is shown this once.', schema: 'CreatedApiKeyBody' } },
    codes: [...admission, ...reading],
    ...metered,
  },
  revokeApiKey: {
    method: 'DELETE',
    path: `${project}/api-keys/{keyId}`,
    tag: 'Projects',
    summary: 'Revoke an API key',
    access: ['developer'],
    success: noContent('Rejected from now on.'),
    codes: admission,
    ...metered,
  },
  readApiKeyInfo: {
    method: 'GET',
    path: '/v1/api-key/info',
    tag: 'Projects',
    summary: 'What the presented API key is',
    access: ['api_key'],
    success: { 200: { description: 'The key, without its secret.', schema: 'ApiKeyInfoBody' } },
    codes: ['rate_limited', 'service_unavailable'],
    otherErrors: { 401: 'empty' },
    ...metered,
  },
  readEndUserAuthConfig: {
    method: 'GET',
    path: `${project}/auth/end-user/config`,
    tag: 'Projects',
    summary: 'Read the end-user sign-in settings',
    access: ['developer'],
    success: { 200: { description: 'The settings.', schema: 'EndUserAuthConfigBody' } },
    codes: admission,
    ...metered,
  },
  replaceEndUserAuthConfig: {
    method: 'PUT',
    path: `${project}/auth/end-user/config`,
    tag: 'Projects',
    summary: 'Replace the end-user sign-in settings',
    access: ['developer'],
    body: json('EndUserAuthConfigBody'),
    success: { 200: { description: 'The settings.', schema: 'EndUserAuthConfigBody' } },
    codes: [...admission, ...reading],
    ...metered,
  },
  readUsage: {
    method: 'GET',
    path: '/v1/{accountId}/usage',
    tag: 'Accounts',
    summary: 'Use and limits of the account in this month',
    access: ['developer'],
    success: { 200: { description: 'Use and limits.', schema: 'UsageBody' } },
    codes: admission,
    ...metered,
  },

  readLiveness: {
    method: 'GET',
    path: '/healthz',
    tag: 'Service',
    summary: 'Whether the process lives',
    access: [],
    success: { 200: { description: 'It does.', schema: 'HealthBody' } },
    codes: [],
  },
  readReadiness: {
    method: 'GET',
    path: '/readyz',
    tag: 'Service',
    summary: 'Whether the service can serve',
    access: [],
    success: { 200: { description: 'Storage answers.', schema: 'HealthBody' } },
    codes: ['service_unavailable'],
  },
  readOpenApi: {
    method: 'GET',
    path: '/openapi.json',
    tag: 'Service',
    summary: 'This description',
    access: [],
    success: { 200: { description: 'OpenAPI 3.1.1.', mediaType: 'application/json' } },
    codes: [],
  },
  readReference: {
    method: 'GET',
    path: '/docs',
    tag: 'Service',
    summary: 'This description as a page',
    access: [],
    success: { 200: { description: 'A page that needs nothing from elsewhere.', mediaType: 'text/html' } },
    codes: [],
  },
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
