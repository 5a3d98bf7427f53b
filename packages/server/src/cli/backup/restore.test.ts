import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { at, databaseIn, json, key, place, prepareBackups, refusal, restore, versions } from './restore.fixture.ts';

prepareBackups();

describe('holdfast restore', () => {
  it('restores everything except tokens, so that a service starts on it', async () => {
    const dataDir = at('served');
    expect(await json(['restore', 'complete.backup'], { SVC_DATA_DIR: dataDir })).toMatchObject({
      secretKey: 'restored',
      counts: { accounts: 2, projects: 1, publicStateVersions: versions, userStates: 0 },
      replaced: null,
    });
    for (const name of ['holdfast.sqlite', 'secret.key']) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
    const secretKey = readFileSync(join(dataDir, 'secret.key'));
    expect(secretKey).toEqual(readFileSync(join(place.dataDir, 'secret.key')));
    const bytes = Buffer.from(secretKey.toString(), 'base64');
    expect(readFileSync(databaseIn(dataDir)).includes(bytes)).toBe(false);
    const tokenOf = async (environment = {}) =>
      (await place.run(['account', 'token', key.accountId], environment)).stdout.trim();
    const [before, token] = [await tokenOf(), await tokenOf({ SVC_DATA_DIR: dataDir })];
    const server = await place.serve({ SVC_DATA_DIR: dataDir });
    const url = `http://127.0.0.1:${place.environment.SVC_PORT}/v1/acc_1/projects/game/public-state/production`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    expect([response.status, response.headers.get('etag')]).toEqual([200, `"${versions}"`]);
    expect((await fetch(url, { headers: { authorization: `Bearer ${before}` } })).status).toBe(401);
    expect(refusal(await restore('good.backup', dataDir, '--force'))).toBe(
      `cannot restore into ${dataDir}: a service is running there; stop it first`,
    );
    await server.stop();
  });
});
