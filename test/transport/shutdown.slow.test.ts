/** How a real process ends on SIGTERM. */
import { expect, test } from 'vitest';
import { startUnhindered } from '../../tooling/readings.ts';
import { connectRaw, exchangeRaw } from '../support/raw.ts';
import { inProcess, keyLine, start, startPut, statePath } from './stopping.ts';
import { expectCommonHeaders, requestText } from './world.ts';

test('requests in progress are finished and stored, idle connections end, and the exit code is 0', () =>
  inProcess(async (running, credentials, place) => {
    const idle = await connectRaw(running.baseUrl);
    idle.send(requestText('GET /healthz'));
    await idle.answer();
    const silent = await connectRaw(running.baseUrl);
    const body = '{"state":{"slow":true}}';
    const slow = await startPut(running, credentials, body.length);
    slow.send(body.slice(0, 5));

    const exit = running.stop();
    expect((await idle.ended(8_000)).by).toBe('end');
    expect((await silent.ended(8_000)).unread).toBe('');
    await expect(connectRaw(running.baseUrl)).rejects.toThrow('ECONNREFUSED');
    slow.send(body.slice(5));
    const answer = await slow.answer();
    expect(answer.status).toBe(200);
    expectCommonHeaders(answer);
    expect(answer.headers.get('connection')).toBe('close');
    expect((await slow.ended()).by).toBe('end');
    expect(await exit).toBe(0);

    const next = await start(place);
    const read = requestText(`GET ${statePath(credentials)}`, [keyLine(credentials)]);
    expect((await exchangeRaw(next.baseUrl, read)).body.toString()).toContain(`"state":{"slow":true}`);
  }));

test('a new connection after the first idle one ends is refused, not reset', () =>
  inProcess(async (running) => {
    const idle = await Promise.all(
      Array.from({ length: 64 }, async () => {
        const connection = await connectRaw(running.baseUrl);
        connection.send(requestText('GET /healthz'));
        await connection.answer(); // accepted: the closing listener would reset a connection that it has not accepted
        return connection;
      }),
    );
    const exit = running.stop();
    await Promise.race(idle.map((connection) => connection.ended(8_000)));
    await expect(connectRaw(running.baseUrl)).rejects.toThrow('ECONNREFUSED');
    expect(await exit).toBe(0);
  }));

test('an idle process exits immediately', () =>
  inProcess(async (running) => {
    const elapsed = startUnhindered('self', running.pid);
    expect(await running.stop()).toBe(0);
    expect(elapsed()).toBeLessThan(8_000); // waiting for a client takes ten seconds
  }));
