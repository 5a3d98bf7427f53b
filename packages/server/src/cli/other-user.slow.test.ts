/**
 * Commands that root runs in the folder of a service. Whatever they leave there, the service can start as its own user, and `holdfast
 * doctor`, run as that user, finds nothing. Only root can run this.
 */
import { chmodSync, chownSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandSandbox, command, createCommandSandbox, type Ended, type Served } from './command.fixture.ts';

/** The user of the service, who needs no entry in /etc/passwd. */
const user = 31_999;
const repository = join(import.meta.dirname, '../../../..');
const oldRelease = join(repository, 'test/releases/0.1.0');

const isOpen = (folder: string): boolean =>
  (statSync(folder).mode & 0o005) === 0o005 && (dirname(folder) === folder || isOpen(dirname(folder)));

/** A program that runs Node as the user, who may read the repository even if only root may enter it. */
function nodeAsUser(folder: string): string {
  const path = join(folder, 'node-as-user');
  const reads = isOpen(dirname(command)) ? '' : '--inh-caps=+dac_read_search --ambient-caps=+dac_read_search';
  const as = `setpriv --reuid=${user} --regid=${user} --clear-groups ${reads}`;
  writeFileSync(path, `#!/bin/sh\nexec ${as} '${process.execPath}' "$@"\n`, { mode: 0o755 });
  return path;
}

