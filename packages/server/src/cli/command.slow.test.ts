import { existsSync } from 'node:fs';
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
  it('create prints the same for people', async () => {
    const { code, stdout } = await place.run(['account', 'create', '--name', 'Plain']);
    expect(code).toBe(0);
    const until = String.raw`Valid until {2}\d{4}-\d\d-\S+Z\n`;
    const at = `Valid at {5}http://127.0.0.1:${place.environment.SVC_PORT}\n`;
    const table = `Account {6}acc_\\w+\\nToken {8}ey\\S+\\n${at}${until}`;
    const link = `  http://127.0.0.1:${place.environment.SVC_PORT}/console/join#\\w{43}\\n\\n`;
    expect(stdout).toMatch(new RegExp(`^${table}\\nOpen this link [^]*works once, until\\n\\S+Z, and [^]*:\\n\\n${link}$`));
  });

  it('link prints a link that signs in as the operator, on loopback with a console only', async () => {
    const { accountId } = await json('account', 'create', '--name', 'Linked');
    const { url } = await json('account', 'link', accountId);
    const { origin, pathname, hash } = new URL(url);
    expect(`${origin}${pathname}`).toBe(`http://127.0.0.1:${place.environment.SVC_PORT}/console/demo`);
    const [code = '', verifier = ''] = hash.slice(1).split('.');
    const form = { grant_type: 'authorization_code', client_id: 'svc-developer', code, code_verifier: verifier };
    const body = new URLSearchParams({ ...form, redirect_uri: `${origin}${pathname}` });
    const issued = await fetch(`${origin}/v1/auth/token`, { method: 'POST', body });
    expect(issued.status).toBe(200);
    const { access_token: token } = (await issued.json()) as { access_token: string };
    expect((await request(`/v1/${accountId}`, token)).status).toBe(200);
    expect((await place.run(['account', 'link', accountId])).stdout).toMatch(/^http:\S+\/console\/demo#\S+\n$/);
    const failing = async (args: readonly string[], settings = {}) => {
      const { code, stdout, stderr } = await place.run(['account', 'link', ...args], settings);
      expect([code, stdout]).toEqual([1, '']);
      return stderr;
    };
    expect(await failing(['acc_unknown'])).toContain('acc_unknown');
    expect(await failing([accountId], { SVC_CONSOLE: 'off' })).toContain('SVC_CONSOLE is off');
    expect(await failing([accountId], { SVC_BASE_URL: 'https://games.example' })).toContain('holdfast account invite');
  });

  it('invite prints a link that the service accepts, for an existing account', async () => {
    const { accountId, invitation: first } = await json('account', 'create', '--name', 'Invited');
    const { invitation } = await json('account', 'invite', accountId);
    const read = async (url: string) => {
      const body = new URLSearchParams({ invitation: new URL(url).hash.slice(1) });
      return (
        await fetch(`http://127.0.0.1:${place.environment.SVC_PORT}/v1/auth/invitation`, { method: 'POST', body })
      ).json();
    };
    expect(invitation.url).not.toBe(first.url);
    for (const { url, expiresAt } of [first, invitation]) {
      expect(await read(url)).toMatchObject({ accountName: 'Invited', role: 'owner', expiresAt });
      expect((Date.parse(expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(7, 1);
    }
    const { code, stdout, stderr } = await place.run(['account', 'invite', 'acc_unknown']);
    expect([code, stdout, stderr]).toEqual([1, '', 'holdfast: there is no account "acc_unknown"\n']);
    const closed = await place.run(['account', 'invite', accountId], { SVC_CONSOLE: 'off' });
    expect([closed.code, closed.stdout, closed.stderr]).toEqual([1, '', expect.stringContaining('SVC_CONSOLE is off')]);
  });

  it('remove-second-factor names the user, and refuses an unknown one', async () => {
    const { code, stdout, stderr } = await place.run(['account', 'remove-second-factor', 'nobody@example.com']);
    const nobody = 'holdfast: no developer signs in with the address nobody@example.com\n';
    expect([code, stdout, stderr]).toEqual([1, '', nobody]);
    const malformed = await place.run(['account', 'remove-second-factor', 'nobody']);
    expect([malformed.code, malformed.stderr]).toEqual([1, 'holdfast: "nobody" is not an email address\n']);
  });

  it('token prints only a working token to a script, and tells people where it is valid', async () => {
    const { accountId } = await json('account', 'create', '--name', 'Tokens');
    const { stdout, stderr } = await place.run(['account', 'token', accountId]);
    expect(stdout).toMatch(/^ey\S+\n$/);
    expect(stderr).toMatch(/^Valid at {5}http:\S+\nValid until {2}\S+Z\n$/);
    expect((await request(`/v1/${accountId}`, stdout.trim())).status).toBe(200);
  });

  it.each(['show', 'token', 'delete'])('%s of an unknown account ends with status 1 and one line', async (verb) => {
    const confirm = verb === 'delete' ? ['--yes'] : [];
    expect(await place.run(['account', verb, 'acc_none', ...confirm])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'holdfast: there is no account "acc_none"\n',
    });
  });

  it.each([
    ['', '--name must'],
    ['x'.repeat(201), '--name must'],
  ])('create --name %j names the flag in its error', async (name, fault) => {
    const { code, stderr } = await place.run(['account', 'create', '--name', name]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^holdfast: cannot create the account: ${fault}[^\\n]*\\n$`)),
    ]);
  });

  it('shows control characters in names without sending them to the terminal', async () => {
    const { accountId, developerToken } = await json('account', 'create', '--name', 'Odd');
    const name = 'a\u001b[31m\u0000\r\n\u009b\u202e';
    expect(
      (await request(`/v1/${accountId}`, developerToken, { method: 'PATCH', body: JSON.stringify({ name }) })).status,
    ).toBe(200);
    const { stdout } = await place.run(['account', 'list']);
    expect(stdout).toContain(String.raw`a\u001b[31m\u0000\u000d\u000a\u009b\u202e`);
    expect(await json('account', 'show', accountId)).toMatchObject({ name });
  });

  it('delete ends the access of its tokens within seconds', async () => {
    const { accountId, developerToken } = await json('account', 'create', '--name', 'Brief');
    expect((await request(`/v1/${accountId}`, developerToken)).status).toBe(200);
    expect(await json('account', 'delete', accountId, '--yes')).toEqual({ accountId, deleted: true });
    await expect.poll(async () => (await request(`/v1/${accountId}`, developerToken)).status).toBe(401);
  });
});

describe('holdfast without a database', () => {
  it.each([
    [['account', 'list']],
    [['account', 'show', 'acc_x']],
    [['account', 'token', 'acc_x']],
    [['account', 'delete', 'acc_x', '--yes']],
    [['keys', 'rotate']],
  ])('%j reports that, and creates none', async (args) => {
    const dataDir = join(place.folder, 'elsewhere');
    expect(await place.run(args, { SVC_DATA_DIR: dataDir })).toEqual({
      code: 1,
      stdout: '',
      stderr: `holdfast: there is no database in ${dataDir}; SVC_DATA_DIR names the data folder of the service\n`,
    });
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe('holdfast keys rotate with a running service', () => {
  const publishedKeyIds = async (path = '/.well-known/jwks.json') => {
    const response = await request(path, '');
    return ((await response.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
  };

  it('rotates the keys of the built-in identity provider too', async () => {
    const [before] = await publishedKeyIds('/identity/jwks.json');
    const { keyId } = await json('keys', 'rotate');
    await expect.poll(async () => (await publishedKeyIds('/identity/jwks.json'))[1]).toBe(before);
    expect(await publishedKeyIds('/identity/jwks.json')).not.toContain(keyId);
    await json('keys', 'rotate', '--revoke');
    await expect.poll(async () => (await publishedKeyIds('/identity/jwks.json')).length).toBe(1);
  });

  it('with --revoke rejects earlier tokens within seconds', async () => {
    const { accountId, developerToken } = await json('account', 'create', '--name', 'Revoked');
    expect((await request(`/v1/${accountId}`, developerToken)).status).toBe(200);
    const { keyId } = await json('keys', 'rotate', '--revoke');
    await expect.poll(async () => (await request(`/v1/${accountId}`, developerToken)).status).toBe(401);
    expect(await publishedKeyIds()).toEqual([keyId]);
  });
});

describe('holdfast config', () => {
  it.each([
    ['config', '--env-file', 'none.env'],
    ['--env-file=none.env', 'config'],
  ])('%s %s %s: a missing file ends with status 9, as the help says', async (...args) => {
    // The runtime looks for this option too, in any position, and exits before the command begins.
    const { code, stderr } = await place.start(args).ended;
    expect([code, stderr]).toEqual([9, expect.stringMatching(/^[^\n]*none\.env: not found\n$/)]);
    expect((await place.run(['--help'])).stdout).toMatch(/^Exit status: .* 9 no such file for --env-file/m);
  });
});

describe('holdfast help', () => {
  it.each([
    ['account create', /^Usage: holdfast account create /],
    ['account', /^Usage: holdfast account /],
    ['serve', /^Usage: holdfast serve /],
  ])('%s prints the help of that command', async (names, usage) => {
    const { code, stdout } = await place.run(['help', ...names.split(' ')]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(usage)]);
  });
});

describe('usage', () => {
  it.each([
    [['nonsense']],
    [['account', 'create']],
    [['account', 'create', '--name', 'x', '--hours', '721']],
    [['account', 'delete', 'acc_x']],
    [['account', 'show']],
    [['config', '--nonsense']],
  ])('%j ends with status 2', async (args) => {
    const { code, stderr } = await place.run(args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^holdfast: /)]);
  });
});

describe('holdfast keys rotate with a running service', () => {
  const publishedKeyIds = async (path = '/.well-known/jwks.json') => {
    const response = await request(path, '');
    return ((await response.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
  };

  it('publishes a new key within seconds; earlier tokens stay valid', async () => {
    const { accountId, developerToken } = await json('account', 'create', '--name', 'Rotated');
    const { keyId, revoked } = await json('keys', 'rotate');
    expect(revoked).toBe(false);
    await expect.poll(async () => (await publishedKeyIds())[0]).toBe(keyId);
    expect((await request(`/v1/${accountId}`, developerToken)).status).toBe(200);
  });
});
