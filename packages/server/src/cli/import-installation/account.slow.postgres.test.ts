/** Importing an account: it stays invisible until complete, and an import can be repeated after a kill. On both engines. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPostgresAccountTarget } from '../../storage/postgres/transfer/account.ts';
import { openSqliteAccountTarget } from '../../storage/sqlite/transfer/account.ts';
import type { Store } from '../../storage/store.ts';
import { anApiKey, aProject, byOperator } from '../../storage/store-suite/records.fixture.ts';
import { createExportSeal } from '../export/seal.ts';
import { fillMore } from '../migrate-store/migrate-store.fixture.ts';
import { createStage, type Stage } from '../migrate-store/stage.fixture.ts';

const passphrase = 'correct horse battery staple';
const secretKey = Buffer.alloc(32, 1).toString('base64');
const accountId = 'acc_more';
const done = { code: 0 };

let stage: Stage;
beforeEach(async () => {
  stage = await createStage();
  writeFileSync(join(stage.sandbox.folder, 'passphrase'), `${passphrase}\n`);
  await stage.use(stage.source, async (store) => {
    await fillMore(store);
    await store.createAccount({ accountId: 'acc_other', name: 'Other', idpTenantId: 'o', createdAt: 1_000 });
  });
  expect(await run(stage.source, `export more.ndjson --account ${accountId}`)).toMatchObject(done);
});
afterEach(() => stage.remove());

const isUrl = (place: string) => place.startsWith('postgres://');
const at = (place: string) => ({
  SVC_SECRET_KEY: secretKey,
  ...(isUrl(place) ? { SVC_DATABASE_URL: place } : { SVC_DATA_DIR: place }),
});
const run = (place: string, line: string) =>
  stage.sandbox.run([...line.split(' '), '--passphrase-file', 'passphrase'], at(place));
const textOf = (name: string) => readFileSync(join(stage.sandbox.folder, name), 'utf8');

/** Places that contain somebody else's account. */
async function places(): Promise<readonly string[]> {
  for (const place of [stage.back, stage.url]) {
    await stage.use(place, (store) =>
      store.createAccount({ accountId: 'acc_here', name: 'Here', idpTenantId: 'h', createdAt: 1 }),
    );
  }
  return [stage.back, stage.url];
}

/** Returns a number from an SQL statement, run directly on the database. */
async function count(place: string, sql: string): Promise<number> {
  if (isUrl(place)) return Number((await stage.runSql(sql))[0]?.n ?? 0);
  const file = join(place, 'holdfast.sqlite');
  if (!existsSync(file)) return 0;
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    return Number(database.prepare(sql).get()?.n ?? 0);
  } finally {
    database.close();
  }
}
const userStatesIn = (place: string) => count(place, 'SELECT count(*) AS n FROM user_states');

/** Starts the import and kills it, without a chance to clean up, once part of it is stored. */
async function killImport(place: string): Promise<void> {
  const args = ['import', 'more.ndjson', '--passphrase-file', 'passphrase'];
  const { child, ended } = stage.sandbox.start(args, at(place));
  while (child.exitCode === null && (await userStatesIn(place)) < 500) await sleep(5);
  child.kill('SIGKILL');
  expect(await ended).toMatchObject({ code: null });
}

it('a killed import leaves nothing visible, and the same command imports everything', {
  timeout: 300_000,
}, async () => {
  for (const place of await places()) {
    await killImport(place);
    expect(await userStatesIn(place), place).toBeGreaterThan(0);
    await stage.use(place, async (store) => {
      expect(await store.findAccount(accountId)).toBeUndefined();
      expect((await store.listAccounts({ after: null, itemsMax: 9 })).items.map((each) => each.accountId)).toEqual([
        'acc_here',
      ]);
      const key = { accountId, slug: 'more-1', environment: 'production' } as const;
      expect(await store.findProject(key)).toBeUndefined();
      expect(await store.readPublicState(key)).toMatchObject({ kind: 'no_project' });
    });
    expect(await stage.faults(place), place).toEqual([]);
    expect(await run(place, 'import more.ndjson'), place).toMatchObject(done);
    expect(await stage.faults(place), place).toEqual([]);
    expect(await userStatesIn(place), place).toBe(3_000);
    expect(await run(place, `export again.ndjson --account ${accountId} --force`)).toMatchObject(done);
    expect(textOf('again.ndjson'), place).toBe(textOf('more.ndjson'));
  }
});

