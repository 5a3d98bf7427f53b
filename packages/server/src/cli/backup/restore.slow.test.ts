import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../storage/sqlite/store.ts';
import { anAccount } from '../../storage/store-suite/records.fixture.ts';
import { at, databaseIn, json, key, place, prepareBackups, refusal, restore, versions } from './restore.fixture.ts';

prepareBackups();

function copyOf(name: string): string {
  copyFileSync(at('good.backup'), at(name));
  return name;
}

/** Copies the good backup and damages the copy by SQL. */
function damaged(name: string, sql: string): string {
  copyOf(name);
  const database = new DatabaseSync(at(name));
  database.exec(sql);
  database.close();
  return name;
}

describe('holdfast restore', () => {
  it.each<[string, string, () => string]>([
    ['present and right', 'fits', () => readFileSync(join(place.dataDir, 'secret.key'), 'utf8')],
    ['present and wrong', 'does_not_fit', () => `${Buffer.alloc(32, 7).toString('base64')}\n`],
  ])('reports a secret key that is %s: it %s', async (name, state, text) => {
    const dataDir = at(name.replaceAll(' ', '-'));
    mkdirSync(dataDir, { mode: 0o700 });
    writeFileSync(join(dataDir, 'secret.key'), text(), { mode: 0o600 });
    expect(await json(['restore', 'good.backup'], { SVC_DATA_DIR: dataDir })).toMatchObject({ secretKey: state });
    if (state === 'fits') return;
    await json(['keys', 'rotate', '--revoke'], { SVC_DATA_DIR: dataDir });
    expect(await json(['doctor'], { SVC_DATA_DIR: dataDir, SVC_PORT: '' })).toMatchObject({ status: 'ok' });
  });

  it('reports a secret key that opens only the signing keys as not matching', async () => {
    const provider = `INSERT INTO identity_providers VALUES ('acc_1', 'google.com', 1, 1, '{"issuer":null}', zeroblob(64))`;
    const dataDir = at('half-a-fit');
    mkdirSync(dataDir, { mode: 0o700 });
    copyFileSync(join(place.dataDir, 'secret.key'), join(dataDir, 'secret.key'));
    const restored = await json(['restore', damaged('foreign-secret', provider)], { SVC_DATA_DIR: dataDir });
    expect(restored).toMatchObject({ secretKey: 'does_not_fit' });
  });

  it('does not overwrite a secret key', async () => {
    const dataDir = at('other-key');
    mkdirSync(dataDir, { mode: 0o700 });
    const other = `${Buffer.alloc(32, 7).toString('base64')}\n`;
    writeFileSync(join(dataDir, 'secret.key'), other, { mode: 0o600 });
    expect(refusal(await restore('complete.backup', dataDir))).toMatch(/secret\.key is not the key of the backup/);
    expect(existsSync(databaseIn(dataDir))).toBe(false);
    expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe(other);
  });

  it('warns people about revived data', async () => {
    const { stdout } = await restore('good.backup', at('warned'));
    expect(stdout).toMatch(/deleted or revoked since/);
    expect(stdout).toMatch(/^Versions +continue from 1000060$/m);
    expect(stdout).toMatch(/Players and developers sign in again\./);
  });
});

describe('holdfast restore onto an existing database', () => {
  it('with --force puts the remains of a crash aside with their log, which must not meet the new database', async () => {
    const dataDir = at('crashed');
    const elsewhere = at('crashed-elsewhere');
    const store = await openSqliteStore({ dataDir: elsewhere });
    await store.createAccount(anAccount({ accountId: 'acc_late', name: 'a', idpTenantId: 't', createdAt: 1 }));
    mkdirSync(dataDir, { mode: 0o700 });
    for (const ending of ['', '-wal']) copyFileSync(`${databaseIn(elsewhere)}${ending}`, `${databaseIn(dataDir)}${ending}`);
    await store.close();
    const { replaced } = await json(['restore', 'good.backup', '--force'], { SVC_DATA_DIR: dataDir });
    expect(existsSync(`${databaseIn(dataDir)}-wal`)).toBe(false);
    const aside = new DatabaseSync(replaced);
    expect(aside.prepare('SELECT account_id FROM accounts').all()).toEqual([{ account_id: 'acc_late' }]);
    aside.close();
    writeFileSync(databaseIn(dataDir), 'nothing that could be opened'.repeat(1_000));
    writeFileSync(`${databaseIn(dataDir)}-wal`, 'nor this');
    const { replaced: again } = await json(['restore', 'good.backup', '--force'], { SVC_DATA_DIR: dataDir });
    expect(readFileSync(`${again}-wal`, 'utf8')).toBe('nor this');
    expect((await place.run(['account', 'show', key.accountId], { SVC_DATA_DIR: dataDir })).code).toBe(0);
  });

  it('with --force refuses while a program has the database open', async () => {
    const dataDir = at('open');
    await json(['restore', 'good.backup'], { SVC_DATA_DIR: dataDir });
    const store = await openSqliteStore({ dataDir, exclusive: false });
    expect(refusal(await restore('good.backup', dataDir, '--force'))).toMatch(/another program has it open$/);
    await store.close();
  });
});

