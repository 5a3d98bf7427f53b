import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandSandbox, createCommandSandbox } from './command.fixture.ts';

/** The environment of an operator who knows only the data folder. */
const nothingElse = { SVC_PORT: '' };

let place: CommandSandbox;
let addressOfService: string;
beforeEach(async () => {
  place = await createCommandSandbox();
  addressOfService = `http://127.0.0.1:${place.environment.SVC_PORT}`;
});
afterEach(() => place.remove());

const record = () => join(place.dataDir, 'base-url');

async function create(environment: Readonly<Record<string, string>>) {
  const { stdout, stderr } = await place.run(['account', 'create', '--name', 'Acme', '--json'], environment);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as { accountId: string; developerToken: string; baseUrl: string };
}

function read({ accountId, developerToken }: { accountId: string; developerToken: string }): Promise<Response> {
  return fetch(`${addressOfService}/v1/${accountId}`, { headers: { authorization: `Bearer ${developerToken}` } });
}

describe("the operator's tokens", () => {
  it('work on the service of the data folder, whatever its port', async () => {
    const server = await place.serve();
    expect(statSync(record()).mode & 0o777).toBe(0o600);
    const created = await create(nothingElse);
    expect(created.baseUrl).toBe(addressOfService);
    expect((await read(created)).status).toBe(200);
    const { stdout: token, stderr } = await place.run(['account', 'token', created.accountId], nothingElse);
    expect(stderr).toContain(`Valid at     ${addressOfService}\n`);
    expect((await read({ ...created, developerToken: token.trim() })).status).toBe(200);
    await server.stop();
  });

  it('are issued for the address of the latest start', async () => {
    await (await place.serve()).stop();
    await (await place.serve({ SVC_BASE_URL: 'https://state.example' })).stop();
    expect(readFileSync(record(), 'utf8')).toBe('https://state.example\n');
    expect((await create(nothingElse)).baseUrl).toBe('https://state.example');
  });

  it('are issued for the configured address rather than the recorded one', async () => {
    await (await place.serve({ SVC_BASE_URL: 'https://state.example' })).stop();
    for (const [environment, expected] of [
      [{ SVC_BASE_URL: 'https://b.example' }, 'https://b.example'],
      [{ SVC_PORT: '9101' }, 'http://127.0.0.1:9101'],
      [{ SVC_PORT: '', SVC_HOST: '127.0.0.2' }, 'http://127.0.0.2:8787'],
      [{ SVC_PORT: '0' }, 'https://state.example'],
    ] as const) {
      expect((await create(environment)).baseUrl, JSON.stringify(environment)).toBe(expected);
    }
  });

  it('are issued for the default address if the recorded one is nonsense', async () => {
    await (await place.serve()).stop();
    for (const text of ['', 'nonsense']) {
      writeFileSync(record(), text);
      expect((await create(nothingElse)).baseUrl, text).toBe('http://127.0.0.1:8787');
    }
  });

  it('for another address are rejected with that reason', async () => {
    const server = await place.serve();
    const response = await read(await create({ SVC_PORT: '1' }));
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('the token was issued for another address of the service');
    await server.stop();
  });

  it('are not issued while the address is unknown, and no account is created', async () => {
    const { code, stderr } = await place.run(['account', 'create', '--name', 'Acme'], { SVC_PORT: '0' });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^holdfast: SVC_PORT is 0[^\n]*SVC_BASE_URL[^\n]*\n$/)]);
    expect(JSON.parse((await place.run(['account', 'list', '--json'])).stdout)).toEqual([]);
  });
});
