import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSealer } from '../../secrets/sealer.ts';
import { loadOrCreateSecretKey } from '../../secrets/secret-key.ts';
import { apiKeyRecord, publishableKeyPurpose } from '../../storage/contract/api-keys.ts';
import { openSqliteStore } from '../../storage/sqlite/store.ts';
import { anApiKey, byOperator } from '../../storage/store-suite/records.fixture.ts';
import { database, dataDir, doctor, key, place, prepareDoctor, secretKey, sql } from './doctor.fixture.ts';

prepareDoctor();
beforeAll(async () => {
  const publishable = anApiKey({ accountId: key.accountId, slug: key.slug, kind: 'publishable' });
  const sealer = createSealer(loadOrCreateSecretKey(place.dataDir), publishableKeyPurpose);
  const store = await openSqliteStore({ dataDir: place.dataDir });
  const sealedKey = sealer.seal(Buffer.from('svcp_…'), apiKeyRecord(publishable));
  await store.createApiKey(byOperator, publishable, Buffer.alloc(32), 10, sealedKey);
  await store.close();
});

describe('holdfast doctor with everything in order', () => {
  it('reports that and ends with 0, alone and beside a service', async () => {
    const alone = await doctor();
    expect([alone.code, alone.lines, alone.report.status, alone.report.service]).toEqual([0, [], 'ok', 'stopped']);
    expect(alone.report.database?.counts).toMatchObject({ accounts: 2, projects: 1, publicStateVersions: 40 });
    const server = await place.serve({ SVC_DATA_DIR: dataDir });
    const beside = await doctor();
    expect([beside.code, beside.lines, beside.report.service]).toEqual([0, [], 'ready']);
    const { code, stdout } = await place.run(['doctor'], { SVC_DATA_DIR: dataDir });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Service {6}running, ready$[\s\S]*^Versions {5}40$[\s\S]*^Nothing to do\.$/m),
    ]);
    await server.stop();
  });
});

describe('holdfast doctor on a damaged database', () => {
  it('finds a flipped byte in a page', async () => {
    const { rootpage } = rootOf('public_state_milestones');
    const file = openSync(database(), 'r+');
    // The first byte of a page is its type.
    const kind = readFileSync(database())[(rootpage - 1) * 8_192] ?? 0;
    writeSync(file, Uint8Array.of(kind ^ 0xff), 0, 1, (rootpage - 1) * 8_192);
    closeSync(file);
    const { code, lines, report } = await doctor();
    expect(code).toBe(1);
    expect(lines).toContainEqual(expect.stringMatching(/^error database: integrity: /));
    expect(report.findings[0]?.advice).toMatch(/restore the latest backup/);
  });

  function rootOf(name: string): { rootpage: number } {
    const open = new DatabaseSync(database(), { readOnly: true });
    const row = open.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name) as { rootpage: number };
    open.close();
    return row;
  }
});

describe('holdfast doctor on the data folder', () => {
  it('reports that another secret key opens nothing, whatever its kind', async () => {
    const keys =
      "INSERT INTO signing_keys SELECT 'id-key', 'id_token', public_jwk, sealed_private_jwk, 1 FROM signing_keys";
    sql(keys);
    writeFileSync(secretKey(), `${Buffer.alloc(32, 5).toString('base64')}\n`);
    for (const flags of [[], ['--quick']]) {
      expect(await doctor({}, ...flags)).toMatchObject({
        code: 1,
        lines: [
          expect.stringMatching(/^error database: the secret key opens 0 of 1 signing keys of access tokens, not \S+$/),
          'error database: the secret key opens 0 of 1 signing keys of ID tokens, not id-key',
          'error database: the secret key opens 0 of 1 secrets of identity providers, not acc_1/google.com',
          'warning database: the secret key opens 0 of 1 publishable API keys, not key_1',
        ],
      });
    }
  });
});
