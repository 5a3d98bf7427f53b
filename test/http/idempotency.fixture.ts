/** Documents written with idempotency keys. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer, CallOptions } from '../support/client.ts';
import type { Project, TestServer } from '../support/server.ts';

/** One document as a client sees it. Requests can be repeated. */
export interface Document {
  readonly project: Project;
  send(method: string, version: number | null, body: unknown, key?: string, more?: CallOptions['headers']): Promise<Answer>;
  versionNow(): Promise<number | null>;
}

export const add = (path: string, value: unknown) => ({ ops: [{ op: 'add', path, value }] });
const precondition = (version: number | null): Record<string, string> =>
  version === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };

export function documentAt(server: TestServer, project: Project, path: string, authorization: string): Document {
  const Authorization = authorization;
  return {
    project,
    send: (method, version, body, key, more) =>
      server.call(method, path, {
        headers: { Authorization, ...precondition(version), ...(key !== undefined && { 'Idempotency-Key': key }), ...more },
        body,
      }),
    async versionNow() {
      const read = await server.call('GET', path, { headers: { Authorization } });
      return read.status === 204 ? null : (read.json as { version: number }).version;
    },
  };
}

export async function publicDocumentOf(server: TestServer, given?: Project): Promise<Document> {
  const project = given ?? (await server.newProject());
  const { apiKey } = await server.newApiKey(project);
  return documentAt(server, project, `${project.path}/public-state/production`, `ApiKey ${apiKey}`);
}

export async function userDocumentOf(server: TestServer, given?: Project, userId = 'ada'): Promise<Document> {
  const project = given ?? (await server.newProject());
  const { developer, slug } = project;
  const token = await server.running.accessTokens.signPlayerToken({
    accountId: developer.accountId,
    slug,
    environment: 'production',
    userId,
    seconds: 900,
  });
  return documentAt(server, project, `${project.path}/user-state/production`, `Bearer ${token}`);
}

/** Sends the same write `times` times in parallel, for three versions in a row: each is written once, and all answers have its version. */
export async function writeTogether(
  document: Document,
  method: string,
  bodyOf: (n: number) => unknown,
  times: number,
): Promise<void> {
  for (const [version, written] of [
    [null, 1],
    [1, 2],
    [2, 3],
  ] as const) {
    const key = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: times }, () => document.send(method, version, bodyOf(written), key)),
    );
    expect(answers.map(({ status, headers }) => `${status} ${headers.etag}`)).toEqual(
      Array(times).fill(`200 "${written}"`),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await document.versionNow()).toBe(written);
  }
}
