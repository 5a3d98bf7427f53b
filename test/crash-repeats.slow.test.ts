/**
 * A write or refresh is repeated after its response was lost in a crash, and takes effect once.
 *
 * @see docs/contract.md §4.8 and §7.6
 */
import { hash, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { freePort } from '../packages/server/src/free-port.fixture.ts';
import { firstCredentials } from '../tooling/credentials.ts';
import { type ServerProcess, startServerProcess } from '../tooling/server-process.ts';
import { call } from './support/client.ts';
import { withPlace } from './support/place.ts';
import { connectRaw } from './support/raw.ts';

const rounds = 2;

test(`kill -9 between commit and response, ${rounds} times: the repeated write is one write`, () =>
  withPlace(async ({ dataDir, settings, openParallel }) => {
    const port = await freePort();
    const start = () => startServerProcess({ dataDir, port, env: settings });
    let server: ServerProcess = await start();
    const { accountId, slug, apiKey } = await firstCredentials(dataDir, server.baseUrl, settings);
    const store = await openParallel();
    const key = { accountId, slug, environment: 'staging' } as const;
    const path = `/v1/${accountId}/projects/${slug}/public-state/staging`;
    // This read goes to the database, never to a cache.
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
        // Half of the rounds kill the server as soon as the write is stored, the others at a random moment. The response is never read.
        if (round % 2 === 0) await expect.poll(versionNow, { interval: 1, timeout: 60_000 }).toBe(round + 1);
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
  }));

test(
  `kill -9 between commit and response, ${rounds} times: the repeated refresh gives the lost token`,
  { timeout: 120_000 },
  () =>
    withPlace(async ({ dataDir, settings, openParallel }) => {
      const port = await freePort();
      const start = () =>
        startServerProcess({ dataDir, port, env: { ...settings, SVC_REFRESH_REPLAY_GRACE_SECONDS: '0' } });
      let server: ServerProcess = await start();
      const { accountId } = await firstCredentials(dataDir, server.baseUrl, settings);
      const store = await openParallel();
      const familyId = 'F'.repeat(22);
      const grant = {
        accountId,
        slug: null,
        environment: null,
        clientId: 'svc-developer',
        subject: 'operator', // needs no membership
        scope: 'developer',
      };
      const [now, hourLater] = [Date.now(), Date.now() + 3_600_000];
      const code = { ...grant, email: null, name: null, redirectUri: 'x', codeChallenge: 'x', expiresAt: hourLater };
      const family = { ...grant, familyId, createdAt: now, idleExpiresAt: hourLater, absoluteExpiresAt: now + 1e11 };
      const sha256 = (text: string) => hash('sha256', text, 'buffer');
      let token = `svcr_${familyId}.${'s'.repeat(43)}`;
      await store.addAuthorizationCode(sha256('code'), code);
      await store.redeemAuthorizationCode(sha256('code'), family, sha256('s'.repeat(43)), now);
      // Each refresh extends the idle expiry.
      const movedTo = async () => (await store.findRefreshFamily(familyId, Date.now()))?.idleExpiresAt;
      try {
        for (let round = 0; round < rounds; round++) {
          const before = await movedTo();
          const body = `grant_type=refresh_token&client_id=svc-developer&refresh_token=${token}`;
          const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Idempotency-Key': randomUUID() };
          const lines = Object.entries({ Host: `127.0.0.1:${port}`, ...headers, 'Content-Length': String(body.length) });
          const connection = await connectRaw(server.baseUrl);
          connection.send(
            `POST /v1/auth/token HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n${body}`,
          );
          if (round % 2 === 0) await expect.poll(movedTo, { interval: 1, timeout: 60_000 }).not.toBe(before);
          else await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
          await server.kill();
          connection.close();
          const stored = await movedTo();

          server = await start();
          const again = async () => {
            const answer = await call(server.baseUrl, 'POST', '/v1/auth/token', { headers, body });
            expect(answer.status, answer.text).toBe(200);
            return (answer.json as { readonly refresh_token: string }).refresh_token;
          };
          const next = await again();
          expect(await again()).toBe(next);
          expect(next).not.toBe(token);
          if (stored !== before) expect(await movedTo()).toBe(stored); // took effect once
          token = next;
        }
      } finally {
        await store.close();
        await server.kill();
      }
    }),
);
