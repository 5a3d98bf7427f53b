/** Nodes over a PostgreSQL of their own, and documents to try them with. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createProject } from '../../tooling/credentials.ts';
import { type Node, type NodeStage, type NodeStageOptions, startNodeStage } from '../../tooling/node-stage.ts';
import { expectUnavailable } from '../../torture/write-chain.ts';
import { type Answer, call } from '../support/client.ts';

/**
 * Within which a request is refused while the database is gone, and succeeds when it is back: the five seconds that are promised,
 * and as many for a busy machine.
 */
export const toleratedMilliseconds = 10_000;

export interface Document {
  readonly path: string;
  readonly headers: { readonly Authorization: string };
  read(node?: Node): Promise<Answer>;
  /** Writes `{marker}` in place of `version`, or where there is nothing. */
  put(marker: string, version: number | null, node?: Node): Promise<Answer>;
  /** The same by a patch. */
  patch(marker: string, version: number | null, node?: Node): Promise<Answer>;
  /** The versions and markers of the list, newest first. */
  versions(node?: Node): Promise<[version: number, marker: string][]>;
}

export interface NodesWorld extends NodeStage {
  /** The first node. */
  readonly node: Node;
  /** A document of a project of its own, which is not there yet. */
  newDocument(): Promise<Document>;
}

/** Starts nodes and their database. */
export async function openNodes(options: Omit<NodeStageOptions, 'folder'>): Promise<NodesWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-nodes-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const stage = await startNodeStage({ ...options, folder }).catch((error: unknown) => {
    remove();
    throw error;
  });
  const node = stage.nodes[0] as Node;
  return {
    ...stage,
    node,
    newDocument: async () => {
      const slug = `p-${randomBytes(6).toString('hex')}`;
      const apiKey = await createProject(stage.credentials, slug);
      return document(node, `/v1/${stage.credentials.accountId}/projects/${slug}/public-state/production`, apiKey);
    },
    close: async () => {
      await stage.close();
      remove();
    },
  };
}

function document(first: Node, path: string, apiKey: string): Document {
  const headers = { Authorization: `ApiKey ${apiKey}` };
  const precondition = (version: number | null) =>
    version === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
  const write = ({ baseUrl }: Node, method: string, version: number | null, body: unknown) =>
    call(baseUrl, method, path, { headers: { ...headers, ...precondition(version) }, body });
  return {
    path,
    headers,
    read: ({ baseUrl } = first) => call(baseUrl, 'GET', path, { headers }),
    put: (marker, version, node = first) => write(node, 'PUT', version, { state: { marker } }),
    patch: (marker, version, node = first) =>
      write(node, 'PATCH', version, { ops: [{ op: 'add', path: '/marker', value: marker }] }),
    async versions({ baseUrl } = first) {
      const answer = await call(baseUrl, 'GET', `${path}/versions`, { headers });
      expect(answer.status, answer.text).toBe(200);
      const records = answer.json as { version: number; state: { marker: string } }[];
      return records.map(({ version, state }) => [version, state.marker]);
    },
  };
}

/** Expects a 503 in due form and in time; returns the milliseconds that it took. */
export async function expectRefused(answering: Promise<Answer>): Promise<number> {
  const begunAt = performance.now();
  const answer = await answering;
  const milliseconds = performance.now() - begunAt;
  expectUnavailable(answer);
  expect(milliseconds).toBeLessThan(toleratedMilliseconds);
  return milliseconds;
}

/** Asks until the answer is another one than 503, as it must be in time; returns it. */
export async function untilServed(ask: () => Promise<Answer>): Promise<Answer> {
  const deadline = performance.now() + toleratedMilliseconds;
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    expectUnavailable(answer);
    expect(performance.now(), 'still unavailable').toBeLessThan(deadline);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The same, and the answer must have this status. */
export async function untilStatus(status: number, ask: () => Promise<Answer>): Promise<Answer> {
  const answer = await untilServed(ask);
  expect(answer.status, answer.text).toBe(status);
  return answer;
}

const readsAtOnce = 64;

/** Waits until nobody is refused any more, over whichever connection to the database, as must be so in time. */
export async function untilSteady({ path, headers }: Document, { baseUrl }: Node): Promise<void> {
  const deadline = performance.now() + toleratedMilliseconds;
  // Each of these has a statement of its own; reads of the newest version share one.
  const read = () => call(baseUrl, 'GET', `${path}/versions/1`, { headers });
  for (;;) {
    const answers = await Promise.all(Array.from({ length: readsAtOnce }, read));
    const refused = answers.filter(({ status }) => status !== 200);
    if (refused.length === 0) return;
    for (const answer of refused) expectUnavailable(answer);
    expect(performance.now(), `${refused.length} of ${readsAtOnce} reads are still refused`).toBeLessThan(deadline);
  }
}
