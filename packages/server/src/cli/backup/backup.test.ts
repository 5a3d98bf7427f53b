import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { at, json, place, prepareService } from './backup.fixture.ts';

prepareService();

describe('holdfast backup', () => {
  const backupsIn = () => readdirSync(place.folder).filter((name) => name.includes('.backup'));

  it('is one file that any SQLite opens, with the secret key only on request', async () => {
    const key = Buffer.from(readFileSync(join(place.dataDir, 'secret.key'), 'utf8'), 'base64');
    await json(['backup', 'plain.backup']);
    expect(await json(['backup', 'complete.backup', '--with-secret-key', '--no-verify'])).toMatchObject({
      secretKey: 'included',
      verified: false,
      counts: null,
    });
    expect(readFileSync(at('plain.backup')).includes(key)).toBe(false);
    expect(readFileSync(at('complete.backup')).includes(key)).toBe(true);
    const database = new DatabaseSync(at('plain.backup'), { readOnly: true });
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' });
    expect(database.prepare('SELECT name FROM accounts').all()).toContainEqual({ name: '"Acme"' });
    database.close();
    expect(backupsIn().filter((name) => /partial|wal|shm|journal/.test(name))).toEqual([]);
  });

  it('replaces a file only with --force', async () => {
    writeFileSync(at('taken.backup'), 'mine');
    expect(await place.run(['backup', 'taken.backup'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `holdfast: cannot write ${at('taken.backup')}: the file exists; --force replaces it\n`,
    });
    expect(readFileSync(at('taken.backup'), 'utf8')).toBe('mine');
    await json(['backup', 'taken.backup', '--force']);
    expect(statSync(at('taken.backup')).size).toBeGreaterThan(100_000);
  });
});
