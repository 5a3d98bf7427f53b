import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../storage/sqlite/store.ts';
import { command } from '../command.fixture.ts';
import { account, at, call, json, place, prepareService, slugOf, writers } from './backup.fixture.ts';

prepareService();

const postgres = {
  SVC_DATABASE_URL: 'postgres://u:hunter2@h/d',
  SVC_SECRET_KEY: Buffer.alloc(32).toString('base64'),
};

/** Writes versions to one project after another until `isOver`; `acknowledged` counts them. */
async function write(writer: number, acknowledged: number[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const version = acknowledged[writer] ?? 0;
    const precondition: Record<string, string> = version === 0 ? { 'if-none-match': '*' } : { 'if-match': `"${version}"` };
    // It shares nothing with the previous version, so all of it is stored.
    const state = { writer, version: version + 1, filler: randomBytes(10_000).toString('hex') };
    const written = await call('PUT', `/projects/${slugOf(writer)}/public-state/production`, { state }, precondition);
    acknowledged[writer] = written.version;
  }
}

/** Backs up until more writes than writers are acknowledged meanwhile. `before` are those acknowledged before the last backup. */
async function backUpBetweenWrites(acknowledged: readonly number[]) {
  for (let tries = 0; tries < 20; tries++) {
    rmSync(at('busy.backup'), { force: true });
    const before = [...acknowledged];
    const taken = await json(['backup', 'busy.backup']);
    const during = acknowledged.reduce((sum, version, writer) => sum + version - (before[writer] ?? 0), 0);
    if (during > writers) return { taken, before };
  }
  throw new Error('no backup was slower than the writes beside it');
}

describe('holdfast backup during writes by 64 writers', () => {
  it('contains every write acknowledged before its start, without gaps, and restores', async () => {
    const acknowledged: number[] = [];
    let isOver = false;
    const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer, acknowledged, () => isOver)));
    // A copy of more than 8 MiB takes several steps, with writes in between.
    while (acknowledged.reduce((sum, version) => sum + version, 0) < 600) await new Promise((done) => setTimeout(done, 20));
    const { taken, before } = await backUpBetweenWrites(acknowledged);
    isOver = true;
    await writing;
    expect(statSync(at('busy.backup')).mode & 0o777).toBe(0o600);
    expect(taken).toMatchObject({ file: at('busy.backup'), secretKey: 'not_included', verified: true });
    expect(taken.bytes).toBe(statSync(at('busy.backup')).size);

    const dataDir = at('restored');
    const restored = await json(['restore', 'busy.backup'], { SVC_DATA_DIR: dataDir });
    expect(restored).toMatchObject({
      dataDir,
      takenAt: taken.takenAt,
      counts: taken.counts,
      secretKey: 'missing',
      replaced: null,
    });
    const store = await openSqliteStore({ dataDir });
    for (let writer = 0; writer < writers; writer++) {
      const key = { accountId: account.accountId, slug: slugOf(writer), environment: 'production' } as const;
      const found = await store.listPublicStateVersions(key, { before: null, charactersMax: 1e9 });
      const versions = found.kind === 'versions' ? found.versions : [];
      const newest = versions[0]?.version ?? 0;
      expect(newest).toBeGreaterThanOrEqual(before[writer] ?? 0);
      expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: newest }, (_, i) => newest - i));
      for (const { version, stateText } of versions) expect(JSON.parse(stateText)).toMatchObject({ writer, version });
    }
    await store.close();
    expect(taken.counts.publicStateVersions).toBeGreaterThanOrEqual(before.reduce((sum, version) => sum + version, 0));
  });
});

describe('holdfast backup', () => {
  const backupsIn = () => readdirSync(place.folder).filter((name) => name.includes('.backup'));

  it('lists what the file contains and what it leaves out', async () => {
    const { code, stdout, stderr } = await place.run(['backup', 'people.backup']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Backup {7}\/.*people\.backup\nTaken .*Z\nSize .* [KM]iB\nAccounts {5}\d\n/);
    expect(stdout).toMatch(/^Secret key {3}not included\nKeep the secret key elsewhere/m);
  });

  it('leaves nothing if interrupted, and removes what a killed one left', async () => {
    writeFileSync(at('gone.backup.999999999.partial'), '');
    let isInterrupted = false;
    // On a busy machine it may finish before anybody looks.
    for (let tries = 0; !isInterrupted && tries < 10; tries++) {
      rmSync(at('gone.backup'), { force: true });
      const { child, ended } = place.start(['backup', 'gone.backup']);
      while (!existsSync(at(`gone.backup.${child.pid}.partial`)) && child.exitCode === null) {
        await new Promise((done) => setImmediate(done));
      }
      child.kill('SIGINT');
      await ended;
      isInterrupted = child.signalCode === 'SIGINT';
    }
    expect(isInterrupted).toBe(true);
    expect(backupsIn().filter((name) => name.startsWith('gone'))).toEqual([]);
  });

  it.each([
    [['backup', 'none/x.backup'], {}, /there is no folder .*none$/],
    [['backup', 'x.backup'], { SVC_DATA_DIR: '/nowhere' }, /there is no database in \/nowhere/],
    [['backup', 'x.backup'], postgres, /holdfast backup works on the embedded database only/],
    [['restore', 'x.backup'], postgres, /holdfast restore works on the embedded database only/],
  ])('%j with %j is refused with one line', async (args, environment, reason) => {
    const { code, stdout, stderr } = await place.run(args, environment);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^holdfast: [^\n]*\n$/);
    expect(stderr.trim()).toMatch(reason);
    expect(existsSync(at('x.backup'))).toBe(false);
  });

  it.runIf(spawnSync('script', ['--version']).status === 0)('shows progress on a terminal, then clears it', () => {
    const line = `'${process.execPath}' '${command}' backup terminal.backup`;
    const { stdout } = spawnSync('script', ['-qec', line, '/dev/null'], {
      cwd: place.folder,
      env: { ...place.environment },
      encoding: 'utf8',
    });
    expect(stdout).toContain('\r\u001b[KCopying …');
    expect(stdout).toContain('\r\u001b[KChecking versions …');
    expect(stdout).toContain('\r\u001b[KBackup       /');
  });
});
