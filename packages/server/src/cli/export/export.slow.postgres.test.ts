/** Exports and imports of a store with every kind of record: the same bytes on both engines and across them. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createApiKey, listApiKeys } from '../../management/api-keys.ts';
import { createSealer } from '../../secrets/sealer.ts';
import { publishableKeyPurpose } from '../../storage/contract/api-keys.ts';
import { createDatabase, dropDatabase } from '../../storage/postgres/fixtures/databases.fixture.ts';
import { newDatabase, removeDatabase } from '../../storage/postgres/fixtures/leases.fixture.ts';
import { transferKindNames, transferKinds } from '../../storage/transfer/kinds.ts';
import { fillStore } from '../migrate-store/migrate-store.fixture.ts';
import { readStore } from '../migrate-store/reads.fixture.ts';
import { createStage, type Stage } from '../migrate-store/stage.fixture.ts';
import { sealedFields } from '../sealed-fields.ts';

const secretKey = Buffer.alloc(32, 1);
const passphrase = 'correct horse battery staple';
const done = { code: 0, stderr: '' };

let stage: Stage;
beforeEach(async () => {
  stage = await createStage();
  writeFileSync(join(stage.sandbox.folder, 'passphrase'), `${passphrase}\n`);
  writeFileSync(join(stage.sandbox.folder, 'wrong'), 'correct horse battery stable\n');
});
afterEach(() => stage.remove());

const at = (place: string, key: Buffer = secretKey): Readonly<Record<string, string>> => ({
  SVC_SECRET_KEY: key.toString('base64'),
  ...(place.startsWith('postgres://') ? { SVC_DATABASE_URL: place } : { SVC_DATA_DIR: place }),
});
const run = (place: string, line: string, key?: Buffer) =>
  stage.sandbox.run([...line.split(' '), '--passphrase-file', 'passphrase'], at(place, key));
const textOf = (name: string) => readFileSync(join(stage.sandbox.folder, name), 'utf8');
/** The parsed content of each line. */
const linesOf = (name: string) =>
  textOf(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const keySealer = createSealer(secretKey, publishableKeyPurpose);
/** A project with a sealed key. */
const keysOf = { accountId: 'acc_alpha', slug: 'game' };
let publishableKey = '';

/** Seals values that the fixture left unsealed, as a service does. */
async function fill(place: string): Promise<void> {
  await stage.use(place, async (store) => {
    await fillStore(store);
    const key = { accountId: 'acc_alpha', providerId: 'oidc.sealed' };
    const sealedSecret = createSealer(secretKey, 'identity-provider').seal(
      Buffer.from('the secret of a provider'),
      JSON.stringify([key.accountId, key.providerId, 'https://issuer.example']),
    );
    const settings = {
      clientId: 'c',
      name: 'n',
      issuer: 'https://issuer.example',
      tenant: null,
      teamId: null,
      keyId: null,
    };
    const by = { actor: { kind: 'operator', id: 'operator', name: null }, requestId: 'a-request', at: 1_000 } as const;
    await store.writeIdentityProvider(by, { ...key, sealedSecret, settings, writtenAt: 2_000 }, 9);
    const created = await createApiKey(store, by, keysOf, { name: 'shipped', kind: 'publishable' }, keySealer);
    publishableKey = created.apiKey;
  });
}

/** Each sealing of a secret gives another text. */
const withoutSeals = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, member: unknown) => (/^sealed/.test(name) ? 'sealed' : member)));

