/** Changes written on one node and streamed by another. @see docs/contract.md §4.9 */
import { afterEach, beforeEach, expect, onTestFinished } from 'vitest';
import { type EventReader, readEvents } from '../support/events.ts';
import { openPlace, type Place } from '../support/place.ts';
import { startServer, type TestServer } from '../support/server.ts';

let place: Place;
export let here: TestServer;
export let there: TestServer;

/** Starts two nodes of one database for each test of a file. */
export function startNodes(): void {
  beforeEach(async () => {
    place = await openPlace();
    [here, there] = await Promise.all([startServer({ place }), startServer({ place })]);
  });
  afterEach(async () => {
    await Promise.all([here.stop(), there.stop()]);
    await place.remove();
  });
}

type Headers = Readonly<Record<string, string>>;

export async function watch(at: TestServer, path: string, headers: Headers, query = ''): Promise<EventReader> {
  const reader = await readEvents(at.baseUrl, `${path}/changes${query}`, headers);
  onTestFinished(() => reader.close());
  expect(reader.status).toBe(200);
  return reader;
}

export async function write(at: TestServer, path: string, headers: Headers, version: number, n: number): Promise<number> {
  const precondition = version === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${version}"` };
  const ops = [{ op: 'add', path: '/n', value: n }];
  const answer = await at.call('PATCH', path, { headers: { ...headers, ...precondition }, body: { ops } });
  expect(answer.status, answer.text).toBe(200);
  return (answer.json as { version: number }).version;
}

export async function publicDocument() {
  const project = await here.newProject();
  return { project, path: `${project.path}/public-state/staging`, headers: project.developer.bearer };
}

export async function userDocument() {
  const project = await here.newProject();
  const { accountId } = project.developer;
  const claims = { accountId, slug: project.slug, environment: 'staging' as const, userId: 'ada', seconds: 900 };
  // Each node issues tokens with its own address as the issuer here.
  const headersAt = async (node: TestServer) => ({
    Authorization: `Bearer ${await node.running.accessTokens.signPlayerToken(claims)}`,
  });
  const path = `${project.path}/user-state/staging`;
  const remove = () => here.call('DELETE', `${project.path}/user-states/ada`, { headers: project.developer.bearer });
  return { project, path, remove, here: await headersAt(here), there: await headersAt(there) };
}

/** An API key works on both nodes; a token only on nodes with the address of its issuer. */
export async function keyHeaders(
  project: Awaited<ReturnType<TestServer['newProject']>>,
): Promise<Headers & { readonly id: string }> {
  const { id, apiKey } = await here.newApiKey(project);
  return { Authorization: `ApiKey ${apiKey}`, id };
}

export const credential = ({ Authorization = '' }: Headers): Headers => ({ Authorization });

/** Writes this many versions on both nodes. Each must be streamed by one node, and then be readable there. */
export async function followEveryVersion(versions: number): Promise<void> {
  const { project, path } = await publicDocument();
  const headers = credential(await keyHeaders(project));
  const reader = await watch(there, path, headers);
  expect(await reader.next()).toMatchObject({ type: 'snapshot', id: 0 });
  const writing = (async () => {
    for (let n = 0; n < versions; n++) await write(n % 3 === 0 ? there : here, path, headers, n, n);
  })();
  for (let n = 0; n < versions; n++) {
    const event = await reader.next();
    expect(event).toMatchObject({ type: 'change', id: n + 1, data: { from: n, ops: [{ path: '/n', value: n }] } });
    const read = await there.call('GET', path, { headers });
    expect(Number((read.json as { version: number }).version)).toBeGreaterThanOrEqual(n + 1);
  }
  await writing;
  expect(reader.waiting()).toEqual([]);
}

/** Writes this many versions on one node, and resumes the stream at the other after each. */
export async function moveAfterEachVersion(versions: number): Promise<void> {
  const { project, path } = await publicDocument();
  const headers = credential(await keyHeaders(project));
  await watch(there, path, headers); // keeps the document in that node's cache
  const reader = await watch(here, path, headers);
  await reader.next();
  for (let n = 0; n < versions; n++) {
    await write(here, path, headers, n, n);
    const moved = await watch(there, path, headers, `?since=${n + 1}`);
    expect(moved.waiting()).toEqual([]);
    moved.close();
  }
  const moved = await watch(there, path, headers, `?since=${versions}`);
  await write(here, path, headers, versions, versions);
  expect(await moved.next()).toMatchObject({ type: 'change', id: versions + 1, data: { from: versions } });
}
