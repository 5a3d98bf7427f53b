import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { anAccount } from '../../store-suite/records.fixture.ts';
import { openSqliteStore } from '../store.ts';
import { temporary } from '../temporary.fixture.ts';
import { startChild } from '../writer/test-processes/child.ts';
import { databasePath } from './database.ts';
import { lockDirectory } from './lock.ts';

const at = temporary();

test('a second server process on a data directory is refused with a message that names it', async () => {
  const dataDir = at.directory();
  await at.open({ dataDir });
  const second = startChild('open.ts', dataDir);
  expect(await second.line('')).toBe(`refused: cannot open the data directory ${dataDir}: another server is using it`);
  await second.ended;
});

test('a second server within the process is refused too, and the first continues', async () => {
  const dataDir = at.directory();
  const first = await at.open({ dataDir });
  await expect(openSqliteStore({ dataDir })).rejects.toThrow(dataDir);
  await expect(first.checkReady()).resolves.toBeUndefined();
});

test('a directory is free again after its server was killed or closed', async () => {
  const dataDir = at.directory();
  const server = startChild('open.ts', dataDir);
  await server.line('open');
  await expect(openSqliteStore({ dataDir })).rejects.toThrow(dataDir);
  server.process.kill('SIGKILL');
  await server.ended;
  const store = await openSqliteStore({ dataDir });
  await store.close();
  await at.open({ dataDir });
});

test("an operator's command works beside a server, and alone in an empty directory", async () => {
  const dataDir = at.directory();
  const alone = await openSqliteStore({ dataDir, exclusive: false });
  await alone.createAccount(anAccount({ accountId: 'acc_1', name: 'a', idpTenantId: 't', createdAt: 1 }));
  await alone.close();
  const server = await at.open({ dataDir });
  const beside = await at.open({ dataDir, exclusive: false });
  expect(await beside.findAccount('acc_1')).toEqual(await server.findAccount('acc_1'));
});

test.each(['holdfast.sqlite', 'holdfast.sqlite-wal', 'holdfast.sqlite.incoming', 'holdfast.lock'])(
  'a symbolic link in place of %s is refused, and its target is not written',
  async (name) => {
    const dataDir = at.directory();
    const elsewhere = join(at.directory(), 'elsewhere');
    writeFileSync(elsewhere, 'mine');
    symlinkSync(elsewhere, join(dataDir, name));
    for (const exclusive of [true, false])
      await expect(openSqliteStore({ dataDir, exclusive })).rejects.toThrow(
        `cannot open ${join(dataDir, name)}: it is a symbolic link; set SVC_DATA_DIR to the folder where the file itself is`,
      );
    expect(() => lockDirectory(dataDir)).toThrow('is a symbolic link');
    expect([readdirSync(dataDir), readFileSync(elsewhere, 'utf8')]).toEqual([[name], 'mine']);
  },
);

test('one database is never written through two directories, but a directory may have two names', async () => {
  const dataDir = at.directory();
  await (await openSqliteStore({ dataDir })).close();
  const other = at.directory();
  symlinkSync(databasePath(dataDir), databasePath(other));
  await at.open({ dataDir });
  await expect(openSqliteStore({ dataDir: other })).rejects.toThrow('is a symbolic link');
  const link = join(other, 'link');
  symlinkSync(dataDir, link);
  await expect(openSqliteStore({ dataDir: link })).rejects.toThrow('another server is using it');
});

test("an operator's command does not migrate under a running server", async () => {
  const dataDir = at.directory();
  const server = lockDirectory(dataDir);
  await expect(openSqliteStore({ dataDir, exclusive: false })).rejects.toThrow(
    `cannot migrate the database in ${dataDir}: a server is using it; stop it first`,
  );
  server?.release();
  await at.open({ dataDir, exclusive: false });
});

test('the directory has mode 0700 and every file in it 0600, whatever the umask', async () => {
  const dataDir = join(at.directory(), 'nested', 'data');
  const umask = process.umask(0);
  try {
    const store = await at.open({ dataDir });
    await store.checkReady();
    expect((statSync(dataDir).mode & 0o777).toString(8)).toBe('700');
    const files = readdirSync(dataDir);
    expect(files.toSorted()).toEqual(['holdfast.lock', 'holdfast.sqlite', 'holdfast.sqlite-shm', 'holdfast.sqlite-wal']);
    for (const file of files)
      expect(`${file} ${(statSync(join(dataDir, file)).mode & 0o777).toString(8)}`).toBe(`${file} 600`);
  } finally {
    process.umask(umask);
  }
});

test('closing leaves one whole database and no log', async () => {
  const dataDir = at.directory();
  const store = await openSqliteStore({ dataDir });
  await store.createAccount(anAccount({ accountId: 'acc_1', name: 'a', idpTenantId: 't', createdAt: 1 }));
  await store.close();
  expect(readdirSync(dataDir).toSorted()).toEqual(['holdfast.lock', 'holdfast.mark', 'holdfast.sqlite']);
  const database = new DatabaseSync(databasePath(dataDir), { readOnly: true });
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
});