it('the command creates no store in an empty data folder, and says so', async () => {
  const nowhere = join(stage.sandbox.folder, 'nowhere');
  const line = ['import', 'more.ndjson', '--passphrase-file', 'passphrase'];
  const { code, stderr } = await stage.sandbox.run(line, { SVC_DATA_DIR: nowhere });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^holdfast: there is no database in \S+nowhere; /)]);
  expect(existsSync(nowhere)).toBe(false);
});

it('any sweep removes what a killed import left, after a while', { timeout: 300_000 }, async () => {
  for (const place of await places()) {
    await killImport(place);
    // Not before.
    await stage.use(place, () => sleep(1_500));
    expect(await userStatesIn(place), place).toBeGreaterThan(0);
    if (isUrl(place)) {
      await stage.runSql('UPDATE orphans SET due_at = 1');
      const { openDatabase } = await import('../../storage/postgres/connection/database.ts');
      const { databaseAddress } = await import('../../storage/postgres/connection/address.ts');
      const { sweepDue } = await import('../../storage/postgres/sweep/sweep.ts');
      const database = openDatabase(databaseAddress(place, 1));
      await sweepDue(database, Date.now());
      await database.close();
    } else {
      const database = new DatabaseSync(join(place, 'holdfast.sqlite'), { timeout: 5_000 });
      database.exec("UPDATE orphans SET target = 1 WHERE kind = 'account'");
      database.close();
      await stage.use(place, async () => {
        while ((await count(place, 'SELECT count(*) AS n FROM orphans')) > 0) await sleep(50);
      });
    }
    expect(await userStatesIn(place), place).toBe(0);
    expect(await count(place, 'SELECT count(*) AS n FROM orphans'), place).toBe(0);
    expect(await stage.faults(place), place).toEqual([]);
  }
});

it("an import right after the account's deletion waits for the removal", { timeout: 300_000 }, async () => {
  for (const place of await places()) {
    expect(await run(place, 'import more.ndjson'), place).toMatchObject(done);
    expect((await run(place, 'import more.ndjson')).stderr, place).toMatch(`the account ${accountId} already exists`);
    expect(await stage.sandbox.run(['account', 'delete', accountId, '--yes'], at(place))).toMatchObject(done);
    const again = await run(place, 'import more.ndjson');
    expect(again, place).toMatchObject({
      ...done,
      stderr: expect.stringMatching(/^(Removing what acc_more has left.*\n)?$/),
    });
    expect(await stage.faults(place), place).toEqual([]);
  }
});

it('a second import of the account takes over from the first, which fails', { timeout: 300_000 }, async () => {
  for (const place of await places()) {
    const open = () =>
      isUrl(place)
        ? openPostgresAccountTarget({ url: place, name: place }, accountId)
        : openSqliteAccountTarget(place, accountId);
    const [one, other] = [await open(), await open()];
    try {
      const floor = { account_id: accountId, slug: 'p', environment: 0, version: 1, user_version: 1, schema_version: 1 };
      expect(await one.begin(() => undefined)).toBe('begun');
      await one.write('version_floors', [floor]);
      const told: string[] = [];
      expect(await other.begin(() => void told.push('clearing'))).toBe('begun');
      expect(told).toEqual(['clearing']);
      expect(await count(place, 'SELECT count(*) AS n FROM version_floors')).toBe(0);
      const begunSince = `another import of ${accountId} has begun since`;
      await expect(one.write('version_floors', [floor])).rejects.toThrow(begunSince);
      await expect(one.abandon()).rejects.toThrow(begunSince);
      await other.write('version_floors', [floor]);
      await other.abandon();
      expect(await count(place, 'SELECT count(*) AS n FROM version_floors')).toBe(0);
      expect(await count(place, 'SELECT count(*) AS n FROM orphans')).toBe(0);
    } finally {
      await one.close();
      await other.close();
    }
  }
});

