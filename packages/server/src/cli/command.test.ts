import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandSandbox, createCommandSandbox, type Served } from './command.fixture.ts';

let place: CommandSandbox;
let server: Served;
beforeAll(async () => {
  place = await createCommandSandbox();
  server = await place.serve();
});
afterAll(async () => {
  await server.stop();
  await place.remove();
});

const json = (...args: readonly string[]) => place.json(args);

async function request(path: string, token: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return fetch(`http://127.0.0.1:${place.environment.SVC_PORT}${path}`, { ...init, headers });
}

describe('holdfast account with a running service', () => {
  it('create makes an account whose token the service accepts', async () => {
    const { accountId, developerToken, expiresAt } = await json(
      'account',
      'create',
      '--name',
      'Acme Games',
      '--hours',
      '2',
    );
    const response = await request(`/v1/${accountId}`, developerToken);
    expect([response.status, await response.json()]).toMatchObject([200, { accountId, name: 'Acme Games' }]);
    const hours = (Date.parse(expiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(1.9);
    expect(hours).toBeLessThanOrEqual(2.01);
  });

  it('list and show print existing records, projects included', async () => {
    const { accountId, developerToken } = await json('account', 'create', '--name', 'Listed');
    await request(`/v1/${accountId}/projects`, developerToken, { method: 'POST', body: '{"slug":"game"}' });
    expect(await json('account', 'list')).toContainEqual(expect.objectContaining({ accountId, name: 'Listed' }));
    expect(await json('account', 'show', accountId)).toMatchObject({ accountId, projects: [{ slug: 'game' }] });
    expect((await place.run(['account', 'show', accountId])).stdout).toMatch(/^Projects {2}game$/m);
  });
});

describe('holdfast config', () => {
  it('shows the settings of environment and file, and hides secrets', async () => {
    const secret = Buffer.alloc(32, 9).toString('base64');
    const file = join(place.folder, 'some.env');
    writeFileSync(file, `SVC_LOG_LEVEL=warn\nSVC_PORT=1\nSVC_SECRET_KEY=${secret}\n`);
    const rows: { name: string; value: string }[] = await json('config', '--env-file', file);
    const valueOfName = (name: string) => rows.find((row) => row.name === name)?.value;
    expect(valueOfName('SVC_LOG_LEVEL')).toBe('warn');
    expect(valueOfName('SVC_PORT')).toBe(place.environment.SVC_PORT);
    expect(valueOfName('SVC_SECRET_KEY')).toBe('(hidden)');
    const { stdout } = await place.run(['--env-file', file, 'config']);
    expect(stdout).toMatch(/^SVC_LOG_LEVEL +warn +environment$/m);
    expect(stdout).not.toContain(secret);
  });

  it('prints a line for each fault and ends with status 1', async () => {
    expect(await place.run(['config'], { SVC_PORT: 'x', SVC_PROT: '1' })).toEqual({
      code: 1,
      stdout: '',
      stderr: [
        'holdfast: SVC_PROT is not a setting of this service; did you mean SVC_PORT?',
        'holdfast: SVC_PORT is "x", which is not a whole number from 0 to 65535',
        '',
      ].join('\n'),
    });
  });
});
