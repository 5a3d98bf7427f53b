/** Litestream over the embedded engine: it copies the log while the service runs, and restores a moment after the service was killed. */

import { strict as assert } from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { endWithThis } from '../../tooling/child-processes.ts';
import { fault, requireProgram } from '../../tooling/programs.ts';
import { mebibytes } from '../../tooling/readings.ts';
import { runCommand, withDataDir } from '../../tooling/server-process.ts';
import { requireMoment, writeAround } from './moment.ts';

const version = 'v0.5.16';

/** Builds Litestream, or finds an earlier build. */
function litestream(): string {
  const folder = join(tmpdir(), `holdfast-litestream-${version}`);
  const program = join(folder, 'litestream');
  if (existsSync(program)) return program;
  requireProgram('go', 'golang-go');
  requireProgram('gcc', 'gcc');
  const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '1' };
  const module = `github.com/benbjohnson/litestream/cmd/litestream@${version}`;
  execFileSync('go', ['install', '-p', '1', module], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  return program;
}

/** The settings of docs/backup.md, with a folder instead of a bucket. */
function settings(database: string, replica: string): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/backup.md'), 'utf8');
  const [, block] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  assert.ok(block, 'docs/backup.md has no settings of Litestream');
  const text = block
    .replace('/var/lib/holdfast/holdfast.sqlite', database)
    .replace(/^( +)url: .*$/m, `$1type: file\n$1path: ${replica}`);
  assert.ok(text.includes(database) && text.includes(replica), 'the settings name neither database nor replica');
  return text;
}

/** Restores a moment through Litestream. Resolves with the passed checks, rejects if the data is not exactly that of the moment. */
export async function throughLitestream(): Promise<string> {
  const program = litestream();
  return withDataDir(async (place) => {
    const [dataDir, replica] = [join(place, 'data'), join(place, 'replica')];
    for (const folder of [dataDir, replica]) mkdirSync(folder, { mode: 0o700 });
    const [config, database] = [join(place, 'litestream.yml'), join(dataDir, 'holdfast.sqlite')];
    writeFileSync(config, settings(database, replica));
    const log = join(place, 'litestream.log');
    const output = openSync(log, 'a');
    const replicate = ['replicate', '-config', config];
    const child = endWithThis(spawn(program, replicate, { stdio: ['ignore', output, output] }));
    let [moment, logBytes] = ['', 0];
    const service = { dataDir, port: await freePort() };
    const before = await writeAround(
      service,
      async () => {
        moment = new Date().toISOString();
      },
      // It copies every second; a kill loses at most what was written after the last copy.
      async () => {
        await delay(3_000);
        logBytes = statSync(`${database}-wal`).size;
      },
    );
    child.kill('SIGKILL');
    await once(child, 'exit');

    const then = join(dataDir, 'then.sqlite');
    const restored = fault(program, ['restore', '-config', config, '-timestamp', moment, '-o', then, database]);
    assert.equal(restored, undefined, readFileSync(log, 'utf8').slice(-4_000));
    await runCommand(['restore', then, '--force'], dataDir);
    await requireMoment(service, before);
    return `version ${before.version} of ${moment} is back, and nothing after it (${version}, the log had ${mebibytes(logBytes)} MiB)`;
  });
}
