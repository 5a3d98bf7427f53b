/** User state and the developer's view of it, over HTTP. @see docs/contract.md §6 */
import type { Environment } from '@holdfast/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Project, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

interface Page {
  items: { endUserId: string; version: number; state: unknown; updatedAt: string }[];
  cursor: string | null;
  hasMore: boolean;
}

const add = (path: string, value: unknown) => ({ ops: [{ op: 'add', path, value }] });

async function player({ developer, slug, path }: Project, userId: string, environment: Environment = 'development') {
  const token = await server.running.accessTokens.signPlayerToken({
    accountId: developer.accountId,
    slug,
    environment,
    userId,
    seconds: 900,
  });
  const url = `${path}/user-state/${environment}`;
  const headers = { Authorization: `Bearer ${token}` };
  return {
    read: (more: Record<string, string> = {}) => server.call('GET', url, { headers: { ...headers, ...more } }),
    patch: (version: number | null, body: unknown) =>
      server.call('PATCH', url, {
        headers: { ...headers, ...(version === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` }) },
        body,
      }),
  };
}

const asDeveloper = ({ developer, path }: Project) => ({
  list: async (query = '', environment: Environment = 'development') =>
    server.call('GET', `${path}/user-states/${environment}${query}`, { headers: developer.bearer }),
  show: (id: string, environment: Environment = 'development', more: Record<string, string> = {}) =>
    server.call('GET', `${path}/user-states/${environment}/${id}`, { headers: { ...developer.bearer, ...more } }),
  remove: (id: string) => server.call('DELETE', `${path}/user-states/${id}`, { headers: developer.bearer }),
  patch: (id: string, version: number | null, body: unknown, more: Record<string, string> = {}) =>
    server.call('PATCH', `${path}/user-states/development/${id}`, {
      headers: {
        ...developer.bearer,
        ...(version === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` }),
        ...more,
      },
      body,
    }),
});

describe('the developer', () => {
  test('sees every surviving record exactly once, despite writes and deletions between pages', async () => {
    const step = fc.record({
      kind: fc.constantFrom('create', 'write', 'delete'),
      user: fc.integer({ min: 0, max: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 8 }),
        async (initial, limit, betweenPages) => {
          const project = await server.newProject();
          const developer = asDeveloper(project);
          const versions = new Map<string, number>();
          const lived = new Set<string>(); // present from the first page to the last
          const create = async (id: string) => {
            const answer = await (await player(project, id)).patch(null, add('/id', id));
            expect(answer.status).toBe(200);
            versions.set(id, (answer.json as { version: number }).version);
          };
          for (let i = 0; i < initial; i++) {
            await create(`user-${i}`);
            lived.add(`user-${i}`);
          }
          const seen: string[] = [];
          let query = `?limit=${limit}`;
          for (let pages = 0; ; pages++) {
            const page = (await developer.list(query)).json as Page;
            seen.push(...page.items.map(({ endUserId }) => endUserId));
            if (page.cursor === null) break;
            query = `?limit=${limit}&cursor=${page.cursor}`;
            for (const { kind, user } of betweenPages[pages] ?? []) {
              const id = `user-${user}`;
              const version = versions.get(id);
              if (kind === 'create' && version === undefined) await create(id);
              if (kind === 'write' && version !== undefined) {
                await (await player(project, id)).patch(version, add('/again', true));
                versions.set(id, version + 1);
              }
              if (kind === 'delete' && version !== undefined) {
                await developer.remove(id);
                versions.delete(id);
                lived.delete(id);
              }
            }
          }
          expect(new Set(seen).size).toBe(seen.length);
          expect(seen).toEqual(expect.arrayContaining([...lived]));
        },
      ),
      { numRuns: 40 },
    );
  });
});
