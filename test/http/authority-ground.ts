/** Accounts with one resource for each path parameter, and a request for each operation of the contract. */
import type { ComponentName, Operation, OperationId } from '@holdfast/contract';
import { expect } from 'vitest';
import { examples } from '../../packages/contract/src/examples.ts';
import { passwordUser } from '../../packages/server/src/storage/store-suite/identity/directory-users.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { guestGrant, newDevice, nonceOf } from '../../tooling/guest.ts';
import type { Answer } from '../support/client.ts';
import type { Sent } from '../support/held-requests.ts';
import { newMember } from '../support/members.ts';
import type { Project, TestServer } from '../support/server.ts';

type Headers = Readonly<Record<string, string>>;

export const playerId = 'player-1';

/** The value of a path parameter. It is created on first use. */
type Name = () => string | Promise<string>;

export interface Ground {
  readonly server: TestServer;
  readonly project: Project;
  readonly accountId: string;
  readonly names: Readonly<Record<string, Name>>;
  /** Sends as the operator. Fails if the request is refused. */
  send(method: string, path: string, body?: unknown, headers?: Headers): Promise<Answer>;
}

const absent = { 'If-None-Match': '*' };
const publicState = {
  theme: 'dark',
  banner: '',
  features: {},
  flags: { flag: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } },
};
const stateOps = Object.entries({ theme: 'dark', banner: '', features: {} }).map(([name, value]) => ({
  op: 'add',
  path: `/${name}`,
  value,
}));

/** A change of the document at version 1. */
const proposal = { baseVersion: 1, ops: [{ op: 'replace', path: '/theme', value: 'light' }] };

const emptySchema = {
  mode: 'report',
  schemaText: '{}',
  instructions: 0,
  comment: null,
  author: null,
  writtenAt: 1_000,
} as const;

/** Returns a new account with a project. Its public state and its player's user state are at version 1. */
export async function newGround(server: TestServer): Promise<Ground> {
  const project = await server.newProject();
  const { developer, path } = project;
  const { accountId } = developer;
  const send: Ground['send'] = async (method, at, body, headers = {}) => {
    const sent = { ...developer.bearer, ...headers };
    const answer = await server.call(method, at, { headers: sent, ...(body !== undefined && { body }) });
    expect(answer.status, `${method} ${at}: ${answer.text}`).toBeLessThan(300);
    return answer;
  };
  const allowed = { enabled: true, redirectUris: [], allowedIdps: ['password', 'anonymous'] };
  await Promise.all([
    send('PUT', `${path}/public-state/development`, { state: publicState }, absent),
    send('PATCH', `${path}/user-states/development/${playerId}`, { ops: stateOps }, absent),
    send('PUT', `${path}/auth/end-user/config`, allowed),
  ]);
  const ground = { server, project, accountId, send };
  return { ...ground, names: namesOf(ground) };
}

function namesOf({ server, project, accountId, send }: Omit<Ground, 'names'>): Ground['names'] {
  const { slug } = project;
  const { store } = server.running;
  const account = `/v1/${accountId}`;
  const idOf = async (answer: Promise<Answer>) => ((await answer).json as { id: string }).id;
  const newRobot = () => idOf(send('POST', `${account}/service-accounts`, { name: 'Robot', role: 'editor' }));
  const robotWithTwoSecrets = once(newRobot);
  // Nobody listens there, so deliveries wait.
  const receiver = { url: 'http://127.0.0.1:9', events: ['schema.changed'] };
  const webhook = once(() => idOf(send('POST', `${project.path}/webhooks`, receiver)));
  return {
    accountId: () => accountId,
    slug: () => slug,
    env: () => 'development',
    key: () => 'flag',
    endUserId: () => playerId,
    keyId: once(async () => (await server.newApiKey(project)).id),
    memberId: once(async () => (await newMember(server, accountId, 'viewer')).memberId),
    invitationId: once(() => idOf(send('POST', `${account}/invitations`, { role: 'viewer' }))),
    serviceAccountId: once(newRobot),
    robotWithTwoSecrets,
    secretId: once(async () => {
      const { json } = await send('POST', `${account}/service-accounts/${await robotWithTwoSecrets()}/secrets`);
      return (json as { secretId: string }).secretId;
    }),
    providerId: once(async () => {
      await send('PUT', `${account}/identity-providers/google.com`, { clientId: 'c', clientSecret: 's' });
      return 'google.com';
    }),
    userId: once(async () => {
      const user = `usr_${accountId.slice(4)}`;
      await passwordUser(store, accountId, user);
      return user;
    }),
    proposalId: once(() => idOf(send('POST', `${project.path}/public-state/development/proposals`, proposal))),
    webhookId: webhook,
    deliveryId: once(async () => {
      const path = `${project.path}/webhooks/${await webhook()}`;
      await send('POST', `${path}/test`);
      const { json } = await send('GET', `${path}/deliveries`);
      return (json as { items: { id: string }[] }).items[0]?.id as string;
    }),
    kind: once(async () => {
      const key = { accountId, slug, environment: 'development', kind: 'public-state' } as const;
      // Over HTTP the answer waits until other nodes have the schema too, which takes a second.
      await store.writeSchema(byOperator, key, { kind: 'absent' }, emptySchema);
      return key.kind;
    }),
  };
}

