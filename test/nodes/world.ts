/** Nodes on a separate PostgreSQL, with documents for requests. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { PostgresCluster } from '../../packages/server/src/storage/postgres/fixtures/cluster.fixture.ts';
import { createProject } from '../../tooling/credentials.ts';
import { type Node, type NodeStage, type NodeStageOptions, startNodeStage } from '../../tooling/node-stage.ts';
import { startUnhindered } from '../../tooling/readings.ts';
import { expectUnavailable } from '../../torture/write-chain.ts';
import { type Answer, call } from '../support/client.ts';

/**
 * Longest time until a request is refused while the database is down, and until it succeeds once the database is back: the promised five
 * seconds, and five more for a database on a busy machine.
 */
export const toleratedMilliseconds = 10_000;

export interface Document {
  readonly path: string;
  readonly headers: { readonly Authorization: string };
  read(node?: Node): Promise<Answer>;
  /** Replaces `version` with `{marker}`; null creates the document. */
  put(marker: string, version: number | null, node?: Node): Promise<Answer>;
  /** The same with PATCH. */
  patch(marker: string, version: number | null, node?: Node): Promise<Answer>;
  /** Listed versions with their markers, newest first. */
  versions(node?: Node): Promise<[version: number, marker: string][]>;
}

export interface NodesWorld extends NodeStage {
  readonly cluster: PostgresCluster;
  /** The first node. */
  readonly node: Node;
  /** A document of a new project. It does not exist yet. */
  newDocument(): Promise<Document>;
}

let nodes: readonly Node[] = [];
/** Starts to measure milliseconds, without those for which this process or a node had no processor. */
export const startClock = () => startUnhindered('self', ...nodes.map(({ server }) => server.pid));

/** Starts nodes and their database. */
export async function openNodes(options: Omit<NodeStageOptions, 'folder'>): Promise<NodesWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-nodes-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const stage = await startNodeStage({ ...options, folder }).catch((error: unknown) => {
    remove();
    throw error;
  });
  const node = stage.nodes[0] as Node;
  const { cluster } = stage;
  if (cluster === undefined) throw new Error('these tests stop the database: run them without CITUS_DATABASE_URL');
  nodes = stage.nodes;
  return {
    ...stage,
    cluster,
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

/** Expects a complete 503 in time. Returns its milliseconds. */
export async function expectRefused(answering: Promise<Answer>): Promise<number> {
  const elapsed = startClock();
  const answer = await answering;
  const milliseconds = elapsed();
  expectUnavailable(answer);
  expect(milliseconds).toBeLessThan(toleratedMilliseconds);
  return milliseconds;
}

/** Repeats the request until the response is not 503, and returns that. Fails if this takes too long. */
export async function untilServed(ask: () => Promise<Answer>): Promise<Answer> {
  const elapsed = startClock();
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
    expectUnavailable(answer);
    expect(elapsed(), 'still unavailable').toBeLessThan(toleratedMilliseconds);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Like `untilServed`, and expects this status. */
export async function untilStatus(status: number, ask: () => Promise<Answer>): Promise<Answer> {
  const answer = await untilServed(ask);
  expect(answer.status, answer.text).toBe(status);
  return answer;
}

const readsAtOnce = 64;

/** Waits until no request is refused, over any connection to the database. Fails if this takes too long. */
export async function untilSteady({ path, headers }: Document, { baseUrl }: Node): Promise<void> {
  const elapsed = startClock();
  // Each of these needs a separate statement; reads of the newest version share one.
  const read = () => call(baseUrl, 'GET', `${path}/versions/1`, { headers });
  for (;;) {
    const answers = await Promise.all(Array.from({ length: readsAtOnce }, read));
    const refused = answers.filter(({ status }) => status !== 200);
    if (refused.length === 0) return;
    for (const answer of refused) expectUnavailable(answer);
    const left = `${refused.length} of ${readsAtOnce} reads are still refused`;
    expect(elapsed(), left).toBeLessThan(toleratedMilliseconds);
  }
}
