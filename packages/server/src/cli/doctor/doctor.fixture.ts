/** A folder of data that `holdfast doctor` finds nothing wrong with, and a copy of it for each test to damage. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { createSealer } from '../../secrets/sealer.ts';
import { loadOrCreateSecretKey } from '../../secrets/secret-key.ts';
import { providerSecretRecord } from '../../storage/contract/federation.ts';
import { openSqliteStore } from '../../storage/sqlite/store.ts';
import { anAccount, aProject, byOperator } from '../../storage/store-suite/records.fixture.ts';
import { type CommandSandbox, createCommandSandbox } from '../command.fixture.ts';

export let place: CommandSandbox;
/** The test's copy of the folder. */
export let dataDir: string;

/** Creates the folder before the tests of a file, and a copy before each. */
export function prepareDoctor(): void {
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
}

export const key = { accountId: 'acc_1', slug: 'game', environment: 'production' } as const;
export const database = () => join(dataDir, 'holdfast.sqlite');
export const secretKey = () => join(dataDir, 'secret.key');

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
  await store.close();
}

/** Runs `holdfast doctor` on the copy. Each finding comes with advice. */
export async function doctor(environment: Readonly<Record<string, string>> = {}, ...flags: readonly string[]) {
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

/** Damages the copy by SQL. */
export function sql(text: string): void {
  const damaged = new DatabaseSync(database());
  damaged.exec(text);
  damaged.close();
}