function once(make: () => Promise<string>): () => Promise<string> {
  let created: Promise<string> | undefined;
  return () => {
    created ??= make();
    return created;
  };
}

/** Path parameters that differ from the usual ones. The last secret of a service account cannot be deleted. */
const otherNames: Partial<Record<OperationId, Readonly<Record<string, string>>>> = {
  deleteServiceAccountSecret: { serviceAccountId: 'robotWithTwoSecrets' },
};

/** Returns the body that merges a guest with a user state into the player of the ground. */
async function mergeOf({ server, project, accountId }: Ground): Promise<unknown> {
  const [device, clientId, scope] = [newDevice(), `${accountId}.${project.slug}`, 'env:development'];
  const assert = async (claims: object = {}) => {
    const nonce = nonceOf(await server.call('GET', '/v1/auth/nonce', {}));
    return device.assert({ baseUrl: server.baseUrl, clientId, scope }, nonce, { claims: { ...claims } });
  };
  const form = { grant_type: guestGrant, client_id: clientId, scope, assertion: await assert() };
  const answer = await server.call('POST', '/v1/auth/token', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  const { access_token: token } = answer.json as { access_token: string };
  const headers = { Authorization: `Bearer ${token}`, ...absent };
  const saved = await server.call('PATCH', `${project.path}/user-state/development`, { headers, body: { ops: stateOps } });
  expect(saved.status, saved.text).toBe(200);
  const guestAssertion = await assert({ merge_into: playerId });
  return { guestAssertion, state: { theme: 'both' }, ifVersion: 1, fromVersion: 1 };
}

/** Bodies that replace the example of an operation. */
const ownBodies: Partial<Record<OperationId, (ground: Ground) => unknown>> = {
  updateProject: () => ({ name: 'New' }),
  createProposal: () => proposal,
  createProposalApproval: () => ({ revision: 1, version: 1 }),
  applyProposal: () => ({ revision: 1 }),
  replacePlayerBlock: () => ({ reason: 'Bought gold with a stolen card' }),
  replaceIdentityProvider: () => ({ clientId: 'c', clientSecret: 's' }),
  mergeGuest: mergeOf,
  // The example changes an existing user state, which a guest does not have.
  patchUserState: () => ({ ops: stateOps }),
};

/** Requests with the same credential that must come first. */
const before: Partial<Record<OperationId, (path: string, { send }: Ground, headers: Headers) => Promise<unknown>>> = {
  deleteProposalApproval: (path, { send }, headers) => send('POST', path, { revision: 1, version: 1 }, headers),
};

/** Returns the request of an operation. Fails if the values of its path parameters or its body are unknown. */
export async function requestOf(
  [id, operation]: readonly [OperationId, Operation],
  ground: Ground,
  credential: string,
  condition: Headers = { 'If-Match': '"1"' },
): Promise<Sent> {
  let { path } = operation;
  for (const [parameter, name = ''] of operation.path.matchAll(/\{(\w+)\}/g)) {
    const found = ground.names[otherNames[id]?.[name] ?? name];
    if (found === undefined) throw new Error(`no test says what ${parameter} of ${id} is`);
    path = path.replace(parameter, encodeURIComponent(await found()));
  }
  await before[id]?.(path, ground, { Authorization: credential });
  const value = (await ownBodies[id]?.(ground)) ?? (operation.body && examples[operation.body.schema as ComponentName]);
  if (operation.body !== undefined && value === undefined) throw new Error(`the body of ${id} has no example`);
  const body = value && JSON.stringify(value);
  const headers = {
    Authorization: credential,
    ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
    ...(operation.precondition && condition),
  };
  return { id, operation, path, headers, body };
}
