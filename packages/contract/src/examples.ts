/** One example of each record in the description. */

import type { Static } from 'typebox';
import { historyExamples } from './history-examples.ts';
import { playerExamples } from './player-examples.ts';
import { proposalExamples } from './proposal-examples.ts';
import { schemaExamples } from './schema-examples.ts';
import { projectSettingsExample } from './schemas/project-settings.ts';
import type { ComponentName, components } from './schemas.ts';
import { serviceAccountExamples } from './service-account-examples.ts';
import { usageExamples } from './usage-examples.ts';
import { userStateExamples } from './user-state-examples.ts';
import { webhookExamples } from './webhook-examples.ts';

interface RequestExample {
  readonly summary: string;
  readonly value: Readonly<Record<string, string>>;
}

type Examples = { readonly [Name in ComponentName]?: Static<(typeof components)[Name]> };

const createdAt = '2026-03-01T09:30:00.000Z';
const accountId = 'acc_4Zt9QmX2vKc7RbY1nLs8Wd';
const state = { theme: 'dark', features: { checkout: true }, banner: 'Spring sale' };
const { name: projectName, ...otherSettings } = projectSettingsExample;
const project = {
  accountId,
  slug: 'hello',
  name: projectName,
  createdAt,
  ...otherSettings,
  publicStateHistory: null,
};
const apiKey = {
  id: 'key_7Yp2Vn',
  name: 'web server',
  start: 'svck_9fK2',
  access: 'read',
  environments: ['production'],
  createdAt,
  expiresAt: null,
} as const;
const keyRecord = {
  ...apiKey,
  kind: 'secret' as const,
  environments: [...apiKey.environments],
  lastUsedAt: '2026-03-02T18:04:11.512Z',
  apiKey: null,
};
const branding = {
  logoData: null,
  logoMediaType: null,
  primaryColor: '#3b5bdb',
  surfaceColor: '#ffffff',
  bgColor: '#f4f4f5',
};
const provider = {
  providerId: 'google.com',
  name: 'Google',
  clientId: '1029384756-abc.apps.googleusercontent.com',
  issuer: null,
  tenant: null,
  teamId: null,
  keyId: null,
  hasSecret: true,
  redirectUri: `https://state.example.com/authorize/federated/callback/${accountId}/google.com`,
  createdAt,
  updatedAt: createdAt,
};

const codeForm = {
  grant_type: 'authorization_code',
  client_id: `${accountId}.hello`,
  code: '$CODE',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  redirect_uri: 'https://hello.example.com/signed-in',
} as const;

const member = {
  memberId: 'mem_6Rq1TzWc8KdNf3HjVx5Ysa',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'editor' as const,
  environments: ['development' as const, 'staging' as const],
  joinedAt: createdAt,
  lastSeenAt: '2026-03-02T18:04:11.512Z',
};
const invitation = {
  id: 'inv_2Lm8PqXe4ZtBg7HnCv9Ksd',
  role: 'editor' as const,
  environments: ['development' as const, 'staging' as const],
  email: 'ada@example.com',
  expiresAt: '2026-03-08T09:30:00.000Z',
};
const auditRecord = {
  accountId,
  id: '42',
  at: '2026-03-14T09:26:53.589Z',
  actor: { kind: 'developer', id: 'mem_4Xk2', name: 'Ada' },
  action: 'project.update',
  target: 'projects/hello',
  detail: { name: { from: 'Hello', to: 'Hello again' } },
  requestId: 'm1pZ0bXw-2s',
} as const;

