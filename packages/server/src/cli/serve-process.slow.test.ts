import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../free-port.fixture.ts';
import { type CommandSandbox, createCommandSandbox } from './command.fixture.ts';

let place: CommandSandbox;
beforeEach(async () => {
  place = await createCommandSandbox();
});
afterEach(() => place.remove());

const envFile = () => join(place.dataDir, 'dev.env');
const variables = () => parseEnv(readFileSync(envFile(), 'utf8'));

const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

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
  it('prints three lines that read, change and then fail to change the demo, in sh and bash', async () => {
    const server = await place.serve(forPeople);
    const [source = '', get = '', patch = ''] = pasted(server.output());
    expect(source).toBe('  . data/dev.env');
    expect(paste([source, get, patch, patch])).toEqual(['200', '200', '412']);
    expect(paste([source, patch], 'bash')).toEqual(['412']);
    await server.stop();

    const again = await place.serve(forPeople);
    const [, getAgain = '', patchAgain = ''] = pasted(again.output());
    expect(patchAgain).toContain('If-Match: "2"');
    expect(paste([source, getAgain, patchAgain, patchAgain], 'bash')).toEqual(['200', '200', '412']);
    await again.stop();
  });

  it('writes working credentials to a file of its owner, and not to the output', async () => {
    const server = await place.serve();
    expect(statSync(envFile()).mode & 0o777).toBe(0o600);
    const { HOLDFAST_API_KEY: key = '', HOLDFAST_DEVELOPER_TOKEN: token = '' } = variables();
    expect(key).not.toBe('');
    expect(await statusWith(`Bearer ${token}`)).toBe(200);
    expect(await statusWith(`ApiKey ${key}`, '/projects/hello/public-state/development')).toBe(200);
    const { stdout, stderr } = await server.stop();
    for (const secret of [key, token]) expect(stdout + stderr).not.toContain(secret);
  });

  it('creates no demo if others can reach the service', async () => {
    const server = await place.serve({ ...forPeople, SVC_HOST: '0.0.0.0' });
    expect(pasted(server.output())).toEqual([]);
    expect(existsSync(envFile())).toBe(false);
    await server.stop();
    expect(JSON.parse((await place.run(['account', 'list', '--json'])).stdout)).toEqual([]);
  });
});

describe('holdfast serve', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('ends with status 0 on %s', async (signal) => {
    const server = await place.serve();
    expect(await server.stop(signal)).toMatchObject({ code: 0, stderr: '' });
  });

  it('refuses a second service on the same data', async () => {
    const server = await place.serve();
    const { code, stderr } = await place.run(['serve'], { SVC_PORT: '0' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^holdfast: [^\n]*data[^\n]*\n$/);
    await server.stop();
  });

  it('reports a busy port with one line', async () => {
    const server = await place.serve();
    const other = await place.run(['serve'], { SVC_DATA_DIR: join(place.folder, 'other') });
    expect(other).toMatchObject({ code: 1, stderr: expect.stringMatching(/^holdfast: [^\n]*EADDRINUSE[^\n]*\n$/) });
    expect(other.stderr).toMatch(/SVC_PORT/);
    if (process.platform === 'linux') expect(other.stderr).toContain(`(process ${server.child.pid})`);
    await server.stop();
  });

  it('takes port, host and data folder from options before the environment', async () => {
    const folder = join(place.folder, 'by-option');
    const port = String(await freePort());
    const { child, ended } = place.start(['serve', '--port', port, '--host', 'localhost', '--data-dir', folder], {});
    const dataFile = join(folder, 'dev.env');
    while (!existsSync(dataFile) || !readFileSync(dataFile, 'utf8').includes('HOLDFAST_URL')) await sleep(20);
    for (const host of ['127.0.0.1', 'localhost', ...(hasIPv6 ? ['[::1]'] : [])]) {
      expect((await fetch(`http://${host}:${port}/healthz`)).status).toBe(200);
    }
    expect(readFileSync(dataFile, 'utf8')).toContain(`HOLDFAST_URL=http://localhost:${port}\n`);
    child.kill();
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(place.dataDir)).toBe(false);
  });

  it('gives instructions if the secret key does not match the database', async () => {
    await (await place.serve()).stop();
    rmSync(join(place.dataDir, 'secret.key')); // as after a restore without it
    const { code, stderr } = await place.run(['serve']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^holdfast: the secret key does not fit the database: /);
    for (const remedy of ['secret.key', 'SVC_SECRET_KEY', 'holdfast keys rotate --revoke'])
      expect(stderr).toContain(remedy);
    expect(await place.run(['keys', 'rotate', '--revoke'])).toMatchObject({ code: 0 });
    await (await place.serve()).stop();
  });

  it('reports a missing PostgreSQL with one line, without its password', async () => {
    const secret = Buffer.alloc(32).toString('base64');
    const url = 'postgres://u:hunter2@127.0.0.1:1/d';
    const ended = await place.run(['serve'], { SVC_DATABASE_URL: url, SVC_SECRET_KEY: secret });
    expect(ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^holdfast: cannot use the database that SVC_DATABASE_URL names: ECONNREFUSED[^\n]*\n$/,
      ),
    });
    expect(ended.stderr).not.toContain('hunter2');
  });
});
