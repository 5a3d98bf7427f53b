/**
 * Memory cost of listing a long history: a server with a thousand versions of 250 KB lists all of them, for a client that reads at full
 * speed and one that hardly reads, while its resident memory is watched.
 */

import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../packages/server/src/free-port.fixture.ts';
import { createApi, expectStatus, writesAfter } from '../tooling/api.ts';
import { createProject, firstCredentials } from '../tooling/credentials.ts';
import { mebibytes, watchMemory } from '../tooling/readings.ts';
import { type ServerProcess, startServerProcess, withDataDir } from '../tooling/server-process.ts';

const sampleMilliseconds = 10;
const slowReaderMilliseconds = 3_000;
const slowReaderPieces = 30;
const settleMilliseconds = 500;

/** How much the resident memory of the server may grow while it lists. */
export const growthMebibytesMax = 64;
/** The same over PostgreSQL, whose driver collects each response before it reads it, which adds garbage. */
export const growthOverPostgresMebibytesMax = 96;

export interface VersionsReport {
  readonly versions: number;
  /** Versions in the list, and the bytes of its body. */
  readonly listed: number;
  readonly listedBytes: number;
  readonly before: number;
  /** Peaks of resident memory in MiB above `before`: with a fast reader, and with a slow one. */
  readonly growthFast: number;
  readonly growthSlow: number;
  readonly faults: readonly string[];
}

interface VersionsOptions {
  readonly versions: number;
  /** Of each version. */
  readonly bytes: number;
  /** Variables of the server, for example of another store. */
  readonly env?: Readonly<Record<string, string>>;
  readonly growthMax?: number;
}

/** Writes `versions` versions of `bytes` bytes each, then lists them twice. Rejects if the server refuses. */
export function versionsMemory(options: VersionsOptions): Promise<VersionsReport> {
  const { versions, bytes, env = {}, growthMax = growthMebibytesMax } = options;
  return withDataDir(async (dataDir) => {
    const port = await freePort();
    const writing = await startServerProcess({ dataDir, port, env });
    const { accountId, apiKey } = await writeVersions(writing, dataDir, { versions, bytes, env }).finally(() =>
      writing.stop(),
    );
    const path = `/v1/${accountId}/projects/versions/public-state/production/versions`;
    const server = await startServerProcess({ dataDir, port, env }); // a fresh heap, without room left over from writing
    try {
      return await measure(server, { path, apiKey, versions, growthMax });
    } finally {
      await server.stop();
    }
  });
}

async function writeVersions({ baseUrl }: ServerProcess, dataDir: string, { versions, bytes, env }: VersionsOptions) {
  const credentials = await firstCredentials(dataDir, baseUrl, env);
  const apiKey = await createProject(credentials, 'versions');
  const api = createApi(baseUrl, `ApiKey ${apiKey}`);
  const path = `/v1/${credentials.accountId}/projects/versions/public-state/production`;
  const first = `{"state":{"number":1,"padding":"${'v'.repeat(bytes - 40)}"}}`;
  expectStatus(await api.send('PUT', path, { headers: writesAfter(0), body: first }), 200);
  // A patch writes a whole version too, and saves both sides parsing one.
  for (let version = 2; version <= versions; version++) {
    const body = `{"ops":[{"op":"replace","path":"/number","value":${version}}]}`;
    expectStatus(await api.send('PATCH', path, { headers: writesAfter(version - 1), body }), 200);
  }
  api.close();
  return { accountId: credentials.accountId, apiKey };
}

interface Listing {
  readonly path: string;
  readonly apiKey: string;
  readonly versions: number;
  readonly growthMax: number;
}

async function measure(server: ServerProcess, listing: Listing): Promise<VersionsReport> {
  await sleep(settleMilliseconds);
  const before = server.residentBytes();
  const peakOfSlow = watchMemory(server, sampleMilliseconds);
  await readSlowly(server, listing);
  const growthSlow = mebibytes(peakOfSlow() - before);
  const peakOfFast = watchMemory(server, sampleMilliseconds);
  const { listed, listedBytes } = await readFast(server, listing);
  const growthFast = mebibytes(peakOfFast() - before);
  const faults = [
    ...(listed === listing.versions ? [] : [`${listed} versions were listed, of ${listing.versions}`]),
    ...(growthFast < listing.growthMax ? [] : [`a fast reader costs ${growthFast} MiB`]),
    ...(growthSlow < listing.growthMax ? [] : [`a slow reader costs ${growthSlow} MiB`]),
    ...(/MaxListenersExceeded/.test(server.output()) ? [`the server complained:\n${server.output()}`] : []),
  ];
  return { versions: listing.versions, listed, listedBytes, before: mebibytes(before), growthFast, growthSlow, faults };
}

async function open({ baseUrl }: ServerProcess, { path, apiKey }: Listing): Promise<IncomingMessage> {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: false });
  const sent = request({ agent, hostname, port, path, headers: { Authorization: `ApiKey ${apiKey}` } });
  sent.on('error', () => undefined).end(); // reading the response fails too
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the versions list answered ${response.statusCode}`);
  return response;
}

/** Reads everything; counts versions by a member that each record has once, even across chunk boundaries. */
async function readFast(server: ServerProcess, listing: Listing): Promise<{ listed: number; listedBytes: number }> {
  const marker = '"stateSizeBytes":';
  let listed = 0;
  let listedBytes = 0;
  let seam = '';
  for await (const piece of (await open(server, listing)) as AsyncIterable<Buffer>) {
    const text = seam + piece.toString('latin1');
    listed += text.split(marker).length - 1;
    listedBytes += piece.length;
    seam = text.slice(-(marker.length - 1));
  }
  return { listed, listedBytes };
}

/** Reads a chunk now and then for some seconds, then hangs up in the middle. */
async function readSlowly(server: ServerProcess, listing: Listing): Promise<void> {
  const response = await open(server, listing);
  for (let piece = 0; piece < slowReaderPieces; piece++) {
    response.pause();
    await sleep(slowReaderMilliseconds / slowReaderPieces);
    response.resume();
    await once(response, 'data');
  }
  response.destroy();
}
