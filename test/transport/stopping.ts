/** A server in a separate process that a test stops, and a request in progress. */
import { expect, onTestFinished } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { type Credentials, firstCredentials } from '../../tooling/credentials.ts';
import { type ServerProcess, startServerProcess } from '../../tooling/server-process.ts';
import { type Place, withPlace } from '../support/place.ts';
import { connectRaw, type RawConnection } from '../support/raw.ts';
import { jsonLine, requestText } from './world.ts';

/** Starts a server on a place. If it still runs after the test, it is killed. */
export async function start({ dataDir, settings }: Place): Promise<ServerProcess> {
  const server = await startServerProcess({ dataDir, port: await freePort(), env: settings });
  onTestFinished(async () => {
    if (server.isRunning()) await server.kill();
  });
  return server;
}

/** Runs `work` with a server on a new place. */
export const inProcess = (work: (server: ServerProcess, credentials: Credentials, place: Place) => Promise<void>) =>
  withPlace(async (place) => {
    const server = await start(place);
    await work(server, await firstCredentials(place.dataDir, server.baseUrl, place.settings), place);
  });

export const statePath = ({ accountId, slug }: Credentials) => `/v1/${accountId}/projects/${slug}/public-state/staging`;
export const keyLine = ({ apiKey }: Credentials) => `Authorization: ApiKey ${apiKey}`;

/** Sends the head of a PUT and waits until the server asks for the body. */
export async function startPut(
  { baseUrl }: ServerProcess,
  credentials: Credentials,
  bodyBytes: number,
): Promise<RawConnection> {
  const connection = await connectRaw(baseUrl);
  const lines = [jsonLine, 'If-None-Match: *', 'Expect: 100-continue', `Content-Length: ${bodyBytes}`];
  connection.send(requestText(`PUT ${statePath(credentials)}`, [keyLine(credentials), ...lines]));
  expect((await connection.answer()).status).toBe(100);
  return connection;
}
