/** A write whose response was lost with the process is sent again, and was carried out once. @see docs/contract.md §4.8 */
import { expect, inject, test } from 'vitest';
import { freePort } from '../packages/server/src/free-port.fixture.ts';
import { firstCredentials } from '../torture/credentials.ts';
import { type ServerProcess, startServerProcess } from '../torture/server-process.ts';
import { call } from './support/client.ts';
import { withPlace } from './support/place.ts';
import { connectRaw } from './support/raw.ts';

const rounds = inject('engine') === 'sqlite' ? 6 : 4;

test(`kill -9 between commit and response, ${rounds} times: the repeated write is one write`, { timeout: 120_000 }, () =>
  withPlace(async ({ dataDir, settings, openBeside }) => {
    const port = await freePort();
    const start = () => startServerProcess({ dataDir, port, env: settings });
    let server: ServerProcess = await start();
    const { accountId, slug, apiKey } = await firstCredentials(dataDir, server.baseUrl, settings);
    const store = await openBeside();
    const key = { accountId, slug, environment: 'staging' } as const;
    const path = `/v1/${accountId}/projects/${slug}/public-state/staging`;
    // What is asked for in this way is read from the database, never from memory.
    const versionNow = async () => {
      const [found] = await store.currentPublicVersions([key]);
      return found?.kind === 'present' ? found.record.version : 0;
    };
    try {
      for (let round = 0; round < rounds; round++) {
        const value = round === 0 ? [0] : round;
        const body = JSON.stringify({ ops: [{ op: 'add', path: round === 0 ? '/log' : '/log/-', value }] });
        const headers = {
          Authorization: `ApiKey ${apiKey}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': `round-${round}`,
          ...(round === 0 ? { 'If-None-Match': '*' } : { 'If-Match': `"${round}"` }),
        };
        const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers, 'Content-Length': String(body.length) });
        const connection = await connectRaw(server.baseUrl);
        connection.send(`PATCH ${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n${body}`);
        // In some rounds as soon as it is stored, in others at any moment about then. The response is never read.
        if (round % 2 === 0) await expect.poll(versionNow, { interval: 1, timeout: 10_000 }).toBe(round + 1);
        else await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
        await server.kill();
        connection.close();
        const stored = await versionNow();
        expect(stored).toBeGreaterThanOrEqual(round);

        server = await start();
        const again = () => call(server.baseUrl, 'PATCH', path, { headers, body });
        for (const answer of [await again(), await again()]) {
          expect([answer.status, answer.headers.etag]).toEqual([200, `"${round + 1}"`]);
          expect(answer.json).toMatchObject({ state: { log: Array.from({ length: round + 1 }, (_, i) => i) } });
        }
        expect(await versionNow()).toBe(round + 1);
      }
    } finally {
      await store.close();
      await server.kill();
    }
  }),
);