describe('an export of an installation', () => {
  it('has the same bytes after an import, on both engines and across them', { timeout: 240_000 }, async () => {
    const { source, url, back } = stage;
    await fill(source);
    const original = await stage.use(source, readStore);
    expect(await run(source, 'export one.ndjson')).toMatchObject(done);
    expect(statSync(join(stage.sandbox.folder, 'one.ndjson')).mode & 0o777).toBe(0o600);
    const kinds = new Set(linesOf('one.ndjson').map(({ kind }) => kind));
    expect(transferKindNames.filter((kind) => !kinds.has(kind))).toEqual([]);
    expect(textOf('one.ndjson')).not.toContain(Buffer.from('the secret of a provider').toString('base64'));
    expect(textOf('one.ndjson')).not.toContain(Buffer.from(publishableKey).toString('base64'));
    expect(textOf('one.ndjson')).not.toContain(secretKey.toString('base64'));

    expect(await run(url, 'import one.ndjson')).toMatchObject(done);
    expect(await stage.faults(url)).toEqual([]);
    const { items } = await stage.use(url, (store) => listApiKeys(store, keysOf, keySealer));
    expect(items.find(({ name }) => name === 'shipped')?.apiKey).toBe(publishableKey);
    expect(withoutSeals(await stage.use(url, readStore))).toEqual(withoutSeals(original));
    const streamed = await run(url, 'export -');
    expect(streamed).toMatchObject({ code: 0 });
    expect(streamed.stdout).toBe(textOf('one.ndjson'));

    expect(await run(back, 'import one.ndjson')).toMatchObject(done);
    expect(await stage.faults(back)).toEqual([]);
    expect(await run(back, 'export three.ndjson --json')).toMatchObject(done);
    expect(textOf('three.ndjson')).toBe(textOf('one.ndjson'));
  });

  it('from PostgreSQL has the same bytes again, in the embedded database and in another PostgreSQL', {
    timeout: 240_000,
  }, async () => {
    const { url, back } = stage;
    const other = await newDatabase();
    try {
      await fill(url);
      const original = withoutSeals(await stage.use(url, readStore));
      expect(await run(url, 'export one.ndjson')).toMatchObject(done);
      const kinds = new Set(linesOf('one.ndjson').map(({ kind }) => kind));
      expect(transferKindNames.filter((kind) => !kinds.has(kind))).toEqual([]);
      for (const place of [back, other]) {
        expect(await run(place, 'import one.ndjson'), place).toMatchObject(done);
        expect(await stage.faults(place), place).toEqual([]);
        expect(withoutSeals(await stage.use(place, readStore)), place).toEqual(original);
        expect(await run(place, 'export again.ndjson --force'), place).toMatchObject(done);
        expect(textOf('again.ndjson'), place).toBe(textOf('one.ndjson'));
      }
    } finally {
      await removeDatabase(other);
    }
  });

  it('contains the secret key, and any wrong part makes it refused', { timeout: 240_000 }, async () => {
    const { source, back, sandbox: workplace } = stage;
    await fill(source);
    expect(await run(source, 'export one.ndjson')).toMatchObject(done);
    const lines = textOf('one.ndjson').split('\n');
    const wrong = {
      'cut.ndjson': [lines.slice(0, -3).join('\n'), /is not complete/],
      'changed.ndjson': [lines.map((line) => line.replace('"slug":"shop"', '"slug":"shup"')).join('\n'), /was changed/],
      'none.ndjson': ['{"a":1}\n', /is not a Holdfast export/],
      'later.ndjson': [textOf('one.ndjson').replace(/"migration":\d+/, '"migration":9999'), /later release/],
      'text.ndjson': ['what?\n', /line 1 of the export is not a JSON object/],
      'empty.ndjson': ['', /is empty/],
    } as const;
    for (const [name, [text, message]] of Object.entries(wrong)) {
      writeFileSync(join(workplace.folder, name), text);
      expect(await run(back, `import ${name}`), name).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
    }
    const guess = ['import', 'one.ndjson', '--passphrase-file', 'wrong'];
    expect((await workplace.run(guess, at(back))).stderr).toMatch(/passphrase does not match the export/);
    expect((await run(source, 'import one.ndjson')).stderr).toMatch(/it has a database/);
    expect((await run(source, 'export one.ndjson')).stderr).toMatch(/already exists/);
    const unused = await createDatabase(inject('postgresUrl'));
    expect((await run(unused, 'export two.ndjson')).stderr).toMatch(/there is no store|has never run/);
    await dropDatabase(inject('postgresUrl'), unused);

    const alone = { SVC_DATA_DIR: back };
    const importAlone = ['import', 'one.ndjson', '--passphrase-file', 'passphrase'];
    expect(await workplace.run(importAlone, alone)).toMatchObject(done);
    expect(readFileSync(join(back, 'secret.key'), 'utf8').trim()).toBe(secretKey.toString('base64'));
    const exportAlone = ['export', 'four.ndjson', '--passphrase-file', 'passphrase'];
    expect(await workplace.run(exportAlone, alone)).toMatchObject(done);
    expect(textOf('four.ndjson')).toBe(textOf('one.ndjson'));
  });
});

describe('an export of an account', () => {
  it('restores the whole account in another installation, and in its own after a deletion', {
    timeout: 240_000,
  }, async () => {
    const { source, url, back } = stage;
    await fill(source);
    expect(await run(source, 'export alpha.ndjson --account acc_alpha')).toMatchObject(done);
    const owners = linesOf('alpha.ndjson').flatMap(({ record }) =>
      record === undefined ? [] : [record.account_id ?? record.directory_id],
    );
    expect(new Set(owners)).toEqual(new Set(['acc_alpha']));
    expect((await run(source, 'import alpha.ndjson')).stderr).toMatch(/the account acc_alpha already exists/);
    expect((await run(source, 'export no.ndjson --account acc_no')).stderr).toMatch(/there is no account/);

    const other = Buffer.alloc(32, 2);
    for (const place of [back, url]) {
      await stage.use(place, async (store) => {
        await store.createAccount({ accountId: 'acc_here', name: 'Here', idpTenantId: 'h', createdAt: 1 });
      });
      expect(await run(place, 'import alpha.ndjson', other), place).toMatchObject(done);
      expect(await stage.faults(place), place).toEqual([]);
      expect(await run(place, 'export again.ndjson --account acc_alpha --force', other)).toMatchObject(done);
      expect(textOf('again.ndjson'), place).toBe(textOf('alpha.ndjson'));
      await stage.use(place, async (store) => {
        expect(await store.findAccount('acc_alpha')).toMatchObject({ suspendedAt: null });
        expect(await store.findAccount('acc_here')).toBeDefined();
      });
    }
    await stage.use(source, (store) => store.deleteAccount('acc_alpha'));
  });
});

it('every sealed column is listed, so that no secret is exported readable', () => {
  const sealed = transferKindNames.flatMap((kind) =>
    transferKinds[kind].fields.filter((field) => field.startsWith('sealed_')).map((field) => [kind, field]),
  );
  expect(sealed.length).toBeGreaterThan(2);
  expect(
    Object.entries(sealedFields)
      .map(([kind, { field }]) => [kind, field])
      .sort(),
  ).toEqual(sealed.sort());
});
