/**
 * Authority holds to the end: every operation that a credential sends to change something, with everything that ends or narrows the
 * authority behind it while the request is under way. The answer is that of a new request with the credential, and nothing is written.
 *
 * Operations come from the contract: a new one is here by itself, and fails until it has a body (`examples`) and its path can be filled.
 * A request is held in three ways: in its body, of which the first half was sent; in the look-up of its credential, where it has no body;
 * and in the first read of its handler, where that reads before it writes.
 *
 * @see docs/contract.md §3.9
 */
import { type ClientRequest, request as httpRequest } from 'node:http';
import {
  allOperations,
  type ComponentName,
  type CredentialKind,
  type MemberRole,
  type Operation,
  type OperationId,
  reachOf,
} from '@holdfast/contract';
import { undeclared } from '@holdfast/contract/conformance';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { examples } from '../../packages/contract/src/examples.ts';
import { writingVerbs } from '../../packages/server/src/storage/cold/verbs.ts';
import { byOperator } from '../../packages/server/src/storage/records.fixture.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { newMember } from '../support/members.ts';
import { openPlace, type Place } from '../support/place.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';

type Headers = Readonly<Record<string, string>>;

/** Notes of uses and counts are of the service, not of a request. */
const bookkeeping =
  /^(record(ApiKeyUse|ServiceAccountUse|DevelopersSeen)|enrolDevelopers|add(ApiRequests|RequestFigures)|sweep|remove(SomeSignIns)|drop|settle)/;
const writes = new Set<string | symbol>(
  ['writePublicState', 'writeUserState', 'consumeRefreshToken', ...writingVerbs.map(({ name }) => name)].filter(
    (name) => !bookkeeping.test(name),
  ),
);

/** A store that notes what is written, and can keep what it has read to itself. */
const watch = { written: [] as string[], held: [] as (() => void)[], holds: (_: string | symbol): boolean => false };
const nothing = () => false;

function watched(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== 'function') return method;
      return (...values: unknown[]) => {
        if (writes.has(name)) watch.written.push(String(name));
        const result: unknown = method.apply(target, values);
        if (writes.has(name) || !watch.holds(name)) return result;
        return new Promise((resolve) => watch.held.push(() => resolve(result)));
      };
    },
  });
}

function release(): void {
  watch.holds = nothing;
  for (const go of watch.held.splice(0)) go();
}

const clock = { at: Date.now() };
let place: Place;
let server: TestServer;
beforeAll(async () => {
  place = await openPlace();
  server = await startServer({
    place,
    openStore: async () => watched(await place.openStore()),
    now: () => clock.at,
    settings: { SVC_AUTH_RATE_LIMIT_PER_MINUTE: '0', SVC_IDP_PRIVATE_ADDRESSES: 'allowed' },
  });
});
afterAll(async () => {
  release();
  await server.stop();
  await place.remove();
});

afterEach(release);

/** An account with one of everything that a path can name. */
interface Ground {
  readonly project: Project;
  readonly accountId: string;
  readonly names: Readonly<Record<string, string>>;
}

const playerId = 'player-1';

