/** After a move to the other engine, clients' keys, tokens, sessions and entity tags stay valid. */

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { command } from '../packages/server/src/cli/command.fixture.ts';
import { freePort } from '../packages/server/src/free-port.fixture.ts';
import { openWorld, tokensOf } from './oauth/world.ts';
import type { Place } from './support/place.ts';
import { postgresPlace } from './support/place-postgres.ts';
import { sqlitePlace } from './support/place-sqlite.ts';
import { startServer } from './support/server.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'holdfast-moved-'));

const migrate = (from: string, to: string) =>
  promisify(execFile)(process.execPath, [command, 'migrate-store', '--from', from, '--to', to], {
    env: { PATH: process.env.PATH ?? '' },
  });

it('keys, tokens, sessions and entity tags stay valid on PostgreSQL, and back in a folder', async () => {
  const port = String(await freePort()); // the same address before and after the move
  const settings = { SVC_PORT: port, SVC_BASE_URL: `http://127.0.0.1:${port}` };
  const folder = sqlitePlace(newFolder());
  const database = await postgresPlace(newFolder());
  const back = sqlitePlace(newFolder());
  onTestFinished(async () => {
    for (const place of [folder, database, back]) await place.remove();
  });
  const world = await openWorld({ place: folder, settings });
  const { project } = world;
  const { apiKey } = await world.server.newApiKey(project);
  const withKey = { Authorization: `ApiKey ${apiKey}` };
  const path = `${project.path}/public-state/production`;
  const written = await world.server.call('PUT', path, {
    headers: { ...withKey, 'If-None-Match': '*' },
    body: { state: { score: 1 } },
  });
  expect(written.status, written.text).toBe(200);
  const tokens = await world.newTokens();
  await world.stop();

  const secretKey = readFileSync(join(folder.dataDir, 'secret.key'), 'utf8').trim();
  const url = database.settings.SVC_DATABASE_URL as string;
  let etag = written.headers.etag as string;
  let refreshToken = tokens.refresh_token;
  // The response is lost each time, and the refresh is repeated in the next place.
  let repeated = '';
  const use = async (place: Place) => {
    const server = await startServer({ place, settings: { ...settings, SVC_SECRET_KEY: secretKey } });
    try {
      const read = await server.call('GET', path, { headers: withKey });
      expect([read.status, read.headers.etag]).toEqual([200, etag]);
      const replaced = await server.call('PUT', path, { headers: { ...withKey, 'If-Match': etag }, body: { state: {} } });
      expect(replaced.status, replaced.text).toBe(200);
      etag = replaced.headers.etag as string;
      const account = await server.call('GET', `/v1/${project.developer.accountId}`, { headers: project.developer.bearer });
      expect(account.status).toBe(200);
      const refresh = async (token: string) => {
        const form = { grant_type: 'refresh_token', client_id: project.clientId, refresh_token: token };
        const answer = await server.call('POST', '/v1/auth/token', {
          headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Idempotency-Key': 'the-key-of-a-client' },
          body: new URLSearchParams(form).toString(),
        });
        return tokensOf(answer).refresh_token;
      };
      if (repeated !== '') expect(await refresh(repeated)).toBe(refreshToken);
      repeated = refreshToken;
      refreshToken = await refresh(refreshToken);
    } finally {
      await server.stop();
    }
  };
  await migrate(folder.dataDir, url);
  await use(database);
  await migrate(url, back.dataDir);
  await use(back);
});
