/** How a real process drains on SIGTERM before it stops. */
import { expect, test } from 'vitest';
import { type Credentials, firstCredentials } from '../../tooling/credentials.ts';
import type { ServerProcess } from '../../tooling/server-process.ts';
import { withPlace } from '../support/place.ts';
import { connectRaw, exchangeRaw } from '../support/raw.ts';
import { keyLine, start, startPut, statePath } from './stopping.ts';
import { expectCommonHeaders, requestText } from './world.ts';

const drains = (seconds: number, work: (server: ServerProcess, credentials: Credentials) => Promise<void>) =>
  withPlace(async (place) => {
    const settings = { ...place.settings, SVC_DRAIN_SECONDS: String(seconds) };
    const server = await start({ ...place, settings });
    await work(server, await firstCredentials(place.dataDir, server.baseUrl, settings));
  });

const readiness = ({ baseUrl }: ServerProcess) => exchangeRaw(baseUrl, requestText('GET /readyz'));

test('while it drains it is not ready, and serves requests on closing connections; a second signal ends the drain', () =>
  drains(60, async (running, credentials) => {
    const put = requestText(
      `PUT ${statePath(credentials)}`,
      [keyLine(credentials), 'Content-Type: application/json', 'If-None-Match: *'],
      '{"state":{"drained":true}}',
    );
    const kept = await connectRaw(running.baseUrl);
    kept.send(requestText('GET /healthz'));
    expect((await kept.answer()).headers.get('connection')).toBe('keep-alive');
    const stream = await fetch(`${running.baseUrl}${statePath(credentials)}/changes`, {
      headers: { authorization: `ApiKey ${credentials.apiKey}`, accept: 'text/event-stream' },
    });
    const events = stream.text();

    const exit = running.stop();
    await expect.poll(async () => (await readiness(running)).status).toBe(503);
    const refused = await readiness(running);
    expectCommonHeaders(refused);
    expect(refused.body.toString()).toContain('service_unavailable');

    kept.send(put);
    const answer = await kept.answer();
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    expect((await kept.ended()).by).toBe('end');
    const read = await exchangeRaw(running.baseUrl, requestText(`GET ${statePath(credentials)}`, [keyLine(credentials)]));
    expect([read.status, read.headers.get('connection')]).toEqual([200, 'close']);
    expect((await exchangeRaw(running.baseUrl, requestText('GET /healthz'))).status).toBe(200);

    process.kill(running.pid, 'SIGTERM');
    expect(await exit).toBe(0);
    const told = await events;
    expect(told).toContain('event: change'); // the write during the drain
    expect(told).toMatch(/event: goodbye\n(?:.*\n)*data: \{"reason":"shutdown"/);
  }));

test('after the drain it finishes requests in progress and exits with 0', () =>
  drains(1, async (running, credentials) => {
    const body = '{"state":{"slow":true}}';
    const slow = await startPut(running, credentials, body.length);
    const exit = running.stop();
    await expect.poll(async () => (await readiness(running)).status).toBe(503);
    await expect
      .poll(() => connectRaw(running.baseUrl).then((connection) => connection.close(), String))
      .toContain('ECONNREFUSED');
    slow.send(body);
    expect((await slow.answer()).status).toBe(200);
    expect(await exit).toBe(0);
  }));

test('Ctrl-C skips the drain', () =>
  drains(60, async (running) => {
    process.kill(running.pid, 'SIGINT');
    await expect.poll(() => running.isRunning()).toBe(false);
  }));
