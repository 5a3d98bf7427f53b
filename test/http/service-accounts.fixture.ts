/** Service accounts for tests, and the operations that each role reaches. */
import {
  isOfPeople,
  type Operation,
  type OperationId,
  operations,
  reachOf,
  type serviceAccountRoles,
} from '@holdfast/contract';
import { expect } from 'vitest';
import type { Developer, TestServer } from '../support/server.ts';

export interface Robot {
  readonly id: string;
  readonly clientSecret: string;
  readonly secrets: readonly { readonly secretId: string; readonly lastUsedAt: string | null }[];
  readonly lastUsedAt: string | null;
}

export type Headers = Readonly<Record<string, string>>;

export const robotsOf = ({ accountId }: Developer) => `/v1/${accountId}/service-accounts`;

export const createRobot = (server: TestServer, developer: Developer, body: Readonly<Record<string, unknown>> = {}) =>
  server.call('POST', robotsOf(developer), {
    headers: developer.bearer,
    body: { name: 'Robot', role: 'editor', ...body },
  });

export async function newRobotOf(
  server: TestServer,
  developer: Developer,
  body: Readonly<Record<string, unknown>> = {},
): Promise<Robot> {
  const answer = await createRobot(server, developer, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json as Robot;
}

export const askToken = (server: TestServer, form: Readonly<Record<string, string>>, headers: Headers = {}) =>
  server.call('POST', '/v1/auth/token', {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
  });

export async function bearerOfRobot(
  server: TestServer,
  { id, clientSecret }: Pick<Robot, 'id' | 'clientSecret'>,
): Promise<Headers> {
  const answer = await askToken(server, { client_id: id, client_secret: clientSecret });
  expect(answer.status, answer.text).toBe(200);
  return { Authorization: `Bearer ${(answer.json as { access_token: string }).access_token}` };
}

const takesDevelopers = (Object.keys(operations) as OperationId[]).filter((id) =>
  (operations[id].access as readonly string[]).includes('developer'),
);

/** Tries every operation with the role, inside and outside its environments. */
export async function expectTable(server: TestServer, role: (typeof serviceAccountRoles)[number]): Promise<void> {
  const project = await server.newProject();
  const environments = ['staging'] as const;
  const headers = await bearerOfRobot(server, await newRobotOf(server, project.developer, { role, environments }));
  const everywhere = await bearerOfRobot(server, await newRobotOf(server, project.developer, { role }));
  const segments: Readonly<Record<string, string>> = {
    accountId: project.developer.accountId,
    slug: project.slug,
    kind: 'public-state',
    version: '1',
    endUserId: 'u',
    keyId: 'key_1',
    providerId: 'google.com',
    userId: 'usr_1',
    key: 'k',
    serviceAccountId: 'sa_1',
    secretId: 'sec_1',
    memberId: 'mem_1',
    invitationId: 'inv_1',
    webhookId: 'wh_1',
    deliveryId: 'msg_1',
    proposalId: 'prop_1',
  };
  for (const id of takesDevelopers) {
    const { method, path, needs }: Operation = operations[id];
    if (needs === undefined || path.endsWith('/changes')) continue; // the latter is a stream
    for (const env of path.includes('{env}') ? (['staging', 'production'] as const) : [undefined]) {
      const url = path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'env' ? env : segments[name]) as string);
      for (const [bearer, given] of [
        [headers, environments],
        [everywhere, null],
      ] as const) {
        const isReached = !isOfPeople(needs) && reachOf({ role, environments: given }, needs, env) === 'reaches';
        if (method === 'DELETE' && isReached) continue; // it would delete what other requests need
        // A body of another type is refused after the credential check, and changes nothing.
        const body = method === 'GET' || method === 'DELETE' ? undefined : 'x';
        const answer = await server.call(method, url, { headers: { ...bearer, 'Content-Type': 'text/plain' }, body });
        const asked = `${given ?? 'all'}: ${method} ${url}`;
        expect([asked, answer.status === 403]).toEqual([asked, !isReached]);
      }
    }
  }
}