describe('holdfast restore of an invalid backup', () => {
  it.each<[string, () => string, RegExp]>([
    ['no file', () => 'none.backup', /the file does not exist$/],
    ['an empty file', () => written('empty', ''), /it has no data of Holdfast$/],
    ['another file', () => written('text', 'x'.repeat(9_000)), /file is not a database$/],
    ['a database in use', () => copyOf(written('used-wal', 'x').replace('-wal', '')), /database in use/],
    [
      'one of a newer program',
      () => damaged('newer', "INSERT INTO migrations VALUES (99, 'x', 1, '3.1.0', 99)"),
      /needs Holdfast 3.1.0/,
    ],
    [
      'one of another program',
      () => damaged('changed', "UPDATE migrations SET sha256 = 'x' WHERE number = 1"),
      /another program made it/,
    ],
    [
      'one with a version missing',
      () => damaged('gap', 'DELETE FROM public_state_versions WHERE version = 30'),
      /version 29 of acc_1\/game\/production is followed by 31/,
    ],
    ['one cut short', () => cut('short'), /damaged|malformed/],
  ])('%s: reports that and leaves no database', async (name, make, reason) => {
    const dataDir = at(`refused ${name}`);
    expect(refusal(await restore(make(), dataDir))).toMatch(reason);
    expect(existsSync(dataDir) ? readdirSync(dataDir).filter((each) => each.startsWith('holdfast.sqlite')) : []).toEqual(
      [],
    );
  });

  function written(name: string, text: string): string {
    writeFileSync(at(name), text);
    return name;
  }

  function cut(name: string): string {
    const whole = readFileSync(at('good.backup'));
    writeFileSync(at(name), whole.subarray(0, Math.floor(whole.length / 16_384) * 8_192));
    return name;
  }
});

describe('a killed holdfast restore', () => {
  /** Kills a restore `pauseMilliseconds` after its draft appears. Returns whether it had finished. */
  async function killed(dataDir: string, pauseMilliseconds: number): Promise<boolean> {
    const { child, ended } = place.start(['restore', 'good.backup'], { SVC_DATA_DIR: dataDir });
    while (!existsSync(`${databaseIn(dataDir)}.restoring`) && child.exitCode === null) await setImmediate();
    const until = performance.now() + pauseMilliseconds;
    while (performance.now() < until) await setImmediate();
    child.kill('SIGKILL');
    return (await ended).code === 0;
  }

  it('leaves nothing or the whole database, and can be repeated', async () => {
    const dataDir = at('killed');
    for (const pauseMilliseconds of [0, 3, 10, 20, 40, 60, 80, 100, 130, 160]) {
      const isDone = await killed(dataDir, pauseMilliseconds);
      if (existsSync(databaseIn(dataDir))) {
        const report = await json(['doctor'], { SVC_DATA_DIR: dataDir, SVC_SECRET_KEY: secretKeyText() });
        expect(report).toMatchObject({ status: 'ok', database: { counts: { publicStateVersions: versions } } });
      } else expect(isDone).toBe(false);
      for (const name of readdirSync(dataDir)) if (!name.endsWith('.restoring')) rmSync(join(dataDir, name));
    }
    expect(await json(['restore', 'good.backup'], { SVC_DATA_DIR: dataDir })).toMatchObject({ counts: { projects: 1 } });
    expect(readdirSync(dataDir).sort()).toEqual(['holdfast.lock', 'holdfast.mark', 'holdfast.sqlite']);
  });

  const secretKeyText = () => readFileSync(join(place.dataDir, 'secret.key'), 'utf8').trim();
});

describe('holdfast restore onto an existing database', () => {
  it('is refused, and with --force puts the old one aside whole', async () => {
    const dataDir = at('occupied');
    const { accountId } = JSON.parse(
      (await place.run(['account', 'create', '--name', 'Old', '--json'], { SVC_DATA_DIR: dataDir })).stdout,
    );
    expect(refusal(await restore('good.backup', dataDir))).toBe(
      `cannot restore into ${dataDir}: it has a database; --force keeps that under another name`,
    );
    expect((await place.run(['account', 'show', accountId], { SVC_DATA_DIR: dataDir })).code).toBe(0);
    const { replaced } = await json(['restore', 'good.backup', '--force'], { SVC_DATA_DIR: dataDir });
    expect((await place.run(['account', 'show', accountId], { SVC_DATA_DIR: dataDir })).code).toBe(1);
    expect((await place.run(['account', 'show', key.accountId], { SVC_DATA_DIR: dataDir })).code).toBe(0);
    const aside = new DatabaseSync(replaced, { readOnly: true });
    expect(aside.prepare('SELECT account_id FROM accounts').all()).toEqual([{ account_id: accountId }]);
    aside.close();
  });
});
