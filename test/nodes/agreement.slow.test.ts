import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresStore } from '../../packages/server/src/storage/postgres/store.ts';
import { byOperator } from '../../packages/server/src/storage/store-suite/records.fixture.ts';
import { holdfastCommand, serverEnvironment } from '../../tooling/server-process.ts';
import { appUri, type World } from '../oauth/world.ts';
import { type Answer, call } from '../support/client.ts';
import { newMember } from '../support/members.ts';
import type { Developer } from '../support/server.ts';
import { openPair, type Pair } from './pair.ts';

/** Longest time until a withdrawn authorisation is refused on every node. */
const promisedMilliseconds = 1_000;
const tries = 8;

let pairOfNodes: Pair;
let world: World;
let nodes: Pair['nodes'];
beforeAll(async () => {
  pairOfNodes = await openPair();
  ({ world, nodes } = pairOfNodes);
});
afterAll(() => pairOfNodes?.close());

/** The node that acts in this round, and the one that must notice. */
const pair = (round: number): readonly [string, string] => (round % 2 === 0 ? nodes : [nodes[1], nodes[0]]);

const json = (answer: Answer, status = 200): Record<string, unknown> => {
  expect(answer.status, answer.text).toBe(status);
  return answer.json as Record<string, unknown>;
};

describe('a write acknowledged by one node is seen by the next read on the other', () => {
  const rounds = 100;

  test('to public state, by PUT and PATCH', async () => {
    const { project } = world;
    const { apiKey } = await world.server.newApiKey(project);
    const path = `${project.path}/public-state/production`;
    const headers = { Authorization: `ApiKey ${apiKey}` };
    for (let version = 1; version <= rounds; version++) {
      const [writer, reader] = pair(version);
      const precondition = version === 1 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version - 1}"` };
      const isPatch = version % 3 === 0;
      const body = isPatch
        ? { ops: [{ op: 'replace', path: '/count', value: version }] }
        : { state: { count: version, padding: 'p'.repeat((version * 37) % 3_000) } };
      const write = () => call(writer, isPatch ? 'PATCH' : 'PUT', path, { headers: { ...headers, ...precondition }, body });
      expect(json(await write()).version).toBe(version);
      const read = json(await call(reader, 'GET', path, { headers }));
      expect(read).toMatchObject({ version, state: { count: version } });
      // Both nodes reject the same write when it is repeated.
      if (version % 10 === 0) {
        const again = await call(reader, 'PUT', path, { headers: { ...headers, ...precondition }, body: { state: {} } });
        expect(json(again, 412).currentVersion).toBe(version);
      }
    }
    const listed = await call(nodes[1], 'GET', `${path}/versions`, { headers });
    expect((listed.json as { version: number }[]).map(({ version }) => version)).toEqual(
      Array.from({ length: rounds }, (_, index) => rounds - index),
    );
  });

  test('to user state', async () => {
    const { project } = world;
    const { accessTokens } = world.server.running;
    const token = await accessTokens.signPlayerToken({
      accountId: project.developer.accountId,
      slug: project.slug,
      environment: 'production',
      userId: 'player-1',
      seconds: 900,
    });
    const path = `${project.path}/user-state/production`;
    const headers = { Authorization: `Bearer ${token}` };
    for (let version = 1; version <= rounds; version++) {
      const [writer, reader] = pair(version);
      const precondition = version === 1 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version - 1}"` };
      const body = { ops: [{ op: 'add', path: '/count', value: version }] };
      expect(json(await call(writer, 'PATCH', path, { headers: { ...headers, ...precondition }, body })).version).toBe(
        version,
      );
      expect(json(await call(reader, 'GET', path, { headers }))).toEqual({ version, state: { count: version } });
    }
  });

  test('to a deleted and recreated user state', async () => {
    const { project } = world;
    const { bearer } = project.developer;
    const token = await world.server.running.accessTokens.signPlayerToken({
      accountId: project.developer.accountId,
      slug: project.slug,
      environment: 'staging',
      userId: 'player-2',
      seconds: 900,
    });
    const headers = { Authorization: `Bearer ${token}` };
    const path = `${project.path}/user-state/staging`;
    const body = { ops: [{ op: 'add', path: '/a', value: 1 }] };
    let last = 0;
    for (let round = 0; round < 20; round++) {
      const [one, two] = pair(round);
      const created = json(await call(one, 'PATCH', path, { headers: { ...headers, 'If-None-Match': '*' }, body }));
      expect(created.version).toBeGreaterThan(last);
      last = created.version as number;
      expect(json(await call(two, 'GET', path, { headers })).version).toBe(last);
      expect((await call(two, 'DELETE', `${project.path}/user-states/player-2`, { headers: bearer })).status).toBe(204);
      expect((await call(one, 'GET', path, { headers })).status).toBe(204);
    }
  });
});

