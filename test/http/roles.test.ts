/**
 * Every operation for developers, with every role of people, narrowed and not, in every environment: the answers must match
 * one table. @see docs/contract.md §3.6
 */
import { allOperations, environments, memberRoles, type Operation, reachOf } from '@holdfast/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newMember, type TestMember } from '../support/members.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let project: Project;
const members = new Map<string, TestMember>();
const narrowings = [null, ['staging'], ['development', 'production']] as const;
const nameOf = (role: string, narrowing: unknown) => `${role} ${JSON.stringify(narrowing)}`;

beforeAll(async () => {
  server = await startServer();
  project = await server.newProject();
  for (const role of memberRoles) {
    for (const narrowing of role === 'owner' ? [null] : narrowings) {
      const member = await newMember(server, project.developer.accountId, role, narrowing);
      members.set(nameOf(role, narrowing), member);
    }
  }
});
afterAll(() => server.stop());

/** Uses names that exist, except where a request would delete something. */
function pathOf({ path, method }: Operation, environment: string): string {
  const { accountId } = project.developer;
  const slug = method === 'DELETE' ? 'missing' : project.slug;
  const names: Readonly<Record<string, string>> = {
    accountId,
    slug,
    env: environment,
    kind: 'public-state',
    version: '1',
    keyId: 'key_none',
    providerId: 'oidc.none',
    userId: 'usr_none',
    endUserId: 'nobody',
    memberId: 'mem_none',
    invitationId: 'inv_none',
    serviceAccountId: 'sa_none',
    secretId: 'sec_none',
    webhookId: 'wh_none',
    deliveryId: 'msg_none',
    proposalId: 'prop_none',
  };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? 'none');
}

/** Operations that the handler decides or that would delete the account under test. */
const apart = ['deleteMember', 'deleteAccount'];
const taken = allOperations.filter(([id, { needs }]) => needs !== undefined && !apart.includes(id));

describe.each(taken)('%s', (_, operation) => {
  it.each(memberRoles)('answers %s as in the table', async (role) => {
    const { path, method, needs = 'read', watches } = operation;
    const inPath = path.includes('{env}') ? environments : [undefined];
    for (const narrowing of role === 'owner' ? [null] : narrowings) {
      for (const environment of inPath) {
        const headers = members.get(nameOf(role, narrowing))?.bearer ?? {};
        const target = `${pathOf(operation, environment ?? '')}${watches ? '?wait=0' : ''}`;
        const answer = await server.call(method, target, {
          headers,
          ...(method !== 'GET' && method !== 'DELETE' && { body: {} }),
        });
        const reach = reachOf({ role, environments: narrowing }, needs, environment);
        const about = `${role} ${narrowing} ${method} ${target}: ${answer.status} ${answer.text}`;
        if (reach === 'reaches') expect([401, 403, 500].includes(answer.status), about).toBe(false);
        else {
          expect(answer, about).toMatchObject({ status: 403, json: { error: 'forbidden' } });
          expect(answer.text, about).toContain(`the role ${role}`);
        }
      }
    }
  });
});

it('only an owner may delete the account', async () => {
  const { accountId } = await server.newDeveloper();
  for (const role of memberRoles.toReversed()) {
    const { bearer: headers } = await newMember(server, accountId, role);
    expect((await server.call('DELETE', `/v1/${accountId}`, { headers })).status).toBe(role === 'owner' ? 204 : 403);
  }
});

it('developers of older databases and the operator are owners', async () => {
  const headers = project.developer.bearer;
  expect((await server.call('GET', `/v1/${project.developer.accountId}/members`, { headers })).status).toBe(200);
  expect((await server.call('PATCH', `/v1/${project.developer.accountId}`, { headers, body: { name: 'x' } })).status).toBe(
    200,
  );
});
