import { chmodSync, chownSync, lchownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../store.ts';
import { temporary } from '../temporary.fixture.ts';
import { tightenModes } from './startup.ts';

const at = temporary();
const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

function directoryOfMode(mode: number): string {
  const directory = at.directory();
  chmodSync(directory, mode);
  return directory;
}

describe.skipIf(process.platform === 'win32')('an existing data directory', () => {
  it.each([0o755, 0o775, 0o777, 0o711, 0o750])('of mode %o is closed to others if it is empty', async (mode) => {
    const dataDir = directoryOfMode(mode);
    await at.open({ dataDir });
    expect(modeOf(dataDir)).toBe('700');
  });

  it('is closed to others together with every file of its database', async () => {
    const dataDir = at.directory();
    await (await openSqliteStore({ dataDir })).close();
    const files = ['holdfast.sqlite', 'holdfast.sqlite-wal', 'holdfast.sqlite-shm', 'holdfast.lock'];
    for (const name of files) {
      writeFileSync(join(dataDir, name), '', { flag: 'a' });
      chmodSync(join(dataDir, name), 0o644);
    }
    for (const name of ['secret.key', 'dev.env', 'base-url']) writeFileSync(join(dataDir, name), '');
    chmodSync(dataDir, 0o755);
    tightenModes(dataDir);
    expect([dataDir, ...files.map((name) => join(dataDir, name))].map(modeOf)).toEqual(['700', '600', '600', '600', '600']);
    await at.open({ dataDir });
  });

  it('keeps its mode at every start if it holds other files; the database files are closed', async () => {
    const dataDir = directoryOfMode(0o755);
    mkdirSync(join(dataDir, 'photos'), { mode: 0o755 });
    await (await openSqliteStore({ dataDir })).close();
    chmodSync(join(dataDir, 'holdfast.sqlite'), 0o644);
    await at.open({ dataDir });
    expect(modeOf(join(dataDir, 'holdfast.sqlite'))).toBe('600');
    expect([dataDir, join(dataDir, 'photos')].map(modeOf)).toEqual(['755', '755']);
  });

  it('keeps its mode if it is shared on purpose, like /tmp', () => {
    const dataDir = directoryOfMode(0o1777);
    tightenModes(dataDir);
    expect(modeOf(dataDir)).toBe('1777');
  });

  it('may have a stricter mode', async () => {
    const dataDir = directoryOfMode(0o700);
    await (await openSqliteStore({ dataDir })).close();
    chmodSync(join(dataDir, 'holdfast.sqlite'), 0o400);
    tightenModes(dataDir);
    expect(modeOf(join(dataDir, 'holdfast.sqlite'))).toBe('400');
  });

  it('is closed behind a symbolic link; a link inside it leads to no other file', () => {
    const elsewhere = join(at.directory(), 'elsewhere');
    writeFileSync(elsewhere, '');
    chmodSync(elsewhere, 0o644);
    const target = directoryOfMode(0o755);
    symlinkSync(elsewhere, join(target, 'holdfast.lock'));
    const link = join(at.directory(), 'link');
    symlinkSync(target, link);
    tightenModes(link);
    expect([target, elsewhere].map(modeOf)).toEqual(['700', '644']);
  });
});

it('a missing directory is no fault', () => {
  expect(() => tightenModes(join(at.directory(), 'none'))).not.toThrow();
});

it("a directory behind a link must belong to the current user or root; for root, the directory's owner may own it too", async () => {
  const link = join(at.directory(), 'link');
  const target = directoryOfMode(0o700);
  symlinkSync(target, link);
  await (await openSqliteStore({ dataDir: link })).close();
  const self = process.getuid?.() ?? 0;
  if (self !== 0) return; // only root can make a link for another user
  lchownSync(link, 12_345, 12_345);
  await expect(openSqliteStore({ dataDir: link })).rejects.toThrow('it is a symbolic link that user 12345 made');
  chownSync(target, 12_345, 12_345);
  await (await openSqliteStore({ dataDir: link })).close();
});
