/** Litestream over the embedded engine: it copies the log while the service runs, and restores a moment after the service was killed. */
import { strict as assert } from 'node:assert';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { withDataDir } from '../../torture/server-process.ts';
import { demandMoment, writeAround } from './moment.ts';
import { requireProgram } from './programs.ts';

const version = 'v0.5.16';

/** Builds Litestream, or finds what an earlier run has built. */
function litestream(): string {
  const folder = join(tmpdir(), `holdfast-litestream-${version}`);
  const program = join(folder, 'litestream');
  if (existsSync(program)) return program;
  for (const [name, debianPackage] of [
    ['go', 'golang-go'],
    ['gcc', 'gcc'],
  ] as const)
    requireProgram(name, debianPackage);
  const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '1' };
  const module = `github.com/benbjohnson/litestream/cmd/litestream@${version}`;
  execFileSync('go', ['install', '-p', '1', module], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  return program;
}

/** The settings of docs/point-in-time.md, with a folder in place of a bucket. */
function settings(database: string, replica: string): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/point-in-time.md'), 'utf8');
  const [, block] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  assert.ok(block, 'docs/point-in-time.md has no settings of Litestream');
  const text = block
    .replace('/var/lib/holdfast/holdfast.sqlite', database)
    .replace(/^( +)url: .*$/m, `$1type: file\n$1path: ${replica}`);
  assert.ok(text.includes(database) && text.includes(replica), 'the settings name neither database nor replica');
  return text;
}

/** Restores a moment through Litestream, and resolves with what held. Rejects when the service does not have exactly what it had then. */
export async function throughLitestream(): Promise<string> {
  const program = litestream();
  return withDataDir(async (place) => {
    const [dataDir, restored, replica] = ['data', 'restored', 'replica'].map((name) => join(place, name)) as [
      string,
      string,
      string,
    ];
    for (const folder of [dataDir, restored, replica]) mkdirSync(folder, { mode: 0o700 });
    const config = join(place, 'litestream.yml');
    const database = join(dataDir, 'holdfast.sqlite');
    writeFileSync(config, settings(database, replica));
    const log = join(place, 'litestream.log');
    const child = spawn(program, ['replicate', '-config', config], {
      stdio: ['ignore', openSync(log, 'a'), openSync(log, 'a')],
    });
    process.once('exit', () => child.kill('SIGKILL'));
    let moment = '';
    const service = { dataDir, port: await freePort() };
    const before = await writeAround(
      service,
      async () => {
        moment = new Date().toISOString();
      },
      // It copies every second; a kill loses at most what came after the last copy.
      () => new Promise((resolve) => setTimeout(resolve, 3_000)),
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { status, stderr } = spawnSync(
      program,
      ['restore', '-config', config, '-timestamp', moment, '-o', join(restored, 'holdfast.sqlite'), database],
      { encoding: 'utf8' },
    );
    assert.equal(status, 0, `${stderr}\n${readFileSync(log, 'utf8').slice(-4_000)}`);
    const key = join(dataDir, 'secret.key');
    execFileSync('cp', ['-a', key, restored]);
    await demandMoment({ ...service, dataDir: restored }, before);
    return `version ${before.version} of ${moment} is back, and nothing after it (${version})`;
  });
}