export const examples: Examples = {
  PublicStateBody: { version: 3, state, comment: 'open the shop', stateSizeBytes: JSON.stringify(state).length },
  ...historyExamples,
  CreateConfigBody: { state, comment: 'open the shop' },
  PatchStateBody: {
    ops: [
      { op: 'replace', path: '/theme', value: 'light' },
      { op: 'add', path: '/features/search', value: true },
      { op: 'remove', path: '/banner' },
    ],
  },
  FlagRequestBody: { context: { targetingKey: 'u_81f0c2', platform: 'ios', level: 7 } },
  FlagBody: { key: 'new-shop', value: true, reason: 'TARGETING_MATCH', variant: 'on', metadata: { team: 'shop' } },
  FlagListBody: {
    flags: [
      { key: 'new-shop', value: true, reason: 'TARGETING_MATCH', variant: 'on', metadata: { team: 'shop' } },
      { key: 'gold-per-win', value: 25, reason: 'STATIC', variant: 'normal' },
      { key: 'season', errorCode: 'PARSE_ERROR', errorDetails: 'the flag cannot be used: unknown operator "iff"' },
    ],
  },
  ...userStateExamples,
  AccountBody: {
    accountId,
    name: 'Lantern Games',
    idpTenantId: 'tenant-4Zt9QmX2',
    createdAt,
    requireSecondFactor: true,
  },
  UpdateAccountBody: { requireSecondFactor: true },
  MemberBody: member,
  MemberListBody: { items: [member] },
  ChangeMemberBody: { role: 'editor', environments: ['development', 'staging'] },
  CreateInvitationBody: { role: 'editor', environments: ['development', 'staging'], email: 'ada@example.com' },
  CreatedInvitationBody: { ...invitation, url: 'https://state.example.com/console/join#$INVITATION' },
  InvitationListBody: { items: [{ ...invitation, inviter: 'Grace', createdAt }] },
  DeveloperAccountListBody: { items: [{ accountId, name: 'Lantern Games', role: 'owner' }] },
  AuditActorBody: auditRecord.actor,
  AuditRecordBody: auditRecord,
  AuditListBody: { items: [auditRecord], cursor: null, hasMore: false },
  ...usageExamples,
  ProjectBody: project,
  CreateProjectBody: { slug: 'hello', name: 'Hello' },
  UpdateProjectBody: { ...projectSettingsExample, requiredApprovals: { production: 1 } },
  ProjectListBody: { items: [project], cursor: null, hasMore: false },
  ApiKeyBody: keyRecord,
  ...playerExamples,
  ...serviceAccountExamples,
  ...webhookExamples,
  ...schemaExamples,
  ...proposalExamples,
  ApiKeyListBody: { items: [keyRecord] },
  CreateApiKeyBody: { name: 'web server', access: 'read', environments: ['production'] },
  CreatedApiKeyBody: { ...keyRecord, lastUsedAt: null, apiKey: 'svck_9fK2…' },
  ApiKeyInfoBody: { accountId, projectSlug: 'hello', ...apiKey, environments: [...apiKey.environments] },
  EndUserAuthConfigBody: {
    enabled: true,
    redirectUris: ['https://hello.example.com/signed-in', 'com.example.hello:/signed-in'],
    allowedIdps: ['password', 'google.com'],
    ...branding,
    userStateHistory: { versions: 20, days: 30 },
    sessionIdleDays: null,
  },
  ReplaceEndUserAuthConfigBody: {
    enabled: true,
    redirectUris: ['https://hello.example.com/signed-in'],
    allowedIdps: ['password', 'google.com'],
    primaryColor: '#3b5bdb',
  },
  PatchEndUserAuthConfigBody: { allowedIdps: ['password', 'google.com', 'apple.com'] },
  PublicAuthConfigBody: {
    clientId: `${accountId}.hello`,
    projectName: 'Hello',
    ...branding,
    allowedIdps: ['password', 'google.com'],
  },
  AuthorizeContextBody: {
    flow: 'end_user',
    project_name: 'Hello',
    logo_data: null,
    logo_media_type: null,
    primary_color: '#3b5bdb',
    surface_color: '#ffffff',
    bg_color: '#f4f4f5',
    allowed_idps: ['password', 'google.com'],
    idp_tenant_id: 'tenant-4Zt9QmX2',
  },
  AuthorizeCallbackForm: {
    client_id: `${accountId}.hello`,
    redirect_uri: 'https://hello.example.com/signed-in',
    state: 'k3v0Zb',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    idp_id_token: '$ID_TOKEN',
    scope: 'env:production',
  },
  TokenForm: codeForm,
  TokenBody: {
    access_token: '$ACCESS_TOKEN',
    token_type: 'Bearer',
    expires_in: 900,
    refresh_token: '$REFRESH_TOKEN',
    scope: 'env:production',
  },
  InvitationForm: { invitation: '$INVITATION' },
  InvitationBody: {
    accountName: 'Lantern Games',
    role: 'owner',
    environments: null,
    inviter: null,
    expiresAt: '2026-03-08T09:30:00.000Z',
  },
  LogoutBody: { refreshToken: '$REFRESH_TOKEN' },
  RevocationForm: { token: '$REFRESH_TOKEN', client_id: `${accountId}.hello` },
  IdentityProviderBody: provider,
  IdentityProviderListBody: { items: [provider] },
  ReplaceIdentityProviderBody: { clientId: provider.clientId, clientSecret: '$CLIENT_SECRET' },
  UserListBody: {
    items: [
      {
        userId: 'usr_3fGh7KmQp2RtXw9ZbCdEjN',
        email: 'ada@example.com',
        name: 'Ada',
        providers: ['password'],
        createdAt,
      },
    ],
    cursor: null,
    hasMore: false,
  },
  HealthBody: { status: 'ok' },
  ErrorBody: { error: 'not_found', message: 'the account has no project "helo"' },
};

/** Bodies with several examples, by name. */
export const requestExamples: { readonly [Name in ComponentName]?: Readonly<Record<string, RequestExample>> } = {
  TokenForm: {
    authorization_code: { summary: 'A sign-in code, for the first tokens', value: codeForm },
    refresh_token: {
      summary: 'A refresh token, for the next ones',
      value: { grant_type: 'refresh_token', client_id: `${accountId}.hello`, refresh_token: '$REFRESH_TOKEN' },
    },
    client_credentials: {
      summary: 'The secret of a service account, for an access token',
      value: {
        grant_type: 'client_credentials',
        client_id: serviceAccountExamples.ServiceAccountBody.id,
        client_secret: '$CLIENT_SECRET',
      },
    },
    with_previous_access_token: {
      summary: 'A refresh that keeps `email` and `name` from the previous access token',
      value: {
        grant_type: 'refresh_token',
        client_id: `${accountId}.hello`,
        refresh_token: '$REFRESH_TOKEN',
        previous_access_token: '$ACCESS_TOKEN',
      },
    },
  },
  ReplaceIdentityProviderBody: {
    google: { summary: 'A known provider', value: { clientId: provider.clientId, clientSecret: '$CLIENT_SECRET' } },
    apple: {
      summary: 'Apple, which uses a key instead of a secret',
      value: {
        clientId: 'com.example.hello',
        teamId: 'A1B2C3D4E5',
        keyId: 'F6G7H8J9K0',
        privateKey: '$PRIVATE_KEY',
      },
    },
    oidc: {
      summary: 'Any other OpenID Connect issuer',
      value: { clientId: 'hello', clientSecret: '$CLIENT_SECRET', issuer: 'https://id.example.com', name: 'Example' },
    },
  },
};
