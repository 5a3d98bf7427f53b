/** `holdfast serve` as a process: signals, kills, what it prints for programs and shells, and what else of it runs on the machine. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandSandbox, command, createCommandSandbox, type Ended } from '../command.fixture.ts';
import { demoOf, paste, pasted } from './demo.fixture.ts';

let place: CommandSandbox;
beforeEach(async () => {
  place = await createCommandSandbox();
});
afterEach(() => place.remove());

const demo = () => demoOf(place);

describe('the first start', () => {
  it('prints lines that read, change and then fail to change the demo, in sh and bash, whatever has changed since', async () => {
    const server = await place.serve({ SVC_LOG_FORMAT: 'pretty' });
    const [source = '', get = '', note = '', patch = ''] = pasted(server.output());
    expect(source).toBe('  . data/dev.env');
    expect(await paste(place, [source, get, note, patch, patch])).toEqual(['200', '200', '412']);
    expect(await paste(place, [source, get, note, patch, patch], 'bash')).toEqual(['200', '200', '412']);
    await server.stop();

    const again = await place.serveHere();
    expect(pasted(again.output())).toEqual([source, get, note, patch]);
    expect(await paste(place, [source, get, note, patch, patch], 'bash')).toEqual(['200', '200', '412']);
    await again.stop();
  });

  it('writes working credentials to a file of its owner, and not to the output', async () => {
    const server = await place.serve();
    expect(statSync(demo().file).mode & 0o777).toBe(0o600);
    const { HOLDFAST_API_KEY: key = '', HOLDFAST_DEVELOPER_TOKEN: token = '' } = demo().variables;
    expect(key).not.toBe('');
    expect(await demo().statusWith(`Bearer ${token}`)).toBe(200);
    expect(await demo().statusWith(`ApiKey ${key}`, '/projects/hello/public-state/development')).toBe(200);
    const { stdout, stderr } = await server.stop();
    for (const secret of [key, token]) expect(stdout + stderr).not.toContain(secret);
  });
});

describe('a first start that ends while it creates the demo', () => {
  /** Starts the service, sends it a signal as soon as `path` exists, and returns how it exited. */
  async function endOnceThereIs(path: string, signal: NodeJS.Signals): Promise<Ended> {
    const { child, ended } = place.start(['serve']);
    while (!existsSync(path) && child.exitCode === null) await setImmediate();
    child.kill(signal);
    return ended;
  }

  it.each(['SIGTERM', 'SIGINT'] as const)('by %s has status 0, and the next start shows the demo', async (signal) => {
    expect(await endOnceThereIs(demo().file, signal)).toMatchObject({ code: 0, stderr: '' });
    await expectDemo();
  });

  it('by a kill is repaired by the next start', async () => {
    expect((await endOnceThereIs(demo().file, 'SIGKILL')).code).toBeNull();
    await expectDemo();
  });

  it('by SIGTERM before it listens has status 0', async () => {
    expect(await endOnceThereIs(place.dataDir, 'SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  });

  async function expectDemo(): Promise<void> {
    const server = await place.serveHere();
    expect(await paste(place, pasted(server.output()))).toEqual(['200', '200']);
    await server.stop();
    const accounts = JSON.parse((await place.run(['account', 'list', '--json'])).stdout);
    expect(accounts).toEqual([expect.objectContaining({ name: 'Demo' })]);
  }
});

describe('holdfast serve', () => {
  it.each([
    ['SIGTERM', {}],
    ['SIGINT', { SVC_LOG_FORMAT: 'json' }],
  ] as const)('ends with status 0 on %s, and with %j writes records only into a pipe or file', async (signal, settings) => {
    const server = await place.serve(settings);
    const { code, stdout, stderr } = await server.stop(signal);
    expect([code, stderr]).toEqual([0, '']);
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ msg }) => msg)).toEqual(['ready', 'stopping', 'stopped']);
    const baseUrl = `http://127.0.0.1:${place.environment.SVC_PORT}`;
    expect(records[0]).toMatchObject({ baseUrl, demo: demo().file });
    expect(stdout).not.toContain('/console/demo#');
  });

  it('refuses a second service on its data or a port of its own, each with one line', async () => {
    const server = await place.serve();
    const second = await place.run(['serve'], { SVC_PORT: '0' });
    expect([second.code, second.stderr]).toEqual([1, expect.stringMatching(/^holdfast: [^\n]*data[^\n]*\n$/)]);
    const elsewhere = { SVC_DATA_DIR: join(place.folder, 'other') };
    const other = await place.run(['serve'], elsewhere);
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringMatching(/^holdfast: [^\n]*EADDRINUSE[^\n]*SVC_PORT[^\n]*\n$/),
    ]);
    if (process.platform === 'linux') expect(other.stderr).toContain(`(process ${server.child.pid})`);
    const metrics = { ...elsewhere, SVC_PORT: '0', SVC_METRICS_PORT: place.environment.SVC_PORT ?? '' };
    expect((await place.run(['serve'], metrics)).stderr).toMatch(
      /^holdfast: [^\n]*EADDRINUSE[^\n]*SVC_METRICS_PORT[^\n]*\n$/,
    );
    await server.stop();
  });

  it('reports a missing PostgreSQL with one line, without its password', async () => {
    const secret = Buffer.alloc(32).toString('base64');
    const url = 'postgres://u:hunter2@127.0.0.1:1/d';
    const ended = await place.start(['serve'], { SVC_DATABASE_URL: url, SVC_SECRET_KEY: secret }).ended;
    expect(ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^holdfast: cannot use the database that SVC_DATABASE_URL names: ECONNREFUSED[^\n]*\n$/,
      ),
    });
    expect(ended.stderr).not.toContain('hunter2');
  });

  it('stops when the npm that started it ends', async () => {
    // As under npx: a shell in between, which exits without passing on the signal.
    const script = '"$0" "$1" serve > out 2>&1 & echo $! > pid; wait';
    const shell = spawn('sh', ['-c', script, process.execPath, command], {
      cwd: place.folder,
      env: { ...place.environment, npm_command: 'exec' },
    });
    const file = (name: string) => readFileSync(join(place.folder, name), 'utf8');
    while (!existsSync(join(place.folder, 'out')) || !file('out').includes('"msg":"ready"')) await sleep(20);
    const pid = Number(file('pid'));
    shell.kill('SIGKILL');
    try {
      while (!file('out').includes('"msg":"stopped"')) await sleep(50);
    } finally {
      if (!file('out').includes('"msg":"stopped"')) process.kill(pid, 'SIGKILL');
    }
  });

  it('refuses an open-file limit that leaves no connections, and says what to raise', async () => {
    const script = 'ulimit -n 512; exec "$0" "$@"';
    const started = spawnSync('sh', ['-c', script, process.execPath, command, 'serve'], {
      env: place.environment,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(started).toMatchObject({ status: 1, stdout: '' });
    expect(started.stderr).toMatch(/^holdfast: cannot start with a limit of 512 open files: .* 544 in all; raise .*\n$/);
    expect(existsSync(place.dataDir)).toBe(false);
  });

  it('warns that an open-file limit leaves fewer connections than wanted', async () => {
    const script = 'ulimit -n 2000; "$0" "$1" serve > out 2>&1 & echo $! > pid; wait';
    const shell = spawn('sh', ['-c', script, process.execPath, command], { cwd: place.folder, env: place.environment });
    const file = (name: string) => readFileSync(join(place.folder, name), 'utf8');
    while (!existsSync(join(place.folder, 'out')) || !file('out').includes('"msg":"ready"')) await sleep(20);
    process.kill(Number(file('pid')), 'SIGTERM');
    await once(shell, 'exit');
    expect(file('out')).toMatch(
      /"connectionsMax":1488,"wanted":8192,"msg":"the limit of open files leaves fewer connections/,
    );
  });
});
