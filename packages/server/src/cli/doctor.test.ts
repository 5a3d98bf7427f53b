import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSealer } from '../secrets/sealer.ts';
import { loadOrCreateSecretKey } from '../secrets/secret-key.ts';
import { providerSecretRecord } from '../storage/contract/federation.ts';
import { apiKeyRecord, publishableKeyPurpose } from '../storage/contract/management.ts';
import { openSqliteStore } from '../storage/sqlite/store.ts';
import { anAccount, anApiKey, aProject, byOperator } from '../storage/store-contract/records.fixture.ts';
import { type CommandSandbox, createCommandSandbox } from './command.fixture.ts';

let place: CommandSandbox;
/** The test's copy of a folder that is created once. */
let dataDir: string;
let copies = 0;
beforeAll(async () => {
  place = await createCommandSandbox();
  await fill();
});
beforeEach(() => {
  copies += 1;
  dataDir = join(place.folder, `copy-${copies}`);
  mkdirSync(dataDir, { mode: 0o700 });
  for (const name of ['holdfast.sqlite', 'secret.key']) copyFileSync(join(place.dataDir, name), join(dataDir, name));
});
afterAll(() => place.remove());

const key = { accountId: 'acc_1', slug: 'game', environment: 'production' } as const;
const database = () => join(dataDir, 'holdfast.sqlite');
const secretKey = () => join(dataDir, 'secret.key');

interface Report {
  readonly status: string;
  readonly service: string;
  readonly findings: readonly {
    readonly level: string;
    readonly area: string;
    readonly finding: string;
    readonly advice: string;
  }[];
  readonly database: { readonly counts: unknown; readonly sizes: { readonly databaseBytes: number } } | null;
}

const provider = { accountId: key.accountId, providerId: 'google.com' };
const settings = { clientId: 'c', name: null, issuer: null, tenant: null, teamId: null, keyId: null };

/** Creates a database with 40 versions of 8 KB, a signing key, a provider with a secret, and the secret key. */
async function fill(): Promise<void> {
  await place.run(['account', 'create', '--name', 'Acme']);
  const store = await openSqliteStore({ dataDir: place.dataDir });
  await store.createAccount(anAccount({ accountId: key.accountId, name: 'a', idpTenantId: 't', createdAt: 1 }));
  await store.createProject(byOperator, aProject({ ...key, name: 'g', createdAt: 1 }));
  const stateText = JSON.stringify({ filler: 'x'.repeat(8_000) });
  for (let version = 0; version < 40; version++) {
    const expected = version === 0 ? ({ kind: 'absent' } as const) : ({ kind: 'version', version } as const);
    const next = { stateText, stateBytes: stateText.length, comment: null, writtenAt: 1, author: null };
    await store.writePublicState(key, expected, next);
  }
  const sealer = createSealer(loadOrCreateSecretKey(place.dataDir), 'identity-provider');
  const sealedSecret = sealer.seal(Buffer.from('hunter2'), providerSecretRecord(provider, null));
  await store.writeIdentityProvider(byOperator, { ...provider, settings, sealedSecret, writtenAt: 1 }, 10);
  const publishable = anApiKey({ accountId: key.accountId, slug: key.slug, kind: 'publishable' });
  const keySealer = createSealer(loadOrCreateSecretKey(place.dataDir), publishableKeyPurpose);
  const sealedKey = keySealer.seal(Buffer.from('svcp_…'), apiKeyRecord(publishable));
  await store.createApiKey(byOperator, publishable, Buffer.alloc(32), 10, sealedKey);
  await store.close();
}

async function doctor(environment: Readonly<Record<string, string>> = {}, ...flags: readonly string[]) {
  const { code, stdout, stderr } = await place.run(['doctor', '--json', ...flags], {
    SVC_DATA_DIR: dataDir,
    ...environment,
  });
  expect(stderr).toBe('');
  const report: Report = JSON.parse(stdout);
  for (const { advice } of report.findings) expect(advice).not.toBe('');
  const lines = report.findings.map(({ level, area, finding }) => `${level} ${area}: ${finding}`);
  return { code, report, lines };
}

function sql(text: string): void {
  const damaged = new DatabaseSync(database());
  damaged.exec(text);
  damaged.close();
}

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