async function newGround(): Promise<Ground> {
  const project = await server.newProject();
  const { developer, path } = project;
  const { accountId, bearer: headers } = developer;
  const make = async (method: string, at: string, body?: unknown, more: Headers = {}) => {
    const answer = await server.call(method, at, {
      headers: { ...headers, ...more },
      ...(body !== undefined && { body }),
    });
    expect(answer.status, `${method} ${at}: ${answer.text}`).toBeLessThan(300);
    return answer.text === '' ? {} : (answer.json as Record<string, string>);
  };
  const absent = { 'If-None-Match': '*' };
  const [invitation, robot, key, other] = await Promise.all([
    make('POST', `/v1/${accountId}/invitations`, { role: 'viewer' }),
    make('POST', `/v1/${accountId}/service-accounts`, { name: 'Robot', role: 'editor' }),
    server.newApiKey(project),
    newMember(server, accountId, 'viewer'),
    newMember(server, accountId, 'owner'),
    make('PUT', `${path}/public-state/development`, { state: { theme: 'dark', banner: '', features: {} } }, absent),
    make('PATCH', `${path}/user-states/development/${playerId}`, { ops: save }, absent),
    make('PUT', `${path}/schemas/development/public-state`, { mode: 'report', schema: {} }, absent),
    make('PUT', `/v1/${accountId}/identity-providers/google.com`, { clientId: 'c', clientSecret: 's' }),
  ]);
  const added = await make('POST', `/v1/${accountId}/service-accounts/${robot.id}/secrets`);
  const names = {
    accountId,
    slug: project.slug,
    env: 'development',
    kind: 'public-state',
    keyId: key.id,
    key: 'flag',
    providerId: 'google.com',
    userId: 'usr_none',
    endUserId: playerId,
    memberId: other.memberId,
    invitationId: invitation.id as string,
    serviceAccountId: robot.id as string,
    secretId: added.secretId as string,
  };
  return { project, accountId, names };
}

const save = [
  { op: 'add', path: '/theme', value: 'dark' },
  { op: 'add', path: '/features', value: {} },
  { op: 'add', path: '/banner', value: '' },
];

/** What is sent of an operation beside the example of its body. */
const ownBodies: Partial<Record<OperationId, unknown>> = {
  renameProject: { name: 'New' },
  replacePlayerBlock: { reason: 'Bought gold with a stolen card' },
  replaceIdentityProvider: { clientId: 'c', clientSecret: 's' },
};
/** What the ground does not have: an answer that is no refusal of authority shows that the operation was reached. */
const reachedBy: Partial<Record<OperationId, number>> = {
  deleteUser: 404,
  mergeGuest: 403,
  evaluateFlag: 404,
  createServiceAccountSecret: 409,
};

interface Sent {
  readonly id: OperationId;
  readonly operation: Operation;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

function requestOf(id: OperationId, operation: Operation, { names }: Ground, credential: string): Sent {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const found = names[name];
    if (found === undefined) throw new Error(`no test says what {${name}} of ${id} is`);
    return encodeURIComponent(found);
  });
  const value = ownBodies[id] ?? (operation.body && examples[operation.body.schema as ComponentName]);
  if (operation.body !== undefined && value === undefined) throw new Error(`the body of ${id} has no example`);
  const body = value && JSON.stringify(value);
  const headers = {
    Authorization: credential,
    ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
    ...(operation.precondition && { 'If-Match': '"1"' }),
  };
  return { id, operation, path, headers, body };
}

interface Answered {
  readonly status: number;
  readonly code: string | undefined;
}

/** A request whose first half is out. */
class Held {
  readonly sent: Sent;
  readonly answer: Promise<Answered>;
  readonly #request: ClientRequest;
  readonly #half: number;
  isAnswered = false;

