/** How a real process ends on SIGTERM. */
import { afterEach, expect, test } from 'vitest';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { type Credentials, firstCredentials } from '../../torture/credentials.ts';
import { type ServerProcess, startServerProcess } from '../../torture/server-process.ts';
import { type Place, withPlace } from '../support/place.ts';
import { connectRaw, exchangeRaw } from '../support/raw.ts';
import { expectCommonHeaders, jsonLine, requestText } from './world.ts';

let server: ServerProcess | undefined;
afterEach(async () => {
  if (server?.isRunning()) await server.kill();
});

const start = async ({ dataDir, settings }: Place) =>
  startServerProcess({ dataDir, port: await freePort(), env: settings });

const inProcess = (work: (server: ServerProcess, credentials: Credentials, place: Place) => Promise<void>) =>
  withPlace(async (place) => {
    server = await start(place);
    await work(server, await firstCredentials(place.dataDir, server.baseUrl, place.settings), place);
  });

const statePath = ({ accountId, slug }: Credentials) => `/v1/${accountId}/projects/${slug}/public-state/staging`;
const keyLine = ({ apiKey }: Credentials) => `Authorization: ApiKey ${apiKey}`;

/** Sends the head of a PUT and waits until the server asks for the body. */
async function startPut({ baseUrl }: ServerProcess, credentials: Credentials, bodyBytes: number) {
  const connection = await connectRaw(baseUrl);
  const lines = [jsonLine, 'If-None-Match: *', 'Expect: 100-continue', `Content-Length: ${bodyBytes}`];
  connection.send(requestText(`PUT ${statePath(credentials)}`, [keyLine(credentials), ...lines]));
  expect((await connection.answer()).status).toBe(100);
  return connection;
}

test('what is in flight is finished and stored, idle connections end, and the exit code is 0', () =>
  inProcess(async (running, credentials, place) => {
    const idle = await connectRaw(running.baseUrl);
    idle.send(requestText('GET /healthz'));
    await idle.answer();
    const silent = await connectRaw(running.baseUrl);
    const body = '{"state":{"slow":true}}';
    const slow = await startPut(running, credentials, body.length);
    slow.send(body.slice(0, 5));

    const exit = running.stop();
    expect((await idle.ended(2_000)).by).toBe('end');
    expect((await silent.ended(2_000)).unread).toBe('');
    await expect(connectRaw(running.baseUrl)).rejects.toThrow('ECONNREFUSED');
    slow.send(body.slice(5));
    const answer = await slow.answer();
    expect(answer.status).toBe(200);
    expectCommonHeaders(answer);
    expect(answer.headers.get('connection')).toBe('close');
    expect((await slow.ended()).by).toBe('end');
    expect(await exit).toBe(0);

    server = await start(place);
    const read = requestText(`GET ${statePath(credentials)}`, [keyLine(credentials)]);
    expect((await exchangeRaw(server.baseUrl, read)).body.toString()).toContain(`"state":{"slow":true}`);
  }));

// Fast enough not to be cut off for its rate.
test('a client that never finishes holds it up for ten seconds at most', { timeout: 40_000 }, () =>
  inProcess(async (running, credentials) => {
    const stuck = await startPut(running, credentials, 100_000);
    const drip = setInterval(() => stuck.isOpen() && stuck.send(' '.repeat(20)), 50);
    const startedAt = performance.now();
    const code = await running.stop();
    clearInterval(drip);
    stuck.close();
    expect(code).toBe(0);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(seconds).toBeGreaterThan(9);
    expect(seconds).toBeLessThan(13);
  }),
);

test('with nothing in flight it ends at once', () =>
  inProcess(async (running) => {
    const startedAt = performance.now();
    expect(await running.stop()).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  }));