it('a planted record and a changed account id are refused, and nothing is stored', { timeout: 300_000 }, async () => {
  const [head = '', ...rest] = textOf('more.ndjson').trimEnd().split('\n');
  const seal = createExportSeal(passphrase, JSON.parse(head).salt);
  const ended = (lines: readonly string[]) => {
    const text = lines.map((line) => `${line}\n`).join('');
    const sha256 = createHash('sha256').update(text).digest('hex');
    const mac = seal.mac().update(text).digest('hex');
    return `${text}${JSON.stringify({ kind: 'end', records: lines.length - 1, sha256, mac })}\n`;
  };
  const member = {
    account_id: 'acc_here',
    developer_hash: { base64: createHash('sha256').update('["built-in","usr_eve"]').digest('base64') },
    member_id: 'mem_eve',
    issuer: '"built-in"',
    subject: '"usr_eve"',
    role: 'owner',
    environments: null,
    name: null,
    email: null,
    joined_at: 1,
    last_seen_at: null,
  };
  const planted = JSON.stringify({ kind: 'members', record: member });
  const body = rest.slice(0, -1);
  const hot = body.findIndex((line) => line.startsWith('{"kind":"audit_records"'));
  const files = {
    planted: ended([head, ...body.slice(0, hot), planted, ...body.slice(hot)]),
    changed: ended([head.replace('"acc_more"', `"x' OR account_id <> '"`), ...body]),
    other: ended([head.replace('"acc_more"', '"acc_here"'), ...body]),
  };
  const said = {
    planted: /\(members\) belongs to another account than acc_more/,
    changed: /the account id in the first line of the export is not valid/,
    other: /belongs to another account than acc_here/,
  };
  for (const place of await places()) {
    for (const name of ['planted', 'changed', 'other'] as const) {
      writeFileSync(join(stage.sandbox.folder, 'bad.ndjson'), files[name]);
      expect(await run(place, 'import bad.ndjson'), name).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(said[name]),
      });
    }
    expect(await count(place, 'SELECT count(*) AS n FROM members'), place).toBe(0);
    expect(await count(place, 'SELECT count(*) AS n FROM projects'), place).toBe(0);
    await stage.use(place, async (store) => {
      expect(await store.findAccount('acc_here')).toMatchObject({ name: 'Here' });
      expect((await store.listAccounts({ after: null, itemsMax: 9 })).items).toHaveLength(1);
    });
  }
});

it('ids of another account are refused, and nothing of the import stays', {
  timeout: 300_000,
}, async () => {
  const give = async (store: Store, of: string) => {
    const slug = of === accountId ? 'more-1' : 'p';
    if (slug === 'p') await store.createProject(byOperator, aProject({ accountId: of, slug }));
    const secret = createHash('sha256').update(of).digest();
    await store.createApiKey(byOperator, anApiKey({ accountId: of, slug, keyId: 'key_same' }), secret, 9);
    const robot = { accountId: of, serviceAccountId: `sa_${of.slice(4)}`, name: 'R', role: 'editor' as const };
    const rights = { environments: null, createdAt: 1, expiresAt: null };
    await store.createServiceAccount(
      byOperator,
      { ...robot, ...rights },
      { secretId: 'sec_same', secretHash: secret, createdAt: 1 },
      9,
    );
  };
  await stage.use(stage.source, (store) => give(store, accountId));
  expect(await run(stage.source, `export more.ndjson --account ${accountId} --force`)).toMatchObject(done);
  const refused = async (place: string, title: string, field: string) => {
    const said = `${title}: another account of the store has one with the same "${field}" already`;
    expect(await run(place, 'import more.ndjson'), place).toMatchObject({ code: 1, stderr: expect.stringContaining(said) });
    expect(await stage.use(place, async (store) => store.findAccount(accountId)), place).toBeUndefined();
    expect(await stage.faults(place), place).toEqual([]);
  };
  for (const place of await places()) {
    await stage.use(place, (store) => give(store, 'acc_here'));
    await refused(place, 'API keys', 'key_id');
    await stage.use(place, (store) => store.deleteApiKey(byOperator, { accountId: 'acc_here', slug: 'p' }, 'key_same'));
    await refused(place, 'secrets of service accounts', 'secret_id');
    await stage.use(place, async (store) => {
      await store.deleteServiceAccount(byOperator, 'acc_here', 'sa_here');
      await store.createAccount({ accountId: 'acc_tenant', name: 'Tenant', idpTenantId: 't', createdAt: 1 });
    });
    await refused(place, 'accounts', 'idp_tenant_id');
    await stage.use(place, (store) => store.deleteAccount('acc_tenant'));
    expect(await run(place, 'import more.ndjson'), place).toMatchObject(done);
  }
});