  constructor(sent: Sent, isWhole: boolean) {
    const { operation, path, headers, body } = sent;
    const { hostname, port } = new URL(server.baseUrl);
    const request = httpRequest({ host: hostname, port, method: operation.method, path, headers, agent: false });
    this.sent = sent;
    this.#request = request;
    this.#half = isWhole ? (body?.length ?? 0) : (body?.length ?? 0) >> 1;
    this.answer = new Promise<Answered>((resolve, reject) => {
      request.on('error', reject).on('response', (response) => {
        const chunks: Buffer[] = [];
        response
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const status = response.statusCode ?? 0;
            const fault = undeclared(sent.id, status, response.headers, text);
            if (fault !== undefined) reject(new Error(`${sent.id} answered what it does not declare: ${fault}`));
            else resolve({ status, code: /"error":"(\w+)"/.exec(text)?.[1] });
          });
      });
    }).finally(() => {
      this.isAnswered = true;
    });
    this.answer.catch(() => undefined);
    request.flushHeaders();
    if (body !== undefined) request.write(body.slice(0, this.#half));
    if (isWhole) request.end();
  }

  finish(): Promise<Answered> {
    if (!this.#request.writableEnded) this.#request.end(this.sent.body?.slice(this.#half));
    return this.answer;
  }
}

const whole = (sent: Sent) => new Held(sent, true).finish();

/** What ends or narrows the authority of a credential, and which of its operations it takes away. */
interface Ender {
  readonly name: string;
  readonly end: (ground: Ground, credential: Made) => Promise<unknown>;
  /** Left out: all. */
  readonly takes?: (operation: Operation) => boolean;
  /** The role of the credential. Left out: the one that may do most. */
  readonly role?: MemberRole;
}

/** A credential, and what it is known by. */
interface Made {
  readonly authorization: string;
  readonly id: string;
}

interface Kind {
  readonly name: string;
  readonly kind: CredentialKind;
  readonly make: (ground: Ground, role?: MemberRole) => Promise<Made>;
  readonly enders: readonly Ender[];
  readonly takes?: (operation: Operation) => boolean;
}

const asOwner = ({ project }: Ground, method: string, path: string, body?: unknown) =>
  server
    .call(method, path, { headers: project.developer.bearer, ...(body !== undefined && { body }) })
    .then((answer) => expect(answer.status, answer.text).toBeLessThan(300));
const by = () => ({ ...byOperator, at: clock.at });
const store = () => server.running.store;
const ofProject = ({ path }: Operation) => path.includes('{slug}');
const needsMore = (authority: Parameters<typeof reachOf>[0]) => (operation: Operation) =>
  reachOf(authority, operation.needs ?? 'read', operation.path.includes('{env}') ? 'development' : undefined) !== 'reaches';

const suspension: Ender = {
  name: 'a suspension',
  end: ({ accountId }) => store().suspendAccount(by(), accountId, clock.at),
};
const signedOut: Ender = {
  name: 'the end of all sessions of the account',
  end: ({ accountId }) => store().signOutAccount(by(), accountId, clock.at + 1_000),
};
const accountGone: Ender = {
  name: 'the deletion of the account',
  end: (ground) => asOwner(ground, 'DELETE', `/v1/${ground.accountId}`),
};
const projectGone: Ender = {
  name: 'the deletion of the project',
  end: (ground) => asOwner(ground, 'DELETE', ground.project.path),
  takes: ofProject,
};
const protection: Ender = {
  name: 'a protected environment',
  end: (ground) => asOwner(ground, 'PATCH', ground.project.path, { protectedEnvironments: ['development'] }),
  takes: ({ needs }) => needs === 'write_state',
  role: 'editor',
};
const expiry: Ender = {
  name: 'its own expiry',
  end: async () => {
    clock.at += 901_000;
  },
};
const everything = [suspension, accountGone, projectGone, expiry];

const playerPath = ({ project }: Ground) => `${project.path}/players/${playerId}`;
const ofPlayer: readonly Ender[] = [
  { name: 'a block', end: (ground) => asOwner(ground, 'PUT', `${playerPath(ground)}/block`, {}) },
  { name: 'the end of its sessions', end: (ground) => asOwner(ground, 'DELETE', `${playerPath(ground)}/sessions`) },
  { name: 'erasure by a developer', end: (ground) => asOwner(ground, 'DELETE', playerPath(ground)) },
  {
    name: 'erasure by itself',
    async end({ project }, { authorization }) {
      const answer = await server.call('DELETE', `${project.path}/me`, { headers: { Authorization: authorization } });
      expect(answer.status, answer.text).toBe(204);
    },
  },
];

const kinds: readonly Kind[] = [
  {
    name: 'a member',
    kind: 'developer',
    async make({ accountId }, role = 'owner') {
      const { memberId, subject } = await newMember(server, accountId, role);
      const token = await server.running.accessTokens.signDeveloperToken({ accountId, subject, seconds: 900 });
      return { authorization: `Bearer ${token}`, id: memberId };
    },
    enders: [
      ...everything,
      signedOut,
      protection,
      {
        name: 'removal',
        end: (ground, { id }) => asOwner(ground, 'DELETE', `/v1/${ground.accountId}/members/${id}`),
      },
      {
        name: 'a lower role',
        end: (ground, { id }) =>
          asOwner(ground, 'PATCH', `/v1/${ground.accountId}/members/${id}`, { role: 'viewer', environments: null }),
        takes: needsMore({ role: 'viewer', environments: null }),
      },
      {
        name: 'narrower environments',
        end: (ground, { id }) =>
          asOwner(ground, 'PATCH', `/v1/${ground.accountId}/members/${id}`, { role: 'admin', environments: ['staging'] }),
        takes: needsMore({ role: 'admin', environments: ['staging'] }),
      },
      {
        name: 'a second factor that is required',
        end: (ground) => asOwner(ground, 'PATCH', `/v1/${ground.accountId}`, { requireSecondFactor: true }),
      },
    ],
  },
  {
    name: 'a service account',
    kind: 'developer',
    async make({ accountId }) {
      const { store: from } = server.running;
      const answer = await server.call('POST', `/v1/${accountId}/service-accounts`, {
        headers: { Authorization: await operatorOf(accountId) },
        body: { name: 'Actor', role: 'admin' },
      });
      const { id, clientSecret } = answer.json as { id: string; clientSecret: string };
      expect(await from.findServiceAccount(accountId, id)).toBeDefined();
      const form = { grant_type: 'client_credentials', client_id: id, client_secret: clientSecret };
      const { json } = await server.call('POST', '/v1/auth/token', {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      });
      return { authorization: `Bearer ${(json as { access_token: string }).access_token}`, id };
    },
    takes: ({ needs }) => needs !== undefined && reachesAsRobot(needs),
    enders: [
      ...everything,
      {
        name: 'its deletion',
        end: (ground, { id }) => asOwner(ground, 'DELETE', `/v1/${ground.accountId}/service-accounts/${id}`),
      },
      {
        name: 'the deletion of its secret',
        async end(ground, { id }) {
          const path = `/v1/${ground.accountId}/service-accounts/${id}`;
          const { json } = await server.call('GET', path, { headers: ground.project.developer.bearer });
          const [{ secretId } = { secretId: '' }] = (json as { secrets: { secretId: string }[] }).secrets;
          await asOwner(ground, 'POST', `${path}/secrets`);
          await asOwner(ground, 'DELETE', `${path}/secrets/${secretId}`);
        },
      },
    ],
  },
  {
    name: 'an API key',
    kind: 'api_key',
    async make({ project }) {
      const expiresAt = new Date(clock.at + 900_000).toISOString();
      const { id, apiKey } = await server.newApiKey(project, { expiresAt });
      return { authorization: `ApiKey ${apiKey}`, id };
    },
    enders: [
      ...everything,
      protection,
      {
        name: 'its revocation',
        end: (ground, { id }) => asOwner(ground, 'DELETE', `${ground.project.path}/api-keys/${id}`),
      },
    ],
  },
  {
    name: 'a player',
    kind: 'end_user',
    async make({ project }) {
      const { accountId } = project.developer;
      const token = await server.running.accessTokens.signEndUserToken({
        accountId,
        slug: project.slug,
        environment: 'development',
        userId: playerId,
        signedInAt: clock.at,
        seconds: 900,
      });
      return { authorization: `Bearer ${token}`, id: playerId };
    },
    enders: [...everything, signedOut, ...ofPlayer],
  },
];

const operatorOf = async (accountId: string) =>
  `Bearer ${await server.running.accessTokens.signDeveloperToken({ accountId, subject: 'operator', actsAs: 'operator', seconds: 900 })}`;

const reachesAsRobot = (needs: NonNullable<Operation['needs']>) =>
  !['manage_access', 'own', 'self', 'read_members', 'read_access'].includes(needs);

const operationsOf = ({ kind, takes = () => true }: Kind) =>
  allOperations.filter(
    ([, operation]) =>
      operation.method !== 'GET' && (operation.access as readonly CredentialKind[]).includes(kind) && takes(operation),
  );

async function settled(requests: readonly Held[]): Promise<void> {
  const isQuiet = () => watch.held.length >= requests.filter(({ isAnswered }) => !isAnswered).length;
  await expect.poll(isQuiet, { interval: 5 }).toBe(true);
}

/** A first request with the credential, so that what it needs is remembered. */
async function warm({ project }: Ground, { authorization }: Made): Promise<void> {
  const headers = { Authorization: authorization };
  for (const path of ['/public-state/development', '/user-state/development']) {
    await server.call('GET', project.path + path, { headers });
  }
}

describe.each(kinds)('$name', (kind) => {
  const all = operationsOf(kind);
  /** The operations whose handlers read before they write. */
  const reading = new Set<OperationId>();

  test('sends every operation of its kind', () => {
    expect(all.length).toBeGreaterThan(2);
  });

  test.each(all)('%s is carried out while nothing has happened', { concurrent: false }, async (id, operation) => {
    const ground = await newGround();
    const credential = await kind.make(ground);
    await warm(ground, credential);
    let reads = 0;
    watch.written.length = 0;
    watch.holds = () => {
      if (watch.written.length === 0) reads += 1;
      return false;
    };
    const held = new Held(requestOf(id, operation, ground, credential.authorization), false);
    const { status, code } = await held.finish();
    watch.holds = nothing;
    if (reads > 0) reading.add(id);
    const expected = reachedBy[id];
    expect(status, `${id}: ${status} ${code}`).toBeGreaterThan(199);
    if (expected === undefined) expect(status, `${id}: ${code}`).toBeLessThan(300);
  });

  test.each(kind.enders)('$name ends what is under way', async ({ end, takes = () => true, role }) => {
    const taken = all.filter(([, operation]) => takes(operation));
    for (const way of ['body', 'look-up', 'handler'] as const) {
      const operations = taken.filter(([id, { body, needs }]) => {
        if (way === 'handler') return reading.has(id) && needs !== 'read'; // what only reads has begun to
        return (way === 'body') === (body !== undefined);
      });
      if (operations.length === 0) continue;
      const ground = await newGround();
      const credential = await kind.make(ground, role);
      const requests = operations.map(([id, operation]) => requestOf(id, operation, ground, credential.authorization));
      if (way === 'look-up') {
        await store().writeOwnLimits(by(), ground.accountId, {}); // what is remembered of the account is forgotten
        watch.holds = (name) => name === 'findAccount';
      } else await warm(ground, credential);
      if (way === 'handler') watch.holds = () => true;
      const held = requests.map((sent) => new Held(sent, way !== 'body'));
      if (way === 'body') await new Promise((resolve) => setTimeout(resolve, 100));
      else await settled(held);
      // A handler that finds everything in memory has begun to write: nothing is left to wait for.
      const open = held.filter(({ isAnswered }) => way !== 'handler' || !isAnswered);
      expect(open.filter(({ isAnswered }) => isAnswered)).toEqual([]);
      watch.holds = nothing;
      await end(ground, credential);
      watch.written.length = 0;
      release();
      const answers = await Promise.all(open.map((one) => one.finish()));
      const written = [...watch.written];
      const anew = await Promise.all(open.map(({ sent }) => whole(sent)));
      const named = (list: readonly Answered[]) =>
        list.map(({ status, code }, at) => `${way} ${open[at]?.sent.id} ${status} ${code}`);
      // What goes while the checks look it up may be missed by the one or the other of them.
      const isGone = ({ status }: Answered) => way === 'look-up' && status === 404;
      expect(named(answers)).toEqual(
        named(anew.map((one, at) => (answers[at] && isGone(answers[at]) ? answers[at] : one))),
      );
      expect(anew.filter(({ status }) => status < 400 || status === 503)).toEqual([]);
      expect(written).toEqual([]);
    }
  });
});