describe.skipIf(process.getuid?.() !== 0)("in the folder of the service's user, root", () => {
  let root: CommandSandbox;
  let service: CommandSandbox;
  let dataDir: string;
  const passphrase = () => join(root.folder, 'passphrase');
  beforeEach(async () => {
    root = await createCommandSandbox();
    chmodSync(root.folder, 0o755);
    service = await createCommandSandbox(nodeAsUser(root.folder));
    chmodSync(service.folder, 0o755);
    dataDir = newFolder('data');
    writeFileSync(passphrase(), 'correct horse battery staple\n');
  });
  afterEach(async () => {
    await service.remove();
    await root.remove();
  });

  function newFolder(name: string): string {
    const path = join(root.folder, name);
    mkdirSync(path, { mode: 0o700 });
    chownSync(path, user, user);
    return path;
  }
  const settings = (more: Readonly<Record<string, string>> = {}) => ({
    SVC_DATA_DIR: dataDir,
    SVC_PORT: root.environment.SVC_PORT ?? '',
    ...more,
  });
  const asRoot = async (line: string, more?: Readonly<Record<string, string>>): Promise<Ended> => {
    const ended = await root.run(line.split(' '), settings(more));
    expect([line, ended.code, ended.stderr]).toEqual([line, 0, ended.stderr]);
    return ended;
  };
  /** Everything in the folder with another owner or group. */
  const foreign = (folder = dataDir) =>
    ['.', ...(readdirSync(folder, { recursive: true }) as string[])].filter((name) => {
      const { uid, gid } = statSync(join(folder, name));
      return uid !== user || gid !== user;
    });
  const doctor = async () => {
    const { code, stdout, stderr } = await service.run(['doctor', '--json'], settings());
    expect(stderr).toBe('');
    const { findings } = JSON.parse(stdout) as { findings: { level: string; finding: string; advice: string }[] };
    return { code, lines: findings.filter(({ level }) => level !== 'note').map(({ finding }) => finding), findings };
  };
  /** Starts the service as its user, and writes. */
  async function serve(work: (served: Served) => Promise<void> = async () => undefined): Promise<void> {
    const served = await service.serve(settings());
    await work(served);
    expect(await doctor()).toMatchObject({ code: 0, lines: [] });
    expect((await served.stop()).code).toBe(0);
    expect(foreign()).toEqual([]);
  }

  it('creates an account before the first start, and works beside the service', async () => {
    const { accountId } = JSON.parse((await asRoot('account create --name Acme --json')).stdout);
    expect(foreign()).toEqual([]);
    await serve(async () => {
      await asRoot(`backup ${dataDir}/one.backup --with-secret-key`);
      const backups = newFolder('backups');
      await asRoot(`backup ${backups} --keep 2 --metric ${backups}/holdfast.prom`);
      expect(foreign(backups)).toEqual([]);
      await asRoot(`export ${dataDir}/all.ndjson --passphrase-file ${passphrase()}`);
      await asRoot(`export ${dataDir}/one.ndjson --passphrase-file ${passphrase()} --account ${accountId}`);
      for (const line of ['account create --name B', 'keys rotate', 'compact', 'doctor', 'doctor --accept-clock'])
        await asRoot(line);
      expect(foreign()).toEqual([]);
    });
    for (const line of [`restore ${dataDir}/one.backup --force`, 'recovered', 'compact --rewrite', 'doctor']) {
      await asRoot(line);
      expect([line, foreign()]).toEqual([line, []]);
    }
    await serve();
  });

  it('restores, imports and copies into empty folders', async () => {
    await asRoot('account create --name Acme');
    await asRoot(`backup ${root.folder}/one.backup --with-secret-key`);
    await asRoot(`export ${root.folder}/all.ndjson --passphrase-file ${passphrase()}`);
    const first = dataDir;
    for (const [name, line] of [
      ['restored', `restore ${root.folder}/one.backup`],
      ['imported', `import ${root.folder}/all.ndjson --passphrase-file ${passphrase()}`],
    ] as const) {
      dataDir = newFolder(name);
      await asRoot(line);
      await serve();
    }
    const copied = newFolder('copied');
    await asRoot(`migrate-store --from ${first} --to ${copied}`);
    expect(foreign(first)).toEqual([]);
    copyFileSync(join(first, 'secret.key'), join(copied, 'secret.key'));
    chownSync(join(copied, 'secret.key'), user, user);
    dataDir = copied;
    await serve();
  });

  it('changes the secret key, and serves for a moment', async () => {
    const served = await root.serve(settings());
    served.child.kill('SIGKILL');
    await served.stop();
    expect(readdirSync(dataDir)).toContain('holdfast.sqlite-wal');
    expect(foreign()).toEqual([]);
    const old = readFileSync(join(dataDir, 'secret.key'), 'utf8').trim();
    const next = Buffer.alloc(32, 7).toString('base64');
    await asRoot('secret-key reseal', { SVC_SECRET_KEY: next, SVC_SECRET_KEY_OTHER: old });
    writeFileSync(join(dataDir, 'secret.key'), `${next}\n`);
    await serve();
  });

  it('upgrades a database of an older release, with its copy', async () => {
    const database = join(dataDir, 'holdfast.sqlite');
    writeFileSync(database, gunzipSync(readFileSync(join(oldRelease, 'embedded.sqlite.gz'))), { mode: 0o600 });
    copyFileSync(join(oldRelease, 'secret.key'), join(dataDir, 'secret.key'));
    chmodSync(join(dataDir, 'secret.key'), 0o600);
    for (const name of readdirSync(dataDir)) chownSync(join(dataDir, name), user, user);
    await asRoot('upgrade --check');
    await asRoot('account list');
    expect(readdirSync(dataDir)).toContainEqual(expect.stringMatching(/\.before-/));
    expect(foreign()).toEqual([]);
    await serve();
  });

  it.each(['holdfast.sqlite', 'holdfast.lock', 'secret.key'])(
    'has copied %s there: service and doctor name the owner and the fix',
    async (name) => {
      await asRoot('account create --name Acme');
      await serve();
      chownSync(join(dataDir, name), 0, 0);
      const expected = `${join(dataDir, name)} belongs to user 0`;
      const { code, stderr } = await service.run(['serve'], settings());
      expect([code, stderr]).toEqual([1, expect.stringContaining(expected)]);
      expect(stderr).toContain(`chown ${user}`);
      const { findings } = await doctor();
      expect(findings.map(({ finding }) => finding)).toContainEqual(expect.stringContaining(expected));
      chownSync(join(dataDir, name), user, user);
      await serve();
    },
  );

  it('owns the folder: service and doctor of another user report it', async () => {
    chownSync(dataDir, 0, 0);
    const expected = `${dataDir} belongs to user 0 (mode 0700), and this runs as user ${user}`;
    expect((await service.run(['serve'], settings())).stderr).toContain(expected);
    expect(await doctor()).toMatchObject({ code: 2, lines: [expected], findings: [{ advice: 'run this as user 0' }] });
  });
});
