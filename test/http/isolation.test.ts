/**
 * Every route with every kind of credential: one table has all expected answers. @see docs/contract.md §3.2 and §3.3
 */
import { type ConsoleId, type OperationId, operations, type PageId } from '@holdfast/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Credential, everyCredential, newStrangers, playerId, type Strangers } from '../support/credentials.ts';
import { newMember } from '../support/members.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let strangers: Strangers;
/** The scene for operations that change nothing. */
let reading: Promise<Scene>;
let ahead = 0;
const clock = {
  now: () => Date.now() + ahead,
  advance: (milliseconds: number) => {
    ahead += milliseconds;
  },
};
beforeAll(async () => {
  server = await startServer({ settings: { SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0' }, now: clock.now });
  strangers = await newStrangers(server);
  reading = newScene();
});
afterAll(() => server.stop());

/** `in`: the operation answers as for any permitted caller; `missing`, `rejected`: 401 with that challenge. */
type Cell = 'in' | 'missing' | 'rejected' | 'forbidden' | 'forbidden, empty';
type Row = Readonly<Record<Credential, Cell>>;

const bad = {
  none: 'missing',
  'unknown scheme': 'missing',
  'forged token': 'rejected',
  'expired token': 'rejected',
  'token of a deleted account': 'rejected',
} as const;
const badKeys = { 'expired API key': 'rejected', 'revoked API key': 'rejected', 'mistyped API key': 'rejected' } as const;
/** On routes that only take tokens, no API key counts as a credential. */
const noKeys = {
  'API key': 'missing',
  'API key that reads': 'missing',
  'API key of another environment': 'missing',
  'API key of another project': 'missing',
  'API key of another account': 'missing',
  'publishable API key': 'missing',
  'publishable API key of another project': 'missing',
  'expired API key': 'missing',
  'revoked API key': 'missing',
  'mistyped API key': 'missing',
} as const;
const noPlayers = {
  player: 'forbidden',
  'player of another environment': 'forbidden',
  'player of another project': 'forbidden',
  'player of another account': 'forbidden',
} as const;

const secretRead: Row = {
  ...bad,
  ...badKeys,
  ...noPlayers,
  developer: 'in',
  'other developer': 'forbidden',
  'API key': 'in',
  'API key that reads': 'in',
  'API key of another environment': 'forbidden',
  'API key of another project': 'forbidden, empty',
  'API key of another account': 'forbidden, empty',
  'publishable API key': 'forbidden',
  'publishable API key of another project': 'forbidden, empty',
};
const publicRead: Row = { ...secretRead, 'publishable API key': 'in' };
const publicWrite: Row = { ...secretRead, 'API key that reads': 'forbidden' };
/** Routes that show the values chosen for a player, who must belong to the environment. */
const flags: Row = { ...publicRead, player: 'in' };
const ownState: Row = {
  ...bad,
  ...noKeys,
  ...noPlayers,
  developer: 'forbidden',
  'other developer': 'forbidden',
  player: 'in',
};
/** Routes for the player's own data in any environment. */
const ownPlayer: Row = { ...ownState, 'player of another environment': 'in' };
const developerOnly: Row = { ...bad, ...noKeys, ...noPlayers, developer: 'in', 'other developer': 'forbidden' };
const everyone = Object.fromEntries(Object.keys(developerOnly).map((name) => [name, 'in'])) as Row;
/** No bearer token counts as a credential here, and the scope of a key makes no difference. */
const keyOnly: Row = {
  ...Object.fromEntries(Object.keys(developerOnly).map((name) => [name, 'missing'])),
  ...badKeys,
  'API key': 'in',
  'API key that reads': 'in',
  'API key of another environment': 'in',
  'API key of another project': 'in',
  'API key of another account': 'in',
  'publishable API key': 'in',
  'publishable API key of another project': 'in',
} as Row;

const table: Readonly<Record<Exclude<OperationId, PageId | ConsoleId>, Row>> = {
  readPublicState: publicRead,
  replacePublicState: publicWrite,
  patchPublicState: publicWrite,
  listPublicStateVersions: secretRead,
  listPublicStateHistory: secretRead,
  readPublicStateVersion: secretRead,
  readPublicStateChanges: publicRead,
  evaluateFlags: flags,
  evaluateFlag: flags,
  createProposal: developerOnly,
  listProposals: developerOnly,
  readProposal: developerOnly,
  updateProposal: developerOnly,
  deleteProposal: developerOnly,
  // The developer here is not a member, and only people approve.
  createProposalApproval: { ...developerOnly, developer: 'forbidden' },
  deleteProposalApproval: { ...developerOnly, developer: 'forbidden' },
  applyProposal: developerOnly,
  readSchema: developerOnly,
  replaceSchema: developerOnly,
  deleteSchema: developerOnly,
  listSchemaHistory: developerOnly,
  readSchemaVersion: developerOnly,
  readSchemaReport: developerOnly,
  checkSchema: developerOnly,
  readUserState: ownState,
  patchUserState: ownState,
  readUserStateChanges: ownState,
  mergeGuest: { ...ownState, 'player of another environment': 'in' },
  readMe: ownPlayer,
  readMyExport: ownPlayer,
  deleteMe: ownPlayer,
  listPlayerStates: developerOnly,
  readPlayerState: developerOnly,
  patchPlayerState: developerOnly,
  listPlayerStateHistory: developerOnly,
  readPlayerStateVersion: developerOnly,
  deletePlayerState: developerOnly,
  listPlayers: developerOnly,
  readPlayer: developerOnly,
  replacePlayerBlock: developerOnly,
  deletePlayerBlock: developerOnly,
  deletePlayerSessions: developerOnly,
  readPlayerExport: developerOnly,
  deletePlayer: developerOnly,
  readAuthorizeContext: everyone,
  completeAuthorize: everyone,
  exchangeToken: everyone,
  readNonce: everyone,
  revokeToken: everyone,
  logOut: everyone,
  readPublicAuthConfig: everyone,
  readAuthorizationServer: everyone,
  readJwks: everyone,
  readIdentityMetadata: everyone,
  readIdentityJwks: everyone,
  readAccount: developerOnly,
  updateAccount: developerOnly,
  deleteAccount: developerOnly,
  listProjects: developerOnly,
  createProject: developerOnly,
  readProject: developerOnly,
  updateProject: developerOnly,
  deleteProject: developerOnly,
  listApiKeys: developerOnly,
  createApiKey: developerOnly,
  revokeApiKey: developerOnly,
  readApiKeyInfo: keyOnly,
  listServiceAccounts: developerOnly,
  createServiceAccount: developerOnly,
  readServiceAccount: developerOnly,
  deleteServiceAccount: developerOnly,
  createServiceAccountSecret: developerOnly,
  deleteServiceAccountSecret: developerOnly,
  listWebhooks: developerOnly,
  createWebhook: developerOnly,
  updateWebhook: developerOnly,
  deleteWebhook: developerOnly,
  rotateWebhookSecret: developerOnly,
  testWebhook: developerOnly,
  listWebhookDeliveries: developerOnly,
  readWebhookDelivery: developerOnly,
  retryWebhookDelivery: developerOnly,
  readUsage: developerOnly,
  readRequestFigures: developerOnly,
  listAuditRecords: developerOnly,
  readPlayerAuthConfig: developerOnly,
  replacePlayerAuthConfig: developerOnly,
  patchPlayerAuthConfig: developerOnly,
  listIdentityProviders: developerOnly,
  readIdentityProvider: developerOnly,
  replaceIdentityProvider: developerOnly,
  deleteIdentityProvider: developerOnly,
  listMembers: developerOnly,
  patchMember: developerOnly,
  deleteMember: developerOnly,
  createInvitation: developerOnly,
  listInvitations: developerOnly,
  deleteInvitation: developerOnly,
  listDeveloperAccounts: { ...developerOnly, 'other developer': 'in' },
  listUsers: developerOnly,
  deleteUser: developerOnly,
  readInvitation: everyone,
  readLiveness: everyone,
  readReadiness: everyone,
  readOpenApi: everyone,
  readReference: everyone,
  readDocumentation: everyone,
};

const settings = {
  enabled: true,
  redirectUris: ['https://app.example/cb'],
  allowedIdps: ['password'],
  logoData: null,
  logoMediaType: null,
  primaryColor: null,
  surfaceColor: null,
  bgColor: null,
};

/** A project with resources for all path parameters, and every credential from its point of view. */
interface Scene {
  readonly project: Project;
  readonly segments: Readonly<Record<string, string>>;
  readonly credentials: Awaited<ReturnType<typeof everyCredential>>;
}

/** Makes a project with the resources for one operation's path, or with all of them. */
async function newScene(path?: string): Promise<Scene> {
  const project = await server.newProject();
  const { accountId, bearer: headers } = project.developer;
  const { store } = server.running;
  const needs = (part: string) => path === undefined || path.includes(part);
  const segments: Record<string, string> = {
    accountId,
    slug: project.slug,
    env: 'development',
    kind: 'public-state',
    version: '1',
    endUserId: playerId,
    providerId: 'google.com',
    userId: `usr_${project.slug.replace('-', '')}`,
    key: 'shop',
  };
  const created = async (method: string, below: string, body: unknown, more = {}) =>
    (await server.call(method, below, { headers: { ...headers, ...more }, body })).json as Record<string, string>;
  const absent = { 'If-None-Match': '*' };

  const player = { subject: playerId, provider: 'password', email: null, name: null };
  await store.admitPlayer({ accountId, slug: project.slug }, player, 1_000);
  if (needs('{keyId}')) segments.keyId = (await server.newApiKey(project)).id;
  if (needs('{userId}')) {
    const person = { accountId, providerId: 'google.com', issuer: 'https://accounts.google.com' };
    const ids = { userId: segments.userId as string, createdAt: 1_000 };
    await store.signInFederatedUser({ ...person, subject: ids.userId }, { email: null, name: null }, ids);
  }
  if (needs('{providerId}'))
    await created('PUT', `/v1/${accountId}/identity-providers/google.com`, { clientId: 'c', clientSecret: 's' });
  if (needs('{memberId}')) segments.memberId = (await newMember(server, accountId, 'viewer')).memberId;
  if (needs('{invitationId}'))
    segments.invitationId = (await created('POST', `/v1/${accountId}/invitations`, { role: 'viewer' })).id as string;
  if (needs('{serviceAccountId}')) {
    const robot = await created('POST', `/v1/${accountId}/service-accounts`, { name: 'robot', role: 'viewer' });
    segments.serviceAccountId = robot.id as string;
    segments.secretId = (robot as { secrets?: { secretId: string }[] }).secrets?.[0]?.secretId as string;
  }
  if (needs('{webhookId}')) {
    // Nobody listens there, so the test event waits.
    const webhook = { url: 'http://127.0.0.1:9', events: ['schema.changed'] };
    segments.webhookId = (await created('POST', `${project.path}/webhooks`, webhook)).id as string;
  }
  if (needs('{deliveryId}')) {
    const deliveries = `${project.path}/webhooks/${segments.webhookId}`;
    await server.call('POST', `${deliveries}/test`, { headers });
    const { json } = await server.call('GET', `${deliveries}/deliveries`, { headers });
    segments.deliveryId = (json as { items: { id: string }[] }).items[0]?.id as string;
  }
  if (needs('/auth/')) await created('PUT', `${project.path}/auth/end-user/config`, settings);
  if (needs('{env}')) {
    const flag = { state: 'ENABLED', variants: { on: true }, defaultVariant: 'on' };
    await created('PUT', `${project.path}/public-state/development`, { state: { flags: { shop: flag } } }, absent);
  }
  if (needs('{proposalId}')) {
    const { bearer } = await newMember(server, accountId, 'viewer');
    const body = { baseVersion: 1, ops: [anAddition] };
    const below = `${project.path}/public-state/development/proposals`;
    segments.proposalId = ((await server.call('POST', below, { headers: bearer, body })).json as { id: string }).id;
  }
  if (needs('/schemas/'))
    await created('PUT', `${project.path}/schemas/development/public-state`, { mode: 'off', schema: true }, absent);
  if (path === undefined)
    await created('PATCH', `${project.path}/user-states/development/${playerId}`, { ops: [anAddition] }, absent);
  return { project, segments, credentials: await everyCredential(server, project, clock, strangers) };
}

const anAddition = { op: 'add', path: '/seen', value: true };

/** A request that succeeds for every permitted caller. */
function requestOf(id: OperationId, { project, segments }: Scene) {
  const path = operations[id].path.replace(/\{(\w+)\}/g, (_, name: string) => segments[name] as string);
  const ops = [anAddition];
  const jsonBodies: Partial<Record<OperationId, unknown>> = {
    replacePublicState: { state: {} },
    createProposal: { baseVersion: 1, ops },
    updateProposal: { comment: 'why' },
    createProposalApproval: { revision: 1, version: 1 },
    applyProposal: { revision: 1 },
    evaluateFlags: { context: {} },
    evaluateFlag: { context: {} },
    patchPublicState: { ops },
    patchUserState: { ops },
    mergeGuest: { state: {} },
    patchPlayerState: { ops },
    replaceSchema: { mode: 'off', schema: true },
    checkSchema: { schema: true },
    updateAccount: { name: 'New name' },
    createProject: { slug: 'fresh' },
    updateProject: { name: 'New name' },
    patchMember: { role: 'editor' },
    createInvitation: { role: 'viewer' },
    replacePlayerBlock: {},
    createApiKey: { name: 'fresh' },
    createServiceAccount: { name: 'fresh', role: 'editor' },
    createWebhook: { url: 'https://hooks.example', events: ['schema.changed'] },
    updateWebhook: { description: 'fresh' },
    rotateWebhookSecret: {},
    replaceIdentityProvider: { clientId: 'c', clientSecret: 's' },
    replacePlayerAuthConfig: settings,
    patchPlayerAuthConfig: { enabled: true },
    logOut: { refreshToken: 'svcr_unknown' },
  };
  const body = jsonBodies[id];
  const isForm = id === 'completeAuthorize' || id === 'exchangeToken' || id === 'revokeToken' || id === 'readInvitation';
  const query =
    id === 'readAuthorizeContext'
      ? `?client_id=${segments.accountId}.${project.slug}&redirect_uri=https://app.example/cb&scope=env:development`
      : '';
  return {
    method: operations[id].method,
    path: path + query,
    options: {
      headers: {
        ...(isForm && { 'Content-Type': 'application/x-www-form-urlencoded' }),
        ...('precondition' in operations[id] && {
          ...(id === 'patchUserState' || id === 'patchPlayerState' ? { 'If-None-Match': '*' } : { 'If-Match': '"1"' }),
        }),
      },
      ...(isForm ? { body: 'client_id=unknown' } : body !== undefined && { body }),
    },
  };
}

/** Expected statuses of routes that fail for a reason other than the credential. */
const otherwise: Partial<Record<OperationId, number>> = {
  completeAuthorize: 400,
  exchangeToken: 400,
  revokeToken: 400,
  readInvitation: 400,
  mergeGuest: 400,
};

describe.each(Object.keys(table) as (keyof typeof table)[])('%s', (id) => {
  test('answers each credential as in the table', async () => {
    const scene = await (operations[id].method === 'GET' ? reading : newScene(operations[id].path));
    const { method, path, options } = requestOf(id, scene);
    const { credentials } = scene;
    const row = table[id];
    // Permitted callers come last, since they may delete the resource.
    const inOrder = (Object.keys(row) as Credential[]).sort((a, b) => Number(row[a] === 'in') - Number(row[b] === 'in'));
    const seen: Partial<Record<Credential, Cell | number>> = {};
    let succeeded = false;
    for (const name of inOrder) {
      const Authorization = credentials[name];
      const answer = await server.call(method, path, {
        ...options,
        headers: { ...options.headers, ...(Authorization !== undefined && { Authorization }) },
      });
      const challenge = answer.headers['www-authenticate'];
      if (answer.status === 401 && challenge === 'Bearer') seen[name] = 'missing';
      else if (answer.status === 401 && challenge?.startsWith('Bearer error="invalid_token"')) seen[name] = 'rejected';
      else if (answer.status === 403) seen[name] = answer.text === '' ? 'forbidden, empty' : 'forbidden';
      else if (answer.status < 300 || answer.status === otherwise[id]) seen[name] = 'in';
      // A second writer of the same version, or a second creator, is let in but comes too late.
      else if (succeeded && row[name] === 'in' && [404, 409, 412].includes(answer.status)) seen[name] = 'in';
      else seen[name] = answer.status;
      if (seen[name] === 'in') succeeded = true;
    }
    expect(seen).toEqual(row);
  });
});

test('the table has every operation of the service', async () => {
  const { paths } = (await server.call('GET', '/openapi.json')).json as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const served = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
  expect([...served].sort()).toEqual(Object.keys(table).sort());
});

describe('an account or project that does not exist', () => {
  test.each([
    ['unknown account, developer', 404],
    ['unknown project, developer', 404],
    ['unknown account, API key', 403],
    ['unknown project, API key', 403],
    ['unknown project, player', 403],
  ])('%s: %i', async (name, status) => {
    const { project, credentials } = await reading;
    const Authorization =
      credentials[name.endsWith('API key') ? 'API key' : name.endsWith('player') ? 'player' : 'developer'];
    const account = name.startsWith('unknown account') ? 'acc_unknown' : project.developer.accountId;
    const route = name.endsWith('player') ? 'user-state' : 'public-state';
    const answer = await server.call('GET', `/v1/${account}/projects/unknown/${route}/development`, {
      headers: { Authorization: Authorization as string },
    });
    expect([answer.status, answer.text === '']).toEqual([status, name.endsWith('API key')]);
  });
});