/** An action that withdraws authorisation, and a check whether a node already applies it. */
interface Withdrawal {
  act(node: string): Promise<unknown>;
  hasActed(node: string): Promise<boolean>;
}

/**
 * Asks until the answer is yes, and returns the milliseconds by `elapsed`. Only questions asked within the promised time may be answered
 * with no, however long a busy machine takes to answer.
 */
async function withinPromise(elapsed: () => number, ask: () => Promise<boolean>): Promise<number> {
  for (;;) {
    const askedAfter = elapsed();
    if (await ask()) return elapsed();
    expect(askedAfter).toBeLessThan(promisedMilliseconds);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Longest time in milliseconds from one node's response until the other node applies the change. */
async function longestDelay(prepare: () => Promise<Withdrawal>): Promise<number> {
  let longest = 0;
  for (let round = 0; round < tries; round++) {
    const [actor, observer] = pair(round);
    const { act, hasActed } = await prepare();
    expect([await hasActed(actor), await hasActed(observer)]).toEqual([false, false]);
    await act(actor);
    const elapsed = pairOfNodes.startClock();
    expect(await hasActed(actor), 'the node itself acts at once').toBe(true);
    longest = Math.max(longest, await withinPromise(elapsed, () => hasActed(observer)));
  }
  return longest;
}

const done = ({ status, text }: Answer) => expect(status, text).toBe(204);

/** Whether the response has `status`. Fails unless it has that or one of `before`. */
function isStatus(answer: Answer, status: number, ...before: readonly number[]): boolean {
  expect([status, ...before], answer.text).toContain(answer.status);
  return answer.status === status;
}

/** Creates a service account, and a token from the node in this process that both nodes accept. */
async function newRobot(developer?: Developer) {
  const { accountId, bearer } = developer ?? (await world.server.newDeveloper());
  const robots = `/v1/${accountId}/service-accounts`;
  const created = await call(nodes[0], 'POST', robots, { headers: bearer, body: { name: 'robot', role: 'viewer' } });
  const robot = json(created, 201) as { id: string; clientSecret: string; secrets: { secretId: string }[] };
  const form = { grant_type: 'client_credentials', client_id: robot.id, client_secret: robot.clientSecret };
  const answer = await call(nodes[0], 'POST', '/v1/auth/token', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  return { robots, bearer, robot, headers: { Authorization: `Bearer ${json(answer).access_token}` } };
}

describe('acts on the other node within a second', () => {
  const cases: Readonly<Record<string, () => Promise<Withdrawal>>> = {
    'a revoked API key': async () => {
      const { project } = world;
      const { bearer } = project.developer;
      const { id, apiKey } = await world.server.newApiKey(project);
      const headers = { Authorization: `ApiKey ${apiKey}` };
      return {
        act: async (node) => done(await call(node, 'DELETE', `${project.path}/api-keys/${id}`, { headers: bearer })),
        hasActed: async (node) => isStatus(await call(node, 'GET', '/v1/api-key/info', { headers }), 401, 200),
      };
    },
    'a deleted secret of a service account': async () => {
      const { robots, bearer, robot, headers } = await newRobot();
      const path = `${robots}/${robot.id}/secrets/${robot.secrets[0]?.secretId}`;
      return {
        act: async (node) => done(await call(node, 'DELETE', path, { headers: bearer })),
        hasActed: async (node) => isStatus(await call(node, 'GET', robots.replace(/\/[^/]*$/, ''), { headers }), 401, 200),
      };
    },
    'a deleted service account': async () => {
      const { robots, bearer, robot, headers } = await newRobot();
      return {
        act: async (node) => done(await call(node, 'DELETE', `${robots}/${robot.id}`, { headers: bearer })),
        hasActed: async (node) => isStatus(await call(node, 'GET', robots.replace(/\/[^/]*$/, ''), { headers }), 401, 200),
      };
    },
    'a protected environment': async () => {
      const project = await world.server.newProject();
      const { apiKey } = await world.server.newApiKey(project);
      const headers = { Authorization: `ApiKey ${apiKey}`, 'If-Match': '"9"' };
      const body = { protectedEnvironments: ['production'] };
      const path = `${project.path}/public-state/production`;
      return {
        act: async (node) => json(await call(node, 'PATCH', project.path, { headers: project.developer.bearer, body })),
        hasActed: async (node) => isStatus(await call(node, 'PUT', path, { headers, body: { state: {} } }), 403, 412),
      };
    },
    'a deleted project': async () => {
      const project = await world.server.newProject();
      const { apiKey } = await world.server.newApiKey(project);
      const path = `${project.path}/public-state/production`;
      return {
        act: async (node) => done(await call(node, 'DELETE', project.path, { headers: project.developer.bearer })),
        hasActed: async (node) => {
          const byKey = await call(node, 'GET', path, { headers: { Authorization: `ApiKey ${apiKey}` } });
          const byDeveloper = await call(node, 'GET', path, { headers: project.developer.bearer });
          // The key stays in the cache for a moment, but its documents are inaccessible immediately.
          return isStatus(byKey, 401, 404, 204) && isStatus(byDeveloper, 404, 204);
        },
      };
    },
    'a role': async () => {
      const { accountId, bearer } = await world.server.newDeveloper();
      const member = await newMember(world.server, accountId, 'admin', null, world.provider.issuer);
      const path = `/v1/${accountId}/members/${member.memberId}`;
      const body = { role: 'viewer' };
      return {
        act: async (node) => json(await call(node, 'PATCH', path, { headers: bearer, body })),
        hasActed: async (node) =>
          isStatus(await call(node, 'GET', `/v1/${accountId}/invitations`, { headers: member.bearer }), 403, 200),
      };
    },
    'a removed member': async () => {
      const { accountId, bearer } = await world.server.newDeveloper();
      const member = await newMember(world.server, accountId, 'viewer', null, world.provider.issuer);
      return {
        act: async (node) =>
          done(await call(node, 'DELETE', `/v1/${accountId}/members/${member.memberId}`, { headers: bearer })),
        hasActed: async (node) =>
          isStatus(await call(node, 'GET', `/v1/${accountId}`, { headers: member.bearer }), 401, 200),
      };
    },
    'a deleted account': async () => {
      const { accountId, bearer: headers } = await world.server.newDeveloper();
      return {
        act: async (node) => done(await call(node, 'DELETE', `/v1/${accountId}`, { headers })),
        hasActed: async (node) => isStatus(await call(node, 'GET', `/v1/${accountId}`, { headers }), 401, 404, 200),
      };
    },
    'changed sign-in settings': async () => {
      const project = await world.newSignInProject();
      const body = { ...signInSettings, redirectUris: ['https://elsewhere.example/'] };
      const query = new URLSearchParams({ client_id: project.clientId, redirect_uri: appUri, scope: 'env:production' });
      return {
        act: async (node) =>
          json(
            await call(node, 'PUT', `${project.path}/auth/end-user/config`, { headers: project.developer.bearer, body }),
          ),
        hasActed: async (node) => isStatus(await call(node, 'GET', `/v1/auth/authorize/context?${query}`), 400, 200),
      };
    },
  };
  test.each(Object.entries(cases))('%s', async (name, prepare) => {
    report(name, await longestDelay(prepare));
  });

  test('an account suspended by a command, in every way', async () => {
    const { project } = world;
    const { accountId, bearer } = project.developer;
    const keys = [await world.server.newApiKey(project), await world.server.newApiKey(project, { kind: 'publishable' })];
    const player = await world.newTokens();
    const { robot, headers: ofRobot } = await newRobot(project.developer);
    const secret = { grant_type: 'client_credentials', client_id: robot.id, client_secret: robot.clientSecret };
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const get = (path: string, headers: Readonly<Record<string, string>>) => (node: string) =>
      call(node, 'GET', path, { headers });
    const ways = [
      get(`/v1/${accountId}`, bearer),
      get(`/v1/${accountId}/projects`, ofRobot),
      get(`${project.path}/user-state/production`, { Authorization: `Bearer ${player.access_token}` }),
      ...keys.map(({ apiKey }) => get(`${project.path}/public-state/staging`, { Authorization: `ApiKey ${apiKey}` })),
      get(`/v1/readonly${project.path.slice(3)}/auth/end-user/config`, {}),
      (node: string) =>
        call(node, 'POST', '/v1/auth/token', { headers: form, body: new URLSearchParams(secret).toString() }),
    ];
    const everywhere = nodes.flatMap((node) => ways.map((way) => () => way(node)));
    const answered = [200, 204];
    for (const ask of everywhere) expect(answered).toContain((await ask()).status);
    const beside = await openPostgresStore({ url: pairOfNodes.shared.SVC_DATABASE_URL ?? '' });
    try {
      expect(await beside.suspendAccount(byOperator, accountId, Date.now())).toBe('written');
      const elapsed = pairOfNodes.startClock();
      const asked = everywhere.map((ask) => withinPromise(elapsed, async () => isStatus(await ask(), 403, ...answered)));
      report('a suspended account', Math.max(...(await Promise.all(asked))), asked.length);
      await beside.suspendAccount(byOperator, accountId, null);
      const resumed = everywhere.map((ask) => expect.poll(async () => (await ask()).status).toBeLessThan(300));
      await Promise.all(resumed);
    } finally {
      await beside.close();
    }
  });

  test('a rotated and revoked signing key', async () => {
    const developer = await world.server.newDeveloper();
    const { accessTokens } = world.server.running;
    const { shared, folder } = pairOfNodes;
    const env = serverEnvironment({ ...shared, SVC_DATA_DIR: join(folder, 'operator') });
    const path = `/v1/${developer.accountId}`;
    const read = async (node: string, token: string) =>
      isStatus(await call(node, 'GET', path, { headers: { Authorization: `Bearer ${token}` } }), 200, 401);
    const newToken = async () => {
      const token = await accessTokens.signDeveloperToken({
        accountId: developer.accountId,
        subject: 'x',
        actsAs: 'operator',
        seconds: 900,
      });
      const accepted = await Promise.all(nodes.map((node) => read(node, token)));
      return accepted.every(Boolean) ? token : undefined;
    };
    let longest = 0;
    for (let round = 0; round < tries; round++) {
      const old = (await newToken()) as string;
      expect(old).toBeDefined();
      await promisify(execFile)(process.execPath, [holdfastCommand, 'keys', 'rotate', '--revoke'], { env });
      const elapsed = pairOfNodes.startClock();
      for (const node of nodes) {
        longest = Math.max(longest, await withinPromise(elapsed, async () => !(await read(node, old))));
      }
      longest = Math.max(longest, await withinPromise(elapsed, async () => (await newToken()) !== undefined));
    }
    report('a rotated signing key', longest);
  });
});

const signInSettings = {
  enabled: true,
  redirectUris: [appUri],
  allowedIdps: ['password'],
  logoData: null,
  logoMediaType: null,
  primaryColor: null,
  surfaceColor: null,
  bgColor: null,
};

/** Prints the figure to the output of the run. */
function report(name: string, milliseconds: number, count = tries): void {
  process.stdout.write(`${name} acted after at most ${Math.round(milliseconds)} ms (${count} tries)\n`);
}
