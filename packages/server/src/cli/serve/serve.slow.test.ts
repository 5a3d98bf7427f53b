import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../free-port.fixture.ts';
import { type CommandSandbox, createCommandSandbox } from '../command.fixture.ts';
import { demoOf, pasted } from './demo.fixture.ts';

let place: CommandSandbox;
beforeEach(async () => {
  place = await createCommandSandbox();
});
afterEach(() => place.remove());

const demo = () => demoOf(place);
/** Serves once, and returns what it printed. */
const serveOnce = async (settings: Readonly<Record<string, string>> = {}) => (await place.serveHere(settings)).stop();

const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

describe('the first start', () => {
  const withoutDemo = [
    { SVC_BASE_URL: 'https://state.example' },
    { SVC_BASE_URL: 'http://192.0.2.1:8787' },
    { SVC_HOST: '0.0.0.0' },
    { SVC_HOST: '0.0.0.0', SVC_BASE_URL: 'http://127.0.0.1:8787' },
    { SVC_DEMO: 'off' },
  ];

  it('creates no demo if somebody else could reach it, or it is switched off', async () => {
    for (const settings of withoutDemo) {
      expect(pasted((await serveOnce(settings)).stdout)).toEqual([]);
      expect(demo().exists, JSON.stringify(settings)).toBe(false);
    }
    expect((await place.run(['account', 'list', '--json'])).stdout.trim()).toBe('[]');
  });

  it.each(withoutDemo.slice(2))('does not renew a demo with %j', async (settings) => {
    await serveOnce();
    const before = readFileSync(demo().file, 'utf8');
    expect(pasted((await serveOnce(settings)).stdout)).toEqual([]);
    expect(readFileSync(demo().file, 'utf8')).toBe(before);
  });

  it('creates a demo if only this machine can reach it, whatever its address', async () => {
    const baseUrl = `http://localhost:${place.environment.SVC_PORT}`;
    await serveOnce({ SVC_HOST: '127.0.0.2', SVC_BASE_URL: baseUrl });
    expect(demo().variables.HOLDFAST_URL).toBe(baseUrl);
  });

  it("leaves a file alone that it did not write, even one that names another store's account", async () => {
    const { accountId } = JSON.parse((await place.run(['account', 'create', '--name', 'Acme', '--json'])).stdout);
    const own = `# Mine\nHOLDFAST_UNFINISHED_ACCOUNT_ID=${accountId}\n`;
    writeFileSync(demo().file, own);
    await serveOnce();
    expect(readFileSync(demo().file, 'utf8')).toBe(own);
    expect((await place.run(['account', 'list', '--json'])).stdout).toContain(accountId);
  });

  it('creates no demo in a store with an account', async () => {
    await place.run(['account', 'create', '--name', 'Acme']);
    expect(pasted((await serveOnce()).stdout)).toEqual([]);
    expect(demo().exists).toBe(false);
  });
});

describe('a later start', () => {
  it('updates the address and token of the demo', async () => {
    await serveOnce();
    const before = demo().variables;
    const port = String(await freePort());
    const server = await place.serveHere({ SVC_PORT: port });
    const { variables, statusWith } = demo();
    expect(variables.HOLDFAST_URL).toBe(`http://127.0.0.1:${port}`);
    expect(variables.HOLDFAST_API_KEY).toBe(before.HOLDFAST_API_KEY);
    expect(await statusWith(`Bearer ${variables.HOLDFAST_DEVELOPER_TOKEN}`)).toBe(200);
    expect(await statusWith(`Bearer ${before.HOLDFAST_DEVELOPER_TOKEN}`)).toBe(401);
    await server.stop();
  });

  it('shows no demo after its account was deleted', async () => {
    await serveOnce();
    await place.run(['account', 'delete', demo().variables.HOLDFAST_ACCOUNT_ID ?? '', '--yes']);
    await place.run(['account', 'create', '--name', 'Acme']);
    expect(pasted((await serveOnce()).stdout)).toEqual([]);
  });

  it('shows no demo after its API key was revoked', async () => {
    const first = await place.serveHere();
    const { HOLDFAST_URL: url, HOLDFAST_ACCOUNT_ID: account, HOLDFAST_DEVELOPER_TOKEN: token } = demo().variables;
    const keys = `${url}/v1/${account}/projects/hello/api-keys`;
    const headers = { authorization: `Bearer ${token}` };
    const { items } = (await (await fetch(keys, { headers })).json()) as {
      items: { id: string; kind: string }[];
    };
    const id = items.find(({ kind }) => kind === 'secret')?.id;
    expect((await fetch(`${keys}/${id}`, { method: 'DELETE', headers })).status).toBe(204);
    await first.stop();
    expect(pasted((await serveOnce()).stdout)).toEqual([]);
  });
});

describe('holdfast serve', () => {
  it('takes port, host and data folder from options before the environment', async () => {
    const folder = join(place.folder, 'by-option');
    const port = String(await freePort());
    const options = ['--port', port, '--host', 'localhost', '--data-dir', folder];
    const server = await place.serveHere({}, ['serve', ...options]);
    for (const host of ['127.0.0.1', 'localhost', ...(hasIPv6 ? ['[::1]'] : [])]) {
      expect((await fetch(`http://${host}:${port}/healthz`)).status).toBe(200);
    }
    expect(readFileSync(join(folder, 'dev.env'), 'utf8')).toContain(`HOLDFAST_URL=http://localhost:${port}\n`);
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(place.dataDir)).toBe(false);
  });

  it('gives instructions if the secret key does not match the database', async () => {
    await serveOnce();
    rmSync(join(place.dataDir, 'secret.key')); // as after a restore without it
    const { code, stderr } = await place.run(['serve']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^holdfast: the secret key does not fit the database: /);
    for (const remedy of ['secret.key', 'SVC_SECRET_KEY', 'holdfast keys rotate --revoke'])
      expect(stderr).toContain(remedy);
    expect(await place.run(['keys', 'rotate', '--revoke'])).toMatchObject({ code: 0 });
    await serveOnce();
  });

  it('names the setting if the address belongs to another machine', async () => {
    const { code, stderr } = await place.run(['serve', '--host', '192.0.2.1']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^holdfast: [^\n]*192\.0\.2\.1[^\n]*SVC_HOST[^\n]*\n$/)]);
  });

  it.each([[[]], [['--port', '0']], [['--env-file', 'settings', '--port', '0']], [['--env-file=settings']]])(
    'is the default with only %j as arguments',
    async (args) => {
      writeFileSync(join(place.folder, 'settings'), 'SVC_LOG_FORMAT=pretty\n');
      const server = await place.serveHere({}, args);
      expect(server.output()).toContain('Holdfast is ready.');
      expect(await server.stop()).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it('reports a wrong option', async () => {
    const { code, stderr } = await place.run(['serve', '--port', '65536']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^holdfast: option '--port <port>' [^\n]*0 to 65535\.\n$/)]);
  });

  it('says goodbye', async () => {
    const server = await place.serveHere();
    expect((await server.stop('SIGINT')).stdout).toMatch(/Holdfast has stopped\.[^\n]*\n$/);
  });

  it('shows the sign-in link only on a terminal, and says where else to find it', async () => {
    const { stdout } = await serveOnce();
    expect(demo().variables.HOLDFAST_CONSOLE_URL).toContain('/console/demo#');
    expect(stdout).toMatch(/ {2}Console +http:\S+\/console\/\n +To sign in to the demo, .*: holdfast account link\n/);
    expect(stdout).not.toContain('/console/demo#');
  });
});
