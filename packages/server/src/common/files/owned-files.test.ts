import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadOrCreateSecretKey } from '../../secrets/secret-key.ts';
import { openSqliteStore } from '../../storage/sqlite/store.ts';
import { createOwnedFile, ensureOwnedFile, ensureOwnedFolder } from './owned-files.ts';

const somebody = 12_345;
const ownerOf = (path: string) => [statSync(path).uid, statSync(path).gid];

describe.skipIf(process.getuid?.() !== 0)("files created by root in another user's folder", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'holdfast-owned-'));
    chownSync(folder, somebody, somebody);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('belong to the owner of the folder: files, and folders with their contents', () => {
    ensureOwnedFolder(join(folder, 'a', 'b'));
    ensureOwnedFile(join(folder, 'a', 'b', 'file'));
    for (const path of ['a', 'a/b', 'a/b/file']) expect(ownerOf(join(folder, path))).toEqual([somebody, somebody]);
  });

  it('do not include existing files or the targets of links', () => {
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, '');
    symlinkSync(elsewhere, join(folder, 'link'));
    mkdirSync(join(folder, 'old'));
    ensureOwnedFile(join(folder, 'link'));
    ensureOwnedFolder(join(folder, 'old'));
    expect(() => createOwnedFile(join(folder, 'link'))).toThrow('EEXIST');
    for (const path of ['elsewhere', 'old']) expect(ownerOf(join(folder, path))).toEqual([0, 0]);
  });

  it('include all of a data folder: database, log, lock, mark and secret key', async () => {
    const dataDir = join(folder, 'data');
    const store = await openSqliteStore({ dataDir });
    loadOrCreateSecretKey(dataDir);
    await store.checkReady();
    const names = readdirSync(dataDir);
    expect(names).toContain('holdfast.sqlite-wal');
    expect(names).toContain('secret.key');
    for (const name of ['.', ...names]) expect([name, ...ownerOf(join(dataDir, name))]).toEqual([name, somebody, somebody]);
    await store.close();
  });
});
