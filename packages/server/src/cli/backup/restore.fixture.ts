/** Backups for the tests of `holdfast restore`. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { openSqliteStore } from '../../storage/sqlite/store.ts';
import { anAccount, aProject, byOperator } from '../../storage/store-suite/records.fixture.ts';
import { type CommandSandbox, createCommandSandbox, type Ended } from '../command.fixture.ts';

/** How many versions the document has. */
export const versions = 60;
export const key = { accountId: 'acc_1', slug: 'game', environment: 'production' } as const;

export let place: CommandSandbox;
/** Makes two backups of a folder before the tests of a file: one without the secret key, `good`, and one with it, `complete`. */
export function prepareBackups(): void {
  beforeAll(async () => {
    place = await createCommandSandbox();
    await place.run(['account', 'create', '--name', 'Acme']);
    const store = await openSqliteStore({ dataDir: place.dataDir });
    await store.createAccount(anAccount({ accountId: key.accountId, name: 'a', idpTenantId: 't', createdAt: 1 }));
    await store.createProject(byOperator, aProject({ ...key, name: 'g', createdAt: 1 }));
    const stateText = JSON.stringify({ filler: 'x'.repeat(250_000) });
    for (let version = 0; version < versions; version++) {
      const expected = version === 0 ? ({ kind: 'absent' } as const) : ({ kind: 'version', version } as const);
      const next = { stateText, stateBytes: stateText.length, comment: null, writtenAt: 1, author: null };
      await store.writePublicState(key, expected, next);
    }
    await store.close();
    await json(['backup', 'good.backup']);
    await json(['backup', 'complete.backup', '--with-secret-key']);
  });
  afterAll(() => place.remove());
}

export const at = (name: string) => join(place.folder, name);
export const databaseIn = (dataDir: string) => join(dataDir, 'holdfast.sqlite');
export const restore = (file: string, dataDir: string, ...flags: readonly string[]) =>
  place.run(['restore', file, ...flags], { SVC_DATA_DIR: dataDir });

export const json: CommandSandbox['json'] = (args, environment) => place.json(args, environment);

/** The one line that a refused command prints. */
export function refusal({ code, stdout, stderr }: Ended): string {
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^holdfast: /);
  return stderr.slice('holdfast: '.length).trimEnd();
}
