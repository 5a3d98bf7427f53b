/** Requests of the schema tests, for a project, its schemas and its states. */
import { afterAll, beforeAll } from 'vitest';
import type { Answer } from '../support/client.ts';
import { type Project, startServer, type TestServer } from '../support/server.ts';

export let server: TestServer;

/** Starts a service for the tests of a file. */
export function startForSchemas(): void {
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());
}

type Kind = 'public-state' | 'user-state';
export const pathOf = (project: Project, kind: Kind = 'public-state', environment = 'production') =>
  `${project.path}/schemas/${environment}/${kind}`;
export const fault = (answer: Answer) => [answer.status, (answer.json as { error?: string }).error];
export const create = { 'If-None-Match': '*' };
export const at = (version: number) => ({ 'If-Match': `"${version}"` });

export const put = (
  project: Project,
  body: unknown,
  precondition: Record<string, string> = create,
  kind: Kind = 'public-state',
) => server.call('PUT', pathOf(project, kind), { headers: { ...project.developer.bearer, ...precondition }, body });
export const get = (project: Project, rest = '', kind: Kind = 'public-state') =>
  server.call('GET', pathOf(project, kind) + rest, { headers: project.developer.bearer });
export const putState = (project: Project, state: unknown, precondition: Record<string, string> = create) =>
  server.call('PUT', `${project.path}/public-state/production`, {
    headers: { ...project.developer.bearer, ...precondition },
    body: { state },
  });
export const check = (project: Project, body: unknown, kind: Kind = 'public-state') =>
  server.call('POST', `${pathOf(project, kind)}/check`, { headers: project.developer.bearer, body });

export const shop = {
  properties: {
    shop: { additionalProperties: { properties: { price: { type: 'integer', minimum: 1 } }, required: ['price'] } },
  },
};
