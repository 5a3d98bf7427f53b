import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exposureOf, loadOrCreateSecretKey, parseSecretKey, SecretFault } from './secret-key.ts';

const secretKey = Buffer.alloc(32, 7);

describe('the text of a secret key', () => {
  it('is 32 bytes in base64', () => {
    expect(Buffer.from(parseSecretKey(` ${secretKey.toString('base64')}\n`, 'SVC_SECRET_KEY'))).toEqual(secretKey);
  });

  it.each([
    '',
    'secret',
    Buffer.alloc(31).toString('base64'),
    `${secretKey.toString('base64')}=`,
    secretKey.toString('hex'),
  ])('is not %j', (text) => {
    expect(() => parseSecretKey(text, 'SVC_SECRET_KEY')).toThrow(/^SVC_SECRET_KEY is not 32 bytes/);
  });

  it('is not repeated in the message', () => {
    expect(() => parseSecretKey('hunter2hunter2', 'SVC_SECRET_KEY')).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
    );
  });
});

describe('the file secret.key', () => {
  let dataDir = '';
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'holdfast-secrets-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));
  const path = () => join(dataDir, 'secret.key');

  it('is created once, for its owner only, and read from then on', () => {
    const created = loadOrCreateSecretKey(dataDir);
    expect(created).toHaveLength(32);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['secret.key']);
    expect(loadOrCreateSecretKey(dataDir)).toEqual(created);
    expect(parseSecretKey(readFileSync(path(), 'utf8'), 'the file')).toEqual(created);
  });

  it.each([0o640, 0o604, 0o660, 0o644])('with mode %o is refused', (mode) => {
    loadOrCreateSecretKey(dataDir);
    chmodSync(path(), mode);
    expect(() => loadOrCreateSecretKey(dataDir)).toThrow(/chmod 600/);
  });

  it("behind a symbolic link is checked by the link's target", () => {
    const created = loadOrCreateSecretKey(dataDir);
    renameSync(path(), `${path()}.elsewhere`);
    symlinkSync(`${path()}.elsewhere`, path());
    expect(loadOrCreateSecretKey(dataDir)).toEqual(created);
    chmodSync(`${path()}.elsewhere`, 0o604);
    expect(() => loadOrCreateSecretKey(dataDir)).toThrow(/mode 0604/);
  });

  it.runIf(process.getuid?.() === 0)(
    'of another user is refused, unless that user owns the folder and root reads it',
    () => {
      const created = loadOrCreateSecretKey(dataDir);
      chownSync(path(), 12_345, 12_345);
      expect(() => loadOrCreateSecretKey(dataDir)).toThrow(/belongs to user 12345, and this runs as user 0; `chown 0` it/);
      chownSync(dataDir, 12_345, 12_345);
      expect(loadOrCreateSecretKey(dataDir)).toEqual(created);
    },
  );

  it.each([
    { uid: 1000, mode: 0o600, user: 1000, folder: 1000 },
    { uid: 1000, mode: 0o400, user: 1000, folder: 0 },
    { uid: 0, mode: 0o600, user: 0, folder: 0 },
    { uid: 0, mode: 0o440, user: 1000, folder: 1000 },
    { uid: 0, mode: 0o640, user: 1000, folder: 0 },
    { uid: 1000, mode: 0o600, user: 0, folder: 1000 },
  ])('is accepted with %o', ({ uid, mode, user, folder }) => {
    expect(exposureOf({ uid, mode: 0o100_000 | mode }, { user, folder })).toBeUndefined();
  });

  it.each([
    [{ uid: 1001, mode: 0o600, user: 1000, folder: 1000 }, /belongs to user 1001/],
    [{ uid: 1001, mode: 0o600, user: 1000, folder: 1001 }, /belongs to user 1001/],
    [{ uid: 1001, mode: 0o600, user: 0, folder: 0 }, /belongs to user 1001/],
    [{ uid: 1000, mode: 0o640, user: 1000, folder: 1000 }, /mode 0640/],
    [{ uid: 0, mode: 0o640, user: 0, folder: 0 }, /mode 0640/],
    [{ uid: 0, mode: 0o660, user: 1000, folder: 1000 }, /mode 0660/],
    [{ uid: 0, mode: 0o444, user: 1000, folder: 1000 }, /mode 0444/],
  ])('is refused with %o', ({ uid, mode, user, folder }, finding) => {
    expect(exposureOf({ uid, mode: 0o100_000 | mode }, { user, folder })?.finding).toMatch(finding);
  });

  it('with other content is refused and left unchanged', () => {
    writeFileSync(path(), 'half a ke', { mode: 0o600 });
    expect(() => loadOrCreateSecretKey(dataDir)).toThrow(SecretFault);
    expect(readFileSync(path(), 'utf8')).toBe('half a ke');
  });

  it('is the same for threads that start together', async () => {
    const begin = new Int32Array(new SharedArrayBuffer(4));
    const source = `
      const { parentPort, workerData } = require('node:worker_threads');
      import(workerData.module).then(({ loadOrCreateSecretKey }) => {
        parentPort.postMessage('ready');
        Atomics.wait(workerData.begin, 0, 0);
        parentPort.postMessage(Buffer.from(loadOrCreateSecretKey(workerData.dataDir)).toString('hex'));
      });`;
    const module = new URL('./secret-key.ts', import.meta.url).href;
    const workers = Array.from(
      { length: 6 },
      () => new Worker(source, { eval: true, workerData: { module, begin, dataDir } }),
    );
    const message = (worker: Worker) =>
      new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    await Promise.all(workers.map(message));
    const keys = Promise.all(workers.map(message));
    Atomics.store(begin, 0, 1);
    Atomics.notify(begin, 0);
    expect(new Set(await keys).size).toBe(1);
    expect(readdirSync(dataDir)).toEqual(['secret.key']);
  });
});
