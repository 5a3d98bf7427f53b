import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandSandbox, command, createCommandSandbox, type Ended } from './command.fixture.ts';

let place: CommandSandbox;
beforeEach(async () => {
  place = await createCommandSandbox();
});
afterEach(() => place.remove());

const envFile = () => join(place.dataDir, 'dev.env');
const variables = () => parseEnv(readFileSync(envFile(), 'utf8'));

const elsewhere = () => ({ SVC_DATA_DIR: join(place.folder, 'other') });

/** Shows the banner in a pipe too. */
const forPeople = { SVC_LOG_FORMAT: 'pretty' };

/** The lines of the banner for pasting. */
const pasted = (output: string) => output.split('\n').filter((line) => /^ {2}(?:\.|curl) /.test(line));

/** Pastes lines into a shell in the folder and returns the status lines that `curl -i` shows. */
function paste(lines: readonly string[], shell = 'sh'): string[] {
  const output = execFileSync(shell, [], {
    cwd: place.folder,
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  return [...output.matchAll(/^HTTP\/1.1 (\d+)/gm)].map(([, status]) => status ?? '');
}

async function statusWith(authorization: string, path = ''): Promise<number> {
  const { HOLDFAST_URL: url, HOLDFAST_ACCOUNT_ID: account } = variables();
  return (await fetch(`${url}/v1/${account}${path}`, { headers: { authorization } })).status;
}

describe('the first start', () => {
  const withoutDemo = [
    { SVC_BASE_URL: 'https://state.example' },
    { SVC_BASE_URL: 'http://192.0.2.1:8787' },
    { SVC_HOST: '0.0.0.0', SVC_BASE_URL: 'http://127.0.0.1:8787' },
    { SVC_DEMO: 'off' },
  ];

  it('creates no demo if somebody else could reach it, or it is switched off', async () => {
    for (const settings of withoutDemo) {
      await (await place.serve(settings)).stop();
      expect(existsSync(envFile()), JSON.stringify(settings)).toBe(false);
    }
    expect((await place.run(['account', 'list', '--json'])).stdout.trim()).toBe('[]');
  });

  it.each(withoutDemo.slice(2))('does not renew a demo with %j', async (settings) => {
    await (await place.serve()).stop();
    const before = readFileSync(envFile(), 'utf8');
    const server = await place.serve({ ...forPeople, ...settings });
    expect(pasted(server.output())).toEqual([]);
    await server.stop();
    expect(readFileSync(envFile(), 'utf8')).toBe(before);
  });

  it('creates a demo if only this machine can reach it, whatever its address', async () => {
    const port = place.environment.SVC_PORT;
    const server = await place.serve({ SVC_HOST: '127.0.0.2', SVC_BASE_URL: `http://localhost:${port}` });
    expect(variables().HOLDFAST_URL).toBe(`http://localhost:${port}`);
    await server.stop();
  });

  it("leaves a file alone that it did not write, even one that names another store's account", async () => {
    const { accountId } = JSON.parse((await place.run(['account', 'create', '--name', 'Acme', '--json'])).stdout);
    const own = `# Mine\nHOLDFAST_UNFINISHED_ACCOUNT_ID=${accountId}\n`;
    writeFileSync(envFile(), own);
    await (await place.serve()).stop();
    expect(readFileSync(envFile(), 'utf8')).toBe(own);
    expect((await place.run(['account', 'list', '--json'])).stdout).toContain(accountId);
  });

  it('creates no demo in a store with an account', async () => {
    await place.run(['account', 'create', '--name', 'Acme']);
    const server = await place.serve(forPeople);
    expect(pasted(server.output())).toEqual([]);
    expect(existsSync(envFile())).toBe(false);
    await server.stop();
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
    expect(await endOnceThereIs(envFile(), signal)).toMatchObject({ code: 0, stderr: '' });
    await expectDemo();
  });

  it('by a kill is repaired by the next start', async () => {
    expect((await endOnceThereIs(envFile(), 'SIGKILL')).code).toBeNull();
    await expectDemo();
  });

  it('by SIGTERM before it listens has status 0', async () => {
    expect(await endOnceThereIs(place.dataDir, 'SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  });

  async function expectDemo(): Promise<void> {
    const server = await place.serve(forPeople);
    expect(paste(pasted(server.output()))).toEqual(['200', '200']);
    await server.stop();
    const accounts = JSON.parse((await place.run(['account', 'list', '--json'])).stdout);
    expect(accounts).toEqual([expect.objectContaining({ name: 'Demo' })]);
  }
});

describe('a later start', () => {
  it('updates the address and token of the demo', async () => {
    await (await place.serve()).stop();
    const before = variables();
    const elsewhere = await createCommandSandbox();
    const server = await place.serve({ SVC_PORT: elsewhere.environment.SVC_PORT ?? '' });
    await elsewhere.remove();
    expect(variables().HOLDFAST_URL).toBe(`http://127.0.0.1:${elsewhere.environment.SVC_PORT}`);
    expect(variables().HOLDFAST_API_KEY).toBe(before.HOLDFAST_API_KEY);
    expect(await statusWith(`Bearer ${variables().HOLDFAST_DEVELOPER_TOKEN}`)).toBe(200);
    expect(await statusWith(`Bearer ${before.HOLDFAST_DEVELOPER_TOKEN}`)).toBe(401);
    await server.stop();
  });

  it('shows no demo after its account was deleted', async () => {
    await (await place.serve()).stop();
    await place.run(['account', 'delete', variables().HOLDFAST_ACCOUNT_ID ?? '', '--yes']);
    await place.run(['account', 'create', '--name', 'Acme']);
    const server = await place.serve(forPeople);
    expect(pasted(server.output())).toEqual([]);
    await server.stop();
  });

  it('shows no demo after its API key was revoked', async () => {
    const first = await place.serve();
    const { HOLDFAST_URL: url, HOLDFAST_ACCOUNT_ID: account, HOLDFAST_DEVELOPER_TOKEN: token } = variables();
    const keys = `${url}/v1/${account}/projects/hello/api-keys`;
    const headers = { authorization: `Bearer ${token}` };
    const { items } = (await (await fetch(keys, { headers })).json()) as {
      items: { id: string; kind: string }[];
    };
    const id = items.find(({ kind }) => kind === 'secret')?.id;
    expect((await fetch(`${keys}/${id}`, { method: 'DELETE', headers })).status).toBe(204);
    await first.stop();
    const second = await place.serve(forPeople);
    expect(pasted(second.output())).toEqual([]);
    await second.stop();
  });
});

describe('holdfast serve', () => {
  it('names the metrics setting if the metrics port is busy', async () => {
    const server = await place.serve();
    const taken = place.environment.SVC_PORT ?? '';
    const other = await place.run(['serve'], { ...elsewhere(), SVC_PORT: '0', SVC_METRICS_PORT: taken });
    expect(other.stderr).toMatch(/^holdfast: [^\n]*EADDRINUSE[^\n]*SVC_METRICS_PORT[^\n]*\n$/);
    await server.stop();
  });

  it('names the setting if the address belongs to another machine', async () => {
    const { code, stderr } = await place.run(['serve', '--host', '192.0.2.1']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^holdfast: [^\n]*192\.0\.2\.1[^\n]*SVC_HOST[^\n]*\n$/)]);
  });

  it.each([[[]], [['--port', '0']], [['--env-file', 'settings', '--port', '0']], [['--env-file=settings']]])(
    'is the default with only %j as arguments',
    async (args) => {
      writeFileSync(join(place.folder, 'settings'), 'SVC_LOG_FORMAT=pretty\n');
      const { child, ended } = place.start(args, forPeople);
      await once(child.stdout ?? child, 'data');
      child.kill();
      expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Holdfast is ready.'), stderr: '' });
    },
  );

  it('reports a wrong option', async () => {
    const { code, stderr } = await place.run(['serve', '--port', '65536']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^holdfast: option '--port <port>' [^\n]*0 to 65535\.\n$/)]);
  });

  it('says goodbye', async () => {
    const server = await place.serve(forPeople);
    expect((await server.stop('SIGINT')).stdout).toMatch(/Holdfast has stopped\.[^\n]*\n$/);
  });

  it.each([{}, { SVC_LOG_FORMAT: 'json' }])('with %j writes records only into a pipe or file', async (settings) => {
    const { child, ended } = place.start(['serve'], settings);
    const isReady = once(child.stdout ?? child, 'data');
    await isReady;
    child.kill('SIGTERM');
    const { stdout, stderr } = await ended;
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ msg }) => msg)).toEqual(['ready', 'stopping', 'stopped']);
    expect(records[0]).toMatchObject({ baseUrl: `http://127.0.0.1:${place.environment.SVC_PORT}`, demo: envFile() });
    expect(stderr).toBe('');
    expect(stdout).not.toContain('/console/demo#');
  });

  it('shows the sign-in link only on a terminal, and says where else to find it', async () => {
    const server = await place.serve(forPeople);
    const { HOLDFAST_CONSOLE_URL: link = '' } = variables();
    expect(link).toContain('/console/demo#');
    const { stdout } = await server.stop();
    expect(stdout).toMatch(
      / {2}Console +http:\S+\/console\/ \(HOLDFAST_CONSOLE_URL in data\/dev\.env signs in to the demo\)\n/,
    );
    expect(stdout).not.toContain('/console/demo#');
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
      timeout: 30_000,
    });
    expect(started).toMatchObject({ status: 1, stdout: '' });
    expect(started.stderr).toMatch(/^holdfast: cannot start with a limit of 512 open files: .* 544 in all; raise .*\n$/);
    expect(existsSync(place.dataDir)).toBe(false);
  });
});
